import type { DeclaredType, Sample } from './exposition.ts';
import { numberOf } from './number.ts';

/** A sample that a family of some type may have, told by what its name has behind the family's. */
export interface Part {
  /** Grows only, so never NaN. */
  readonly counts?: true;
  /** Never below 0. */
  readonly positive?: true;
  /** A number of observations: a whole number. */
  readonly whole?: true;
  readonly exemplar?: true;
  /** The label that tells the samples of one metric apart, and what it says. */
  readonly label?: 'le' | 'quantile' | 'state';
  /** The only values it may have. */
  readonly values?: readonly number[];
}

const TIME: Part = {};
const SUM: Part = { counts: true, positive: true };
const COUNT: Part = { counts: true, positive: true, whole: true };
const BUCKET: Part = { ...COUNT, label: 'le', exemplar: true };

/** OpenMetrics 1.0, "Metric Types": which samples each type has, by suffix. */
const PARTS: Readonly<Record<DeclaredType, ReadonlyMap<string, Part>>> = {
  counter: new Map([
    ['_total', { ...SUM, exemplar: true }],
    ['_created', TIME],
  ]),
  gauge: new Map([['', {}]]),
  unknown: new Map([['', {}]]),
  info: new Map([['_info', { values: [1] }]]),
  stateset: new Map([['', { label: 'state', values: [0, 1] }]]),
  summary: new Map([
    ['', { label: 'quantile', positive: true }],
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
    ['_gsum', { counts: true }],
  ]),
};

/** The word of a TYPE line as a type; undefined when OpenMetrics 1.0 has none of that name. */
export function typeNamed(word: string): DeclaredType | undefined {
  return Object.hasOwn(PARTS, word) ? (word as DeclaredType) : undefined;
}

export function typeNames(): string {
  return Object.keys(PARTS).join(', ');
}

/** The names that the samples of a family may have. */
export function memberNames(family: string, type: DeclaredType): readonly string[] {
  return [...PARTS[type].keys()].map(suffix => family + suffix);
}

/** The label that tells apart samples which belong to one metric, such as `le` between buckets. */
export function partLabel(family: string, type: DeclaredType, sample: Sample): string | undefined {
  const label = partOf(family, type, sample)?.label;
  return label === 'state' ? family : label;
}

/** What a sample is in its family; undefined for one that has no place there. */
export function partOf(family: string, type: DeclaredType, sample: Sample): Part | undefined {
  return PARTS[type].get(sample.name.slice(family.length));
}

/** Whether `misfit` has nothing against a value. */
export function allowsValue({ counts, positive, whole, values }: Part, value: number): boolean {
  if (counts && Number.isNaN(value)) return false;
  if (positive && value < 0) return false;
  if (whole && !Number.isInteger(value)) return false;
  return !values || values.includes(value);
}

/** Why a sample cannot be part of its family; undefined when it can. */
export function misfit(family: string, type: DeclaredType, sample: Sample): string | undefined {
  const { value } = sample;
  const part = partOf(family, type, sample);
  if (!part) return `a ${type} has no such sample: ${sample.name}`;
  if (sample.exemplar && !part.exemplar) return 'only buckets and the totals of counters have exemplars';
  const label = part.label && labelMisfit(family, part.label, sample);
  if (label) return label;
  if (part.counts && Number.isNaN(value)) return `${sample.name} cannot be NaN`;
  if (part.positive && value < 0) return `${sample.name} cannot be negative`;
  if (part.whole && !Number.isInteger(value)) return `${sample.name} must be a whole number`;
  if (part.values && !part.values.includes(value))
    return `${sample.name} must be ${part.values.join(' or ')}`;
  return undefined;
}

function labelMisfit(family: string, label: 'le' | 'quantile' | 'state', sample: Sample): string | undefined {
  if (label === 'state') {
    return labelOf(sample, family) === undefined ? `a state needs a label called ${family}` : undefined;
  }
  const text = labelOf(sample, label);
  const bound = text === undefined ? undefined : numberOf(text);
  if (label === 'le') {
    const fits = bound !== undefined && !Number.isNaN(bound) && (bound !== Infinity || text === '+Inf');
    return fits ? undefined : `a bucket needs a number or +Inf in its label le, got ${text}`;
  }
  const fits = bound !== undefined && bound >= 0 && bound <= 1;
  return fits ? undefined : `a quantile needs a number from 0 to 1 in its label quantile, got ${text}`;
}

export function labelOf(sample: Sample, name: string): string | undefined {
  for (const label of sample.labels) if (label[0] === name) return label[1];
  return undefined;
}
