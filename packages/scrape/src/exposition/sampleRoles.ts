import type { DeclaredType, Sample } from './exposition.ts';
import { parseNumber } from './number.ts';

/** The role of a sample in its family, determined by the suffix of its name. */
export interface SampleRole {
  /** Must not be NaN, because it only increases. */
  readonly notNaN?: true;
  /** Must not be negative. */
  readonly nonNegative?: true;
  /** Must be an integer, because it counts observations. */
  readonly isInteger?: true;
  readonly allowsExemplar?: true;
  /** The label that distinguishes the samples of one metric. */
  readonly label?: 'le' | 'quantile' | 'state';
  /** The allowed values, if restricted. */
  readonly values?: readonly number[];
}

const TIME: SampleRole = {};
const SUM: SampleRole = { notNaN: true, nonNegative: true };
const COUNT: SampleRole = { notNaN: true, nonNegative: true, isInteger: true };
const BUCKET: SampleRole = { ...COUNT, label: 'le', allowsExemplar: true };

/** The samples of each type, by suffix (OpenMetrics 1.0, "Metric Types"). */
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

/** Parses the type of a TYPE line; undefined if OpenMetrics 1.0 does not define it. */
export function parseType(word: string): DeclaredType | undefined {
  return Object.hasOwn(ROLES, word) ? (word as DeclaredType) : undefined;
}

export function listTypes(): string {
  return Object.keys(ROLES).join(', ');
}

/** Returns the possible sample names of a family. */
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

/** Returns the role of a sample in its family; undefined if its name does not fit. */
export function findRole(family: string, type: DeclaredType, sample: Sample): SampleRole | undefined {
  return ROLES[type].get(sample.name.slice(family.length));
}

/** Reports whether a value is allowed for a role, like `findViolation` without a message. */
export function allowsValue({ notNaN, nonNegative, isInteger, values }: SampleRole, value: number): boolean {
  if (notNaN && Number.isNaN(value)) return false;
  if (nonNegative && value < 0) return false;
  if (isInteger && !Number.isInteger(value)) return false;
  return !values || values.includes(value);
}

/** Describes why a sample does not fit its family; undefined if it does. */
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
