import { type Path, shortened } from '../json/path.ts';
import type { RuleId } from '../rules/catalogue.ts';
import type { Report } from '../rules/findings.ts';
import type { SchemaError, SchemaValidator } from './schemaValidator.ts';

/** Schemas that there are validators for: names of files in schemas/. */
export type SchemaName =
  | 'server-metrics.1.0'
  | 'server-metrics.legacy'
  | 'server-metrics-record'
  | 'profile-export.1.0'
  | 'profile-export.1.1'
  | 'profile-export.1.2'
  | 'profile-export.1.3'
  | 'profile-record'
  | 'profile-timeslices.1.0'
  | 'profile-aggregate.1.0'
  | 'profile-collated.1.0.0'
  | 'profile-sweep.1.0';

/** Loaded one by one: most callers need a single one of them. */
const loaders: Readonly<Record<SchemaName, () => Promise<{ readonly validate: SchemaValidator }>>> = {
  'server-metrics.1.0': () => import('../generated/validators/server-metrics.1.0.js'),
  'server-metrics.legacy': () => import('../generated/validators/server-metrics.legacy.js'),
  'server-metrics-record': () => import('../generated/validators/server-metrics-record.js'),
  'profile-export.1.0': () => import('../generated/validators/profile-export.1.0.js'),
  'profile-export.1.1': () => import('../generated/validators/profile-export.1.1.js'),
  'profile-export.1.2': () => import('../generated/validators/profile-export.1.2.js'),
  'profile-export.1.3': () => import('../generated/validators/profile-export.1.3.js'),
  'profile-record': () => import('../generated/validators/profile-record.js'),
  'profile-timeslices.1.0': () => import('../generated/validators/profile-timeslices.1.0.js'),
  'profile-aggregate.1.0': () => import('../generated/validators/profile-aggregate.1.0.js'),
  'profile-collated.1.0.0': () => import('../generated/validators/profile-collated.1.0.0.js'),
  'profile-sweep.1.0': () => import('../generated/validators/profile-sweep.1.0.js'),
};

export async function loadValidator(name: SchemaName): Promise<SchemaValidator> {
  return (await loaders[name]()).validate;
}

/** Reports every place where a document does not fit its schema. */
export function checkSchema(report: Report, validator: SchemaValidator, document: unknown): void {
  if (validator(document)) return;
  const errors = validator.errors ?? [];
  const mistyped = new Set(errors.filter(isTypeError).map(error => error.instancePath));
  // A text is no number, so there is nothing to say about its range.
  for (const error of errors)
    if (isTypeError(error) || !mistyped.has(error.instancePath)) reportError(report, error, document);
}

function isTypeError(error: SchemaError): boolean {
  return error.keyword === 'type' || error.keyword === 'int64';
}

function reportError(report: Report, error: SchemaError, document: unknown): void {
  const path = pathOf(error.instancePath, document);
  const explain = explanations[error.keyword];
  if (explain === null) return;
  const finding = explain?.(error) ?? {
    rule: 'field-value' as const,
    message: error.message ?? 'is not allowed',
  };
  report(finding.rule, [...path, ...(finding.below ?? [])], finding.message, finding.value);
}

interface Explanation {
  readonly rule: RuleId;
  readonly message: string;
  /** From the place of the error down to the place of the finding. */
  readonly below?: Path;
  readonly value?: unknown;
}

/** ajv's keywords in words. Null for those that only repeat what another error says. */
const explanations: Readonly<Record<string, ((error: SchemaError) => Explanation) | null>> = {
  if: null,
  oneOf: null,
  propertyNames: null,
  required: error => missing(error, String(error.params.missingProperty)),
  dependentRequired: error => ({
    rule: 'fields-together',
    message: `is missing although ${error.params.property} is there; ${list(error.params.deps, error.params.property)} come together`,
    below: [String(error.params.missingProperty)],
  }),
  type: error => wrong('field-type', error, `expected ${typeNames(error.schema)}`),
  int64: error =>
    wrong(
      'field-type',
      error,
      error.schema === 'nullable' ? 'expected an integer or null' : 'expected an integer',
    ),
  minimum: error => wrong('field-range', error, `expected ${error.schema} or more`),
  exclusiveMinimum: error => wrong('field-range', error, `expected more than ${error.schema}`),
  exclusiveMaximum: error => wrong('field-range', error, `expected less than ${error.schema}`),
  minItems: error => wrong('field-range', error, `expected ${error.schema} items`),
  maxItems: error => wrong('field-range', error, `expected ${error.schema} items`),
  items: error => wrong('field-range', error, `expected at most ${error.params.limit} items`),
  const: error => wrong('field-value', error, `expected ${JSON.stringify(error.schema)}`),
  enum: error => wrong('field-value', error, `expected one of ${(error.schema as unknown[]).join(', ')}`),
  discriminator: error => ({
    rule: error.params.tagValue === undefined ? 'field-missing' : 'field-value',
    message: `is ${shown(error.params.tagValue)}; expected ${error.parentSchema['x-pattern']}`,
    below: [String(error.params.tag)],
    value: error.params.tagValue,
  }),
  pattern: error => wrong('field-format', error, `expected ${error.parentSchema['x-pattern']}`),
};

function missing(error: SchemaError, name: string): Explanation {
  const properties = error.parentSchema.properties as Readonly<Record<string, unknown>> | undefined;
  const meaning = descriptionOf(properties?.[name]);
  return {
    rule: 'field-missing',
    message: `is missing${meaning ? `: ${meaning}` : ', but required here'}`,
    below: [name],
  };
}

/** "is X; expected Y: what the field is for." */
function wrong(rule: RuleId, error: SchemaError, expected: string): Explanation {
  const meaning = descriptionOf(error.parentSchema);
  const message = `is ${shown(error.data)}; ${expected}${meaning ? `: ${meaning}` : ''}`;
  return { rule, message, ...(isShort(error.data) ? { value: error.data } : {}) };
}

function descriptionOf(schema: unknown): string | undefined {
  const text = (schema as { readonly description?: unknown } | undefined)?.description;
  return typeof text === 'string' ? text : undefined;
}

function isShort(value: unknown): boolean {
  return typeof value !== 'object' && String(value).length <= 200;
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(shortened(value, 60));
}

function typeNames(types: unknown): string {
  const names = [types]
    .flat()
    .map(type => (type === 'null' ? 'null' : `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`));
  return names.join(' or ');
}

/** The field and those that come with it; of many only the first and the last. */
function list(dependents: unknown, property: unknown): string {
  const names = String(dependents)
    .split(',')
    .map(name => name.trim());
  const all = [String(property), ...names];
  return all.length <= 4 ? all.join(', ') : `the ${all.length} fields ${all[0]} … ${all.at(-1)}`;
}

/** A JSON pointer as a path. Whether a step is an index is for the document to say. */
function pathOf(pointer: string, document: unknown): Path {
  let at: unknown = document;
  return pointer
    .split('/')
    .slice(1)
    .map(step => {
      const key = step.replace(/~1/g, '/').replace(/~0/g, '~');
      const place = Array.isArray(at) ? Number(key) : key;
      at = (at as Record<string | number, unknown> | undefined)?.[place];
      return place;
    });
}
