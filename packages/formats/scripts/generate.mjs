// Everything in src/generated comes from the schemas in schemas/: types, field order, validators.
// `node scripts/generate.mjs` writes it; test/generated.test.ts fails when it is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shapesSource } from './shapes.mjs';
import { typesSource } from './types.mjs';
import { validatorDeclaration, validatorSource } from './validators.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** Where the schemas live: the source of truth. */
export const schemasFolder = join(here, '../../../schemas');
/** What people write and we read; the CLI checks it by the schema itself. No export, so that nothing is generated from it. */
const inputs = ['config.schema.json'];
/** Where the results go. */
export const generatedFolder = join(here, '../src/generated');

/** Schema names, each with the name of its types' module, which is also the name of its shape. */
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
    name => name.endsWith('.schema.json') && !inputs.includes(name),
  );
  return new Map(
    files
      .sort()
      .map(name => [name.replace('.schema.json', ''), readFileSync(join(schemasFolder, name), 'utf8')]),
  );
}

/** All generated files: path below src/generated, and content. */
export async function generate() {
  const schemas = readSchemas();
  const parsed = name => JSON.parse(schemas.get(name));
  const files = new Map();
  for (const [schema, name] of documents) files.set(`${name}.ts`, await typesSource(parsed(schema)));
  files.set('shapes.ts', shapesSource(documents.map(([schema, name]) => [name, parsed(schema)])));
  for (const name of schemas.keys()) {
    files.set(`validators/${name}.js`, await validatorSource(parsed(name)));
    files.set(`validators/${name}.d.ts`, validatorDeclaration);
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
