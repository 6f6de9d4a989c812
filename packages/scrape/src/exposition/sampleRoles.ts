import type { DeclaredType, Sample } from './exposition.ts';
import { parseNumber } from './number.ts';

/** A sample that a family of some type may have, told by what its name has behind the family's. */
export interface SampleRole {
  /** Grows only, so never NaN. */
  readonly notNaN?: true;
  /** Never below 0. */
  readonly nonNegative?: true;
  /** A number of observations: a whole number. */
  readonly isInteger?: true;
  readonly allowsExemplar?: true;
  /** The label that tells the samples of one metric apart, and what it says. */
  readonly label?: 'le' | 'quantile' | 'state';
  /** The only values it may have. */
  readonly values?: readonly number[];
}

const TIME: SampleRole = {};
const SUM: SampleRole = { notNaN: true, nonNegative: true };
const COUNT: SampleRole = { notNaN: true, nonNegative: true, isInteger: true };
const BUCKET: SampleRole = { ...COUNT, label: 'le', allowsExemplar: true };

/** OpenMetrics 1.0, "Metric Types": which samples each type has, by suffix. */
const ROLES: Readonly<Record<DeclaredType, ReadonlyMap<string, SampleRole>>> = {
  counter: new Map([
    ['_total', { ...SUM, allowsExemplar: true }],
    ['_created', TIME],
  ]),
  gauge: new Map([['', {}]]),
  unknown: new Map([['', {}]]),
  info: new Map([['_info', { values: [1] }]]),
  stateset: new Map([['', { label: 'state', values: [0, 1] }]]),
  summary: new Map([
    ['', { label: 'quantile', nonNegative: true }],
    ['_count', COUNT],
    ['_sum', SUM],
    ['_created', TIME],
  ]),
  histogram: new Map([
    ['_bucket', BUCKET],
    ['_count', COUNT],
    ['_sum', SUM],
    ['_created', TIME],
  ]),
  gaugehistogram: new Map([
    ['_bucket', BUCKET],
    ['_gcount', COUNT],
    ['_gsum', { notNaN: true }],
  ]),
};

/** The word of a TYPE line as a type; undefined when OpenMetrics 1.0 has none of that name. */
export function parseType(word: string): DeclaredType | undefined {
  return Object.hasOwn(ROLES, word) ? (word as DeclaredType) : undefined;
}

export function listTypes(): string {
  return Object.keys(ROLES).join(', ');
}

/** The names that the samples of a family may have. */
export function listSampleNames(family: string, type: DeclaredType): readonly string[] {
  return [...ROLES[type].keys()].map(suffix => family + suffix);
}

/** The label that tells apart samples which belong to one metric, such as `le` between buckets. */
export function findDistinguishingLabel(
  family: string,
  type: DeclaredType,
  sample: Sample,
): string | undefined {
  const label = findRole(family, type, sample)?.label;
  return label === 'state' ? family : label;
}

/** What a sample is in its family; undefined for one that has no place there. */
export function findRole(family: string, type: DeclaredType, sample: Sample): SampleRole | undefined {
  return ROLES[type].get(sample.name.slice(family.length));
}

/** Whether `findViolation` has nothing against a value. */
export function allowsValue({ notNaN, nonNegative, isInteger, values }: SampleRole, value: number): boolean {
  if (notNaN && Number.isNaN(value)) return false;
  if (nonNegative && value < 0) return false;
  if (isInteger && !Number.isInteger(value)) return false;
  return !values || values.includes(value);
}

/** Why a sample cannot be role of its family; undefined when it can. */
export function findViolation(family: string, type: DeclaredType, sample: Sample): string | undefined {
  const { value } = sample;
  const role = findRole(family, type, sample);
  if (!role) return `a ${type} has no such sample: ${sample.name}`;
  if (sample.exemplar && !role.allowsExemplar)
    return 'only buckets and the totals of counters have exemplars';
  const label = role.label && findLabelViolation(family, role.label, sample);
  if (label) return label;
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
    return findLabel(sample, family) === undefined ? `a state needs a label called ${family}` : undefined;
  }
  const text = findLabel(sample, label);
  const bound = text === undefined ? undefined : parseNumber(text);
  if (label === 'le') {
    const fits = bound !== undefined && !Number.isNaN(bound) && (bound !== Infinity || text === '+Inf');
    return fits ? undefined : `a bucket needs a number or +Inf in its label le, got ${text}`;
  }
  const fits = bound !== undefined && bound >= 0 && bound <= 1;
  return fits ? undefined : `a quantile needs a number from 0 to 1 in its label quantile, got ${text}`;
}

export function findLabel(sample: Sample, name: string): string | undefined {
  for (const label of sample.labels) if (label[0] === name) return label[1];
  return undefined;
}
