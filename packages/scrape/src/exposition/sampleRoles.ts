import type { DeclaredType, Sample } from './exposition.ts';
import { parseNumber } from './number.ts';

/** Constraints on a sample, determined by the type of its family and the suffix of its name. */
export interface SampleRole {
  /** The value must not be NaN. */
  readonly notNaN?: true;
  /** The value must not be negative. */
  readonly nonNegative?: true;
  /** The value must be an integer, because it is a number of observations. */
  readonly isInteger?: true;
  readonly allowsExemplar?: true;
  /**
   * The label that distinguishes the samples of one metric. `state`: the label with the name of the family.
   */
  readonly label?: 'le' | 'quantile' | 'state';
  /** The allowed values; undefined if all values are allowed. */
  readonly values?: readonly number[];
}

const CREATION_TIME: SampleRole = {};
const SUM: SampleRole = { notNaN: true, nonNegative: true };
const COUNT: SampleRole = { notNaN: true, nonNegative: true, isInteger: true };
const BUCKET: SampleRole = { ...COUNT, label: 'le', allowsExemplar: true };

/** The sample roles of each type, by name suffix (OpenMetrics 1.0, "Metric Types"). */
const ROLES: Readonly<Record<DeclaredType, ReadonlyMap<string, SampleRole>>> = {
  counter: new Map([
    ['_total', { ...SUM, allowsExemplar: true }],
    ['_created', CREATION_TIME],
  ]),
  gauge: new Map([['', {}]]),
  unknown: new Map([['', {}]]),
  info: new Map([['_info', { values: [1] }]]),
  stateset: new Map([['', { label: 'state', values: [0, 1] }]]),
  summary: new Map([
    ['', { label: 'quantile', nonNegative: true }],
    ['_count', COUNT],
    ['_sum', SUM],
    ['_created', CREATION_TIME],
  ]),
  histogram: new Map([
    ['_bucket', BUCKET],
    ['_count', COUNT],
    ['_sum', SUM],
    ['_created', CREATION_TIME],
  ]),
  gaugehistogram: new Map([
    ['_bucket', BUCKET],
    ['_gcount', COUNT],
    ['_gsum', { notNaN: true }],
  ]),
};

/** Parses the type of a TYPE line. Returns undefined if OpenMetrics 1.0 does not define the type. */
export function parseType(word: string): DeclaredType | undefined {
  return Object.hasOwn(ROLES, word) ? (word as DeclaredType) : undefined;
}

/** Returns all types, separated by commas, for messages. */
export function listTypes(): string {
  return Object.keys(ROLES).join(', ');
}

/** Returns the sample names that a family of this type may have. */
export function listSampleNames(family: string, type: DeclaredType): readonly string[] {
  return [...ROLES[type].keys()].map(suffix => family + suffix);
}

/** Returns the label that distinguishes the samples of one metric, such as `le` for buckets. */
export function findDistinguishingLabel(
  family: string,
  type: DeclaredType,
  sample: Sample,
): string | undefined {
  const label = findRole(family, type, sample)?.label;
  return label === 'state' ? family : label;
}

/** Returns the role of a sample in its family; undefined if the type does not allow its name. */
export function findRole(family: string, type: DeclaredType, sample: Sample): SampleRole | undefined {
  return ROLES[type].get(sample.name.slice(family.length));
}

/**
 * Reports whether a role allows a value. Makes the same value checks as `findViolation`, but creates no
 * message.
 */
export function allowsValue({ notNaN, nonNegative, isInteger, values }: SampleRole, value: number): boolean {
  if (notNaN && Number.isNaN(value)) return false;
  if (nonNegative && value < 0) return false;
  if (isInteger && !Number.isInteger(value)) return false;
  return !values || values.includes(value);
}

/** Describes the first violation of a sample against the rules of its family; undefined if there is none. */
export function findViolation(family: string, type: DeclaredType, sample: Sample): string | undefined {
  const { value } = sample;
  const role = findRole(family, type, sample);
  if (!role) return `a ${type} has no such sample: ${sample.name}`;
  if (sample.exemplar && !role.allowsExemplar)
    return 'only buckets and the totals of counters have exemplars';
  const labelViolation = role.label && findLabelViolation(family, role.label, sample);
  if (labelViolation) return labelViolation;
  if (role.notNaN && Number.isNaN(value)) return `${sample.name} cannot be NaN`;
  if (role.nonNegative && value < 0) return `${sample.name} cannot be negative`;
  if (role.isInteger && !Number.isInteger(value)) return `${sample.name} must be a whole number`;
  if (role.values && !role.values.includes(value))
    return `${sample.name} must be ${role.values.join(' or ')}`;
  return undefined;
}

function findLabelViolation(
  family: string,
  label: 'le' | 'quantile' | 'state',
  sample: Sample,
): string | undefined {
  if (label === 'state') {
    return findLabel(sample, family) === undefined
      ? `a stateset sample needs the label ${family}`
      : undefined;
  }
  const text = findLabel(sample, label);
  const bound = text === undefined ? undefined : parseNumber(text);
  if (label === 'le') {
    const isValid = bound !== undefined && !Number.isNaN(bound) && (bound !== Infinity || text === '+Inf');
    return isValid ? undefined : `a bucket needs a number or +Inf in its label le, got ${text}`;
  }
  const isValid = bound !== undefined && bound >= 0 && bound <= 1;
  return isValid ? undefined : `a quantile needs a number from 0 to 1 in its label quantile, got ${text}`;
}

/** Returns the value of a label; undefined if the sample does not have the label. */
export function findLabel(sample: Sample, name: string): string | undefined {
  for (const label of sample.labels) if (label[0] === name) return label[1];
  return undefined;
}
