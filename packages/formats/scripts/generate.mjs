// Generates src/generated from the schemas in schemas/: types, field order and validators.
// Run `node scripts/generate.mjs` after a change; test/generated.test.ts fails if the files are stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateShapes } from './shapes.mjs';
import { generateTypes } from './types.mjs';
import { generateValidator, VALIDATOR_DECLARATION } from './validators.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** The folder of the schemas, from which all other files are generated. */
export const schemasFolder = join(here, '../../../schemas');
/** Schemas of input files. The CLI validates these files with the schema itself, so nothing is generated. */
const INPUT_SCHEMAS = ['config.schema.json'];
/** The folder of the generated files. */
export const generatedFolder = join(here, '../src/generated');

/** Pairs of a schema name and the name of its generated module and shape. */
const documents = [
  ['server-metrics.1.0', 'serverMetrics'],
  ['server-metrics.legacy', 'legacyServerMetrics'],
  ['server-metrics-record', 'serverMetricsRecord'],
  ['profile-export.1.3', 'profileExport'],
  ['profile-record', 'profileRecord'],
  ['profile-timeslices.1.0', 'profileTimeslices'],
  ['profile-aggregate.1.0', 'profileAggregate'],
  ['profile-collated.1.0.0', 'profileCollated'],
  ['profile-sweep.1.0', 'profileSweep'],
];

function readSchemas() {
  const files = readdirSync(schemasFolder).filter(
    name => name.endsWith('.schema.json') && !INPUT_SCHEMAS.includes(name),
  );
  return new Map(
    files
      .sort()
      .map(name => [name.replace('.schema.json', ''), readFileSync(join(schemasFolder, name), 'utf8')]),
  );
}

/** Returns the content of all generated files, by path relative to src/generated. */
export async function generate() {
  const schemas = readSchemas();
  const parseSchema = name => JSON.parse(schemas.get(name));
  const files = new Map();
  for (const [schema, name] of documents) files.set(`${name}.ts`, await generateTypes(parseSchema(schema)));
  files.set('shapes.ts', generateShapes(documents.map(([schema, name]) => [name, parseSchema(schema)])));
  for (const name of schemas.keys()) {
    files.set(`validators/${name}.js`, await generateValidator(parseSchema(name)));
    files.set(`validators/${name}.d.ts`, VALIDATOR_DECLARATION);
  }
  return files;
}

async function main() {
  for (const [path, content] of await generate()) {
    const file = join(generatedFolder, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
