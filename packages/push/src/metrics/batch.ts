import type { MetricDefinition } from './definition.ts';

/** Attributes in OpenTelemetry, labels in Prometheus. */
export type Labels = Readonly<Record<string, string>>;

/** A histogram with the number of observations of each bucket. The last bucket has no upper bound. */
export interface HistogramValue {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}

/** A value of a metric. */
export interface Point {
  readonly labels: Labels;
  readonly value: number | HistogramValue;
}

/** A metric and its values at one time. */
export interface Family {
  readonly definition: MetricDefinition;
  readonly points: readonly Point[];
}

/** Values that are sent together. */
export interface Batch {
  /** The run, and the labels of the user. They apply to all points. */
  readonly run: RunIdentity;
  /** Time of the values, in milliseconds since 1970. */
  readonly timeMs: number;
  readonly families: readonly Family[];
  /**
   * True if the series have ended. The points have their last values, and are sent as markers without a value, so that
   * monitoring systems do not show the last values any longer.
   */
  readonly isEnd?: boolean;
}

/** The run that values belong to. */
export interface RunIdentity {
  readonly runId: string;
  /** Start of the run, in milliseconds since 1970. */
  readonly startMs: number;
  readonly version: string;
  /** The model and the operation, if they are known. */
  readonly labels: Labels;
  /** The labels that the user added, without secrets. */
  readonly userLabels: Labels;
}

/** Reports whether a value is a histogram. */
export function isHistogram(value: Point['value']): value is HistogramValue {
  return typeof value !== 'number';
}

/** Counts the points of a batch. */
export function countPoints({ families }: Pick<Batch, 'families'>): number {
  return families.reduce((sum, { points }) => sum + points.length, 0);
}

/** Creates a family with one point without labels; no family if the value is unknown. */
export function createFamily(
  definition: MetricDefinition,
  value: Point['value'] | undefined,
  labels: Labels = {},
): Family[] {
  return value === undefined ? [] : [{ definition, points: [{ labels, value }] }];
}

/** Joins families of the same metric. */
export function joinFamilies(families: readonly Family[]): Family[] {
  const joined = new Map<MetricDefinition, Point[]>();
  for (const { definition, points } of families) {
    const list = joined.get(definition) ?? [];
    joined.set(definition, list);
    list.push(...points);
  }
  return [...joined].map(([definition, points]) => ({ definition, points }));
}
