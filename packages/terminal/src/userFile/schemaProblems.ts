import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { findSimilarWord } from '../program/usageError.ts';
import type { FileProblem } from './fileProblem.ts';
import { ANNOTATIONS, findNode, listKnownKeys, type SchemaNode } from './schemaNode.ts';
import type { Path, YamlFile } from './yamlFile.ts';

/** The schema of a file, and how problems describe it. */
export interface FileSchema {
  readonly schema: SchemaNode;
  /** A name for the whole file, such as `configuration`. */
  readonly subject: string;
  /** Formats a text or a number. By default, it is shown; a file with secrets hides it. */
  readonly formatScalar?: (path: Path, value: unknown) => string;
}

/** The maximum length of a value or key in a message; longer texts are truncated. */
const MAX_SHOWN_CHARACTERS = 80;

/** Validates a parsed file against its schema. Returns at most one problem per position. */
export function findSchemaProblems(file: YamlFile, value: unknown, fileSchema: FileSchema): FileProblem[] {
  const validate = getValidator(fileSchema.schema);
  if (validate(value)) return [];
  const positions = new Set<string>();
  return (validate.errors ?? []).flatMap(error => {
    const problem = describeError(file, value, fileSchema, error);
    const position = problem && `${problem.line}:${problem.column}`;
    if (!problem || positions.has(position!)) return [];
    positions.add(position!);
    return [problem];
  });
}

/** Compiled schemas, because a schema takes milliseconds to compile. */
const validators = new WeakMap<SchemaNode, ValidateFunction>();

function getValidator(schema: SchemaNode): ValidateFunction {
  const validator = validators.get(schema) ?? compile(schema);
  validators.set(schema, validator);
  return validator;
}

function compile(schema: SchemaNode): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
  });
  ajv.addVocabulary([...ANNOTATIONS]);
  return ajv.compile(schema);
}

function describeError(
  file: YamlFile,
  value: unknown,
  { schema, subject: whole, formatScalar }: FileSchema,
  error: ErrorObject,
): FileProblem | undefined {
  const path = parsePointer(error.instancePath, value);
  const name = formatPath(path);
  const { keyword, params, parentSchema, schemaPath } = error;
  // The error of `anyOf` or `not` itself is reported instead of the errors of its subschemas.
  if (/\/(?:anyOf|not)\/.*[^/]+$/.test(schemaPath) && keyword !== 'not') return undefined;
  if (error.propertyName !== undefined) {
    const message = `invalid key ${formatKey(error.propertyName)} in ${name}; expected ${describeExpected(parentSchema)}`;
    return keyword === 'propertyNames' ? undefined : file.createKeyProblem(path, error.propertyName, message);
  }
  switch (keyword) {
    case 'propertyNames':
      return undefined;
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const key = String(params.additionalProperty ?? params.unevaluatedProperty);
      const knownKeys = listKnownKeys(findNode(path, schema)!, schema);
      return knownKeys.includes(key)
        ? undefined
        : file.createKeyProblem(path, key, describeUnknownKey(name, key, knownKeys));
    }
    case 'required':
      return file.createProblem(
        path,
        `${name} requires ${params.missingProperty}; expected ${describeExpectedAt(path, schema)}`,
      );
    case 'dependentRequired': {
      const { property, missingProperty } = params;
      return file.createKeyProblem(
        path,
        property,
        `${name}.${property} requires ${missingProperty}; expected both`,
      );
    }
    case 'not':
      return file.createProblem(
        path,
        `${name} has conflicting settings; expected ${describeExpected(parentSchema)}`,
      );
    case 'anyOf':
      return file.createProblem(path, `${name} is incomplete; expected ${describeExpected(parentSchema)}`);
    default: {
      const shownValue = file.isFromEnvironment(path)
        ? 'value from an environment variable (hidden)'
        : formatValue(path, getValue(path, value), formatScalar);
      const subject = path.length === 0 ? whole : name;
      return file.createProblem(
        path,
        `invalid ${subject}: ${shownValue}; expected ${describeExpectedAt(path, schema)}`,
      );
    }
  }
}

/**
 * Formats a key up to a colon or equals sign. The rest may be a secret: with misplaced quotes, a key can be
 * `Authorization: Bearer ...`.
 */
function formatKey(key: string): string {
  const end = key.search(/[:=]/);
  return JSON.stringify(end < 0 ? key.slice(0, MAX_SHOWN_CHARACTERS) : `${key.slice(0, end)}…`);
}

function describeUnknownKey(name: string, key: string, knownKeys: readonly string[]): string {
  const similar = findSimilarWord(key, knownKeys);
  const location = name === 'the file' ? '' : ` in ${name}`;
  const hint = similar === undefined ? '' : ` (did you mean ${similar}?)`;
  return `unknown key ${formatKey(key)}${location}${hint}; expected ${knownKeys.join(', ')}`;
}

function describeExpectedAt(path: Path, schema: SchemaNode): string {
  const node = findNode(path, schema) ?? findNode([...path.slice(0, -1), '*'], schema);
  return node?.['x-expected'] ?? describeExpectedHeader(path);
}

/** Describes the expected value of a header, because the schema does not define individual headers. */
function describeExpectedHeader(path: Path): string {
  return path.at(-2) === 'headers'
    ? 'a single line of text, in quotes if it looks like a number'
    : 'a different value';
}

function describeExpected(node: unknown): string {
  return (node as SchemaNode | undefined)?.['x-expected'] ?? 'a different value';
}

/** Parses a JSON pointer such as `/targets/0/timeout`. */
function parsePointer(pointer: string, root: unknown): Path {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map(step => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const index = Array.isArray(value) ? Number(key) : key;
      value = (value as Record<string | number, unknown> | undefined)?.[index];
      return index;
    });
}

function getValue(path: Path, root: unknown): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], root);
}

/** Formats a path, such as `targets[0].timeout`. */
export function formatPath(path: Path): string {
  if (path.length === 0) return 'the file';
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

function formatValue(
  path: Path,
  value: unknown,
  formatScalar: FileSchema['formatScalar'] = (_, scalar) => formatShown(scalar),
): string {
  if (value === null) return 'no value';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : formatScalar(path, value);
}

/** Formats a value that is not a secret. */
export function formatShown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS)) : String(value);
}
