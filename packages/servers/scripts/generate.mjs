// Generates src/generated from the files in servers/, so that no program parses YAML to know the built-in servers.
// Run `node scripts/generate.mjs` after a change; test/generated.test.ts fails if the files are outdated.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { writeGenerated } from '../../../scripts/writeGenerated.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The folder of the definitions. */
export const serversFolder = join(root, 'servers');
/** The formulas of derived metrics. */
const formulasFile = join(root, 'formulas/formulas.yaml');
/** The schema of definitions. */
const schemaFile = join(root, '../../schemas/server-definition.1.schema.json');
/** The folder of the generated files. */
export const generatedFolder = join(root, 'src/generated');

/** The definitions in the order in which summaries list their servers; others follow in alphabetical order. */
const FIRST = ['vllm', 'dynamo', 'sglang', 'tensorrt-llm', 'triton'];

/** Returns the names of all definitions without extension, in the order of summaries. */
export function listServerFiles() {
  const names = readdirSync(serversFolder)
    .filter(file => file.endsWith('.yaml'))
    .map(file => file.replace('.yaml', ''))
    .sort();
  const others = names.filter(name => !FIRST.includes(name));
  return [...FIRST, ...others];
}

/** Returns the contents of a definition. */
export function readDefinition(name) {
  return parse(readFileSync(join(serversFolder, `${name}.yaml`), 'utf8'));
}

/** Checks definitions against the schema. */
function validate(files) {
  const schema = readSchema();
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  ajv.addVocabulary(['x-expected', 'x-source', 'x-unit']);
  for (const file of files)
    if (!ajv.validate(schema, file))
      throw new Error(`invalid definition of ${file.name}: ${ajv.errorsText()}`);
}

/** Returns the content of all generated files, by path below src/generated. */
export function generate() {
  const files = listServerFiles().map(readDefinition);
  validate(files);
  return new Map([
    ['definitions.ts', generateDefinitions(files)],
    ['metrics.ts', generateMetrics(files)],
    ['roles.ts', generateRoles()],
    ['formulas.ts', generateFormulas()],
    ['schema.ts', generateSchema()],
  ]);
}

function generateDefinitions(files) {
  const lines = files.map(file => `  ${JSON.stringify(omitDescriptions(file))},\n`);
  return `// Generated from servers/ by scripts/generate.mjs. Do not edit.
import type { DefinitionFile } from '../definitionFile.ts';

export const definitions: readonly DefinitionFile[] = [
${lines.join('')}];
`;
}

function generateMetrics(files) {
  const lines = files.map(({ name, metrics = {} }) => {
    const entries = Object.entries(metrics).map(
      ([metric, text]) => `    ${JSON.stringify(metric)}: ${JSON.stringify(text)},\n`,
    );
    return `  ${JSON.stringify(name)}: {\n${entries.join('')}  },\n`;
  });
  return `// Generated from servers/ by scripts/generate.mjs. Do not edit.
import type { MetricDescription } from '../metricDescription.ts';

/** The metrics of the built-in servers, by the name of the server. */
export const metrics: Readonly<Record<string, Readonly<Record<string, MetricDescription>>>> = {
${lines.join('')}};
`;
}

/** Returns the formulas of derived metrics. */
export function readFormulas() {
  return parse(readFileSync(formulasFile, 'utf8'));
}

function generateFormulas() {
  const formulas = readFormulas();
  validate([{ name: 'formulas', recognize: { prefixes: [] }, formulas }]);
  const lines = formulas.map(formula => `  ${JSON.stringify(formula)},\n`);
  return `// Generated from formulas/ by scripts/generate.mjs. Do not edit.
import type { FormulaFile } from '../definitionFile.ts';

/** The formulas of derived metrics, as in their file. */
export const formulas: readonly FormulaFile[] = [
${lines.join('')}];
`;
}

function generateRoles() {
  const { roles, constants } = readSchema().properties;
  const render = ({ properties }, rename) =>
    Object.entries(properties).map(
      ([name, { 'x-unit': unit }]) => `  ${rename(name)}: { name: ${quote(name)}, unit: ${quote(unit)} },\n`,
    );
  return `// Generated from schemas/server-definition.1.schema.json by scripts/generate.mjs. Do not edit.

/** The roles of metrics: the name in files, and the unit of the values. */
export const roles = {
${render(roles, toCamelCase).join('')}} as const;

/** The constants of formulas: the name, and the unit of the value. */
export const constants = {
${render(constants, name => name).join('')}} as const;
`;
}

function toCamelCase(name) {
  return name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}

function quote(text) {
  return `'${text}'`;
}

/** Returns the schema of definitions. */
export function readSchema() {
  return JSON.parse(readFileSync(schemaFile, 'utf8'));
}

function generateSchema() {
  return `// Generated from schemas/server-definition.1.schema.json by scripts/generate.mjs. Do not edit.
import type { SchemaNode } from '@org/terminal/userFile';

export const schema: SchemaNode = JSON.parse(
  ${JSON.stringify(JSON.stringify(readSchema()))},
);
`;
}

/** The fields of a metric that every program needs. */
const OVERLAPS = ['total', 'repeats', 'replaced_by'];

/** The fields of a metric that programs need if they know the version of the server. */
const VERSIONS = ['since', 'until'];

/** Omits the texts about metrics, which only few commands need. */
function omitDescriptions({ metrics = {}, ...fields }) {
  const statesVersion = (fields.recognize.build_info ?? []).length > 0;
  const kept = statesVersion ? [...OVERLAPS, ...VERSIONS] : OVERLAPS;
  const overlapping = Object.entries(metrics).flatMap(([name, description]) => {
    const overlaps = kept.filter(field => description[field] !== undefined);
    return overlaps.length === 0
      ? []
      : [[name, Object.fromEntries(overlaps.map(field => [field, description[field]]))]];
  });
  return overlapping.length === 0 ? fields : { ...fields, metrics: Object.fromEntries(overlapping) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeGenerated(generatedFolder, generate());
