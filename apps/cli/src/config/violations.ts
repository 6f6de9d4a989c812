import { redactUrl } from '@org/core';
import { findSimilarWord } from '@org/terminal';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Problem } from './problem.ts';
import { ANNOTATIONS, configSchema, knownKeys, nodeAt, type SchemaNode } from './schema.ts';
import type { Path, YamlFile } from './yamlfile.ts';

/** Settings whose values may be shown; every other may be a secret. */
const OPEN =
  /^(?:interval|timeout|compressed|insecure|ca_file|cert_file|key_file|\w+_token_file|password_file|basic_auth_file|\w+_bytes|samples|labels|username)$/;

/** Where a configuration does not fit its schema, in words for its author. */
export function violations(file: YamlFile, value: unknown): Problem[] {
  const schema = configSchema();
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
  });
  ajv.addVocabulary([...ANNOTATIONS]);
  if (ajv.validate(schema, value)) return [];
  const seen = new Set<string>();
  return (ajv.errors ?? []).flatMap(error => {
    const problem = problemOf(file, value, schema, error);
    const key = problem && `${problem.line}:${problem.column}`;
    if (!problem || seen.has(key!)) return [];
    seen.add(key!);
    return [problem];
  });
}

function problemOf(
  file: YamlFile,
  value: unknown,
  schema: SchemaNode,
  error: ErrorObject,
): Problem | undefined {
  const path = pathOf(error.instancePath, value);
  const name = nameOf(path);
  const { keyword, params, parentSchema, schemaPath } = error;
  // Of alternatives only the whole is told of.
  if (/\/(?:anyOf|not)\/.*[^/]+$/.test(schemaPath) && keyword !== 'not') return undefined;
  if (error.propertyName !== undefined) {
    const message = `${shownKey(error.propertyName)} in ${name} is not ${expectedOf(parentSchema)}`;
    return keyword === 'propertyNames' ? undefined : file.atKey(path, error.propertyName, message);
  }
  switch (keyword) {
    case 'propertyNames':
      return undefined;
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const key = String(params.additionalProperty ?? params.unevaluatedProperty);
      const known = knownKeys(nodeAt(path, schema)!, schema);
      return known.includes(key) ? undefined : file.atKey(path, key, unknownKey(name, key, known));
    }
    case 'required':
      return file.at(path, `${name} lacks ${params.missingProperty}; expected ${expectedAt(path, schema)}`);
    case 'dependentRequired': {
      const { property, missingProperty } = params;
      return file.atKey(path, property, `${name} has ${property} without ${missingProperty}; expected both`);
    }
    case 'not':
    case 'anyOf':
      return file.at(
        path,
        `${name} has ${keyword === 'not' ? 'two of what can be one' : 'too little'}; expected ${expectedOf(parentSchema)}`,
      );
    default: {
      const seen = file.isFromEnvironment(path)
        ? 'a text from the environment'
        : shown(path, valueAt(path, value));
      return file.at(path, `${name} is ${seen}; expected ${expectedAt(path, schema)}`);
    }
  }
}

/** A key, as far as it can be one: `Authorization: Bearer x` between quotes is all key. */
function shownKey(key: string): string {
  const end = key.search(/[:=]/);
  return JSON.stringify(end < 0 ? key.slice(0, 80) : `${key.slice(0, end)}…`);
}

function unknownKey(name: string, key: string, known: readonly string[]): string {
  const like = findSimilarWord(key, known);
  const question = like === undefined ? '' : `; did you mean ${like}?`;
  const where = name === 'the file' ? '' : ` in ${name}`;
  return `${shownKey(key)} is not known${where}${question} Expected ${known.join(', ')}`.replace(
    / Expected/,
    question === '' ? '; expected' : ' Expected',
  );
}

function expectedAt(path: Path, schema: SchemaNode): string {
  const node = nodeAt(path, schema) ?? nodeAt([...path.slice(0, -1), '*'], schema);
  return node?.['x-expected'] ?? headerExpected(path);
}

/** Values of headers have a schema, but no name in it. */
function headerExpected(path: Path): string {
  return path.at(-2) === 'headers'
    ? 'a single line of text, in quotes if it looks like a number'
    : 'something else';
}

function expectedOf(node: unknown): string {
  return (node as SchemaNode | undefined)?.['x-expected'] ?? 'something else';
}

/** `/targets/0/timeout` of ajv. */
function pathOf(pointer: string, root: unknown): Path {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map(step => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const at = Array.isArray(value) ? Number(key) : key;
      value = (value as Record<string | number, unknown> | undefined)?.[at];
      return at;
    });
}

function valueAt(path: Path, root: unknown): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], root);
}

/** `targets[0].timeout`. */
export function nameOf(path: Path): string {
  if (path.length === 0) return 'the file';
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** A value, when it can be no secret; else what kind of thing it is. */
function shown(path: Path, value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const key = String(path.at(-1));
  if (key === 'url' || key === 'server') return JSON.stringify(redactUrl(String(value)));
  const isOpen = OPEN.test(key) && path.at(-2) !== 'headers';
  if (isOpen) return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
  return typeof value === 'string' ? 'a text that is not accepted' : `a ${typeof value}`;
}
