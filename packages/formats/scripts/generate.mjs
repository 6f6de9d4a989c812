// Generates src/generated: types, field order and validators from the schemas in schemas/, and the rules catalogue from
// docs/validation-rules.md.
// Run `node scripts/generate.mjs` after a change; test/generated.test.ts fails if the files are stale.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeGenerated } from '../../../scripts/writeGenerated.mjs';
import { generateDescriptions, generateSeverities, parseRules } from './rules.mjs';
import { generateShapes } from './shapes.mjs';
import { generateTypes } from './types.mjs';
import { generateDeclaration, generateValidator } from './validators.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** The folder of the schemas, from which all other files are generated. */
export const schemasFolder = join(here, '../../../schemas');
/** The page that describes the rules. */
const rulesPage = join(here, '../../../docs/validation-rules.md');
/** Schemas of files that users write. They are validated with the schema itself, so nothing is generated. */
const INPUT_SCHEMAS = ['config.schema.json', 'server-definition.1.schema.json'];
/** The folder of the generated files. */
export const generatedFolder = join(here, '../src/generated');

/**
 * Older schemas with the same fields as a newer one. Both share their types, shape and validator, which accept both
 * versions.
 */
export const SAME_FIELDS = {
  'server-metrics.1.1': 'server-metrics.1.0',
  'profile-export.1.4': 'profile-export.1.3',
};

/** Pairs of a schema name and the name of its generated module and shape. */
const documents = [
  ['server-metrics.1.1', 'serverMetrics'],
  ['server-metrics.legacy', 'legacyServerMetrics'],
  ['server-metrics-record', 'serverMetricsRecord'],
  ['gpu-telemetry-record', 'gpuTelemetryRecord'],
  ['profile-export.1.4', 'profileExport'],
  ['profile-record', 'profileRecord'],
  ['raw-record', 'rawRecord'],
  ['profile-timeslices.1.0', 'profileTimeslices'],
  ['profile-aggregate.1.0', 'profileAggregate'],
  ['profile-collated.1.0.0', 'profileCollated'],
  ['profile-sweep.1.0', 'profileSweep'],
  ['search-history.1.0', 'searchHistory'],
  ['phase-manifest.1', 'phaseManifest'],
  ['phase-server-metrics.1', 'phaseServerMetrics'],
  ['phase-gpu-telemetry.1', 'phaseGpuTelemetry'],
  ['inputs', 'inputs'],
  ['outputs.1.0', 'outputs'],
  ['results-ready', 'resultsReady'],
  ['trend.1', 'trend'],
  ['push.1', 'push'],
];

/** Definitions that rows of CSV files are validated against, by schema. */
const blocks = {
  'server-metrics.1.1': 'Metric',
  'profile-export.1.4': 'ProfileMetric',
  'profile-aggregate.1.0': 'AggregateMetric',
  'profile-sweep.1.0': 'SweepMetric',
};

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

/** Makes a schema also accept the version of the older schema with the same fields. */
function acceptOlderVersion(schema, olderSchema) {
  const { const: version, ...rest } = schema.properties.schema_version;
  const older = olderSchema.properties.schema_version.const;
  schema.properties.schema_version = { ...rest, enum: [older, version] };
  return schema;
}

/** Returns the content of all generated files, by path relative to src/generated. */
export async function generate() {
  const schemas = readSchemas();
  const parseSchema = name => {
    const schema = JSON.parse(schemas.get(name));
    const older = SAME_FIELDS[name];
    return older ? acceptOlderVersion(schema, JSON.parse(schemas.get(older))) : schema;
  };
  const files = new Map();
  const rules = parseRules(readFileSync(rulesPage, 'utf8'));
  files.set('ruleSeverities.ts', generateSeverities(rules));
  files.set('ruleDescriptions.ts', generateDescriptions(rules));
  for (const [schema, name] of documents) files.set(`${name}.ts`, await generateTypes(parseSchema(schema)));
  files.set('shapes.ts', generateShapes(documents.map(([schema, name]) => [name, parseSchema(schema)])));
  const shared = Object.values(SAME_FIELDS);
  for (const name of schemas.keys()) {
    if (shared.includes(name)) continue;
    files.set(`validators/${name}.js`, await generateValidator(parseSchema(name), blocks[name]));
    files.set(`validators/${name}.d.ts`, generateDeclaration(blocks[name]));
  }
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeGenerated(generatedFolder, await generate());
