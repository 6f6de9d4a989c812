import type { RuleId } from '../generated/ruleSeverities.ts';
import { type Path, truncate } from '../json/path.ts';
import type { Report } from '../rules/findings.ts';
import type { SchemaError, SchemaValidator } from './schemas.ts';
import { findMemberShape, resolveShape, type Shape } from './shape.ts';

/** Reports every violation of the schema in a document. */
export function checkSchema(report: Report, validator: SchemaValidator, document: unknown): void {
  if (validator(document)) return;
  const errors = validator.errors ?? [];
  const mistypedPaths = new Set(errors.filter(isTypeError).map(error => error.instancePath));
  // If a value has the wrong type, its other errors, such as an invalid range, are meaningless.
  for (const error of errors)
    if (isTypeError(error) || !mistypedPaths.has(error.instancePath)) reportError(report, error, document);
}

function isTypeError(error: SchemaError): boolean {
  return error.keyword === 'type' || error.keyword === 'int64';
}

function reportError(report: Report, error: SchemaError, document: unknown): void {
  const path = parsePointer(error.instancePath, document);
  const explain = EXPLANATIONS[error.keyword];
  if (explain === null) return;
  const finding = explain?.(error) ?? {
    rule: 'field-value' as const,
    message: error.message ?? 'is not allowed',
  };
  report(finding.rule, [...path, ...(finding.below ?? [])], finding.message, finding.value);
}

/** A finding that describes a schema error. */
interface Explanation {
  readonly rule: RuleId;
  readonly message: string;
  /** Path of the finding, relative to the path of the error. */
  readonly below?: Path;
  readonly value?: unknown;
}

/** Functions that explain ajv's errors, by keyword. Null marks keywords whose errors only repeat other errors. */
const EXPLANATIONS: Readonly<Record<string, ((error: SchemaError) => Explanation) | null>> = {
  if: null,
  oneOf: null,
  propertyNames: null,
  required: error => explainMissing(error, String(error.params.missingProperty)),
  dependentRequired: error => ({
    rule: 'fields-together',
    message: `is missing, but ${error.params.property} is present; ${listFields(error.params.deps, error.params.property)} must occur together`,
    below: [String(error.params.missingProperty)],
  }),
  type: error => createExplanation('field-type', error, `expected ${listTypes(error.schema)}`),
  int64: error =>
    createExplanation(
      'field-type',
      error,
      error.schema === 'nullable' ? 'expected a 64-bit integer or null' : 'expected a 64-bit integer',
    ),
  minimum: error => createExplanation('field-range', error, `expected ${error.schema} or more`),
  exclusiveMinimum: error => createExplanation('field-range', error, `expected more than ${error.schema}`),
  exclusiveMaximum: error => createExplanation('field-range', error, `expected less than ${error.schema}`),
  minItems: error => createExplanation('field-range', error, `expected ${error.schema} items`),
  maxItems: error => createExplanation('field-range', error, `expected ${error.schema} items`),
  items: error => createExplanation('field-range', error, `expected at most ${error.params.limit} items`),
  const: error => createExplanation('field-value', error, `expected ${JSON.stringify(error.schema)}`),
  enum: error =>
    createExplanation('field-value', error, `expected one of ${(error.schema as unknown[]).join(', ')}`),
  discriminator: error => ({
    rule: error.params.tagValue === undefined ? 'field-missing' : 'field-value',
    message: `is ${formatValue(error.params.tagValue)}; expected ${error.parentSchema['x-pattern']}`,
    below: [String(error.params.tag)],
    value: error.params.tagValue,
  }),
  pattern: error => createExplanation('field-format', error, `expected ${error.parentSchema['x-pattern']}`),
};

function explainMissing(error: SchemaError, name: string): Explanation {
  const properties = error.parentSchema.properties as Readonly<Record<string, unknown>> | undefined;
  const description = getDescription(properties?.[name]);
  return {
    rule: 'field-missing',
    message: `is missing${description ? `: ${description}` : ', but required'}`,
    below: [name],
  };
}

/** Formats a message such as "is 5; expected a string: the unit of the metric". */
function createExplanation(rule: RuleId, error: SchemaError, expected: string): Explanation {
  const description = getDescription(error.parentSchema);
  const message = `is ${formatValue(error.data)}; ${expected}${description ? `: ${description}` : ''}`;
  return { rule, message, ...(isShort(error.data) ? { value: error.data } : {}) };
}

function getDescription(schema: unknown): string | undefined {
  const text = (schema as { readonly description?: unknown } | undefined)?.description;
  return typeof text === 'string' ? text : undefined;
}

function isShort(value: unknown): boolean {
  return typeof value !== 'object' && String(value).length <= 200;
}

/** Formats a value for a message. Long strings are truncated; arrays and objects are only named. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(truncate(value, 60));
}

function listTypes(types: unknown): string {
  const names = [types]
    .flat()
    .map(type => (type === 'null' ? 'null' : `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`));
  return names.join(' or ');
}

/**
 * Lists a field and the fields that depend on it. A list of more than four is shortened to the first and the
 * last name.
 */
function listFields(dependents: unknown, property: unknown): string {
  const names = String(dependents)
    .split(',')
    .map(name => name.trim());
  const fields = [String(property), ...names];
  return fields.length <= 4
    ? fields.join(', ')
    : `the ${fields.length} fields ${fields[0]} … ${fields.at(-1)}`;
}

/** Converts a JSON pointer to a path. Steps into arrays of the document become numbers. */
function parsePointer(pointer: string, document: unknown): Path {
  let container: unknown = document;
  return pointer
    .split('/')
    .slice(1)
    .map(step => {
      const key = step.replace(/~1/g, '/').replace(/~0/g, '~');
      const place = Array.isArray(container) ? Number(key) : key;
      container = (container as Record<string | number, unknown> | undefined)?.[place];
      return place;
    });
}

/** Reports fields that are not in the schema. Used only with `strict`; otherwise unknown fields are accepted. */
export function checkUnknownFields(report: Report, value: unknown, shape: Shape, path: Path = []): void {
  if (typeof value !== 'object' || value === null) return;
  const resolved = resolveShape(shape, value);
  if (Array.isArray(value)) {
    if (resolved.kind === 'array')
      value.forEach((item, index) => {
        checkUnknownFields(report, item, resolved.items, [...path, index]);
      });
    return;
  }
  for (const [key, item] of Object.entries(value)) checkField(report, key, item, resolved, [...path, key]);
}

function checkField(report: Report, key: string, value: unknown, shape: Shape, path: Path): void {
  const memberShape = findMemberShape(shape, key, value);
  if (memberShape) checkUnknownFields(report, value, memberShape, path);
  else report('field-unknown', path, `is ${formatValue(value)}; the field is not in the schema`);
}
