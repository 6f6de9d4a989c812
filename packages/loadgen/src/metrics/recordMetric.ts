import type { Measure } from './measure.ts';

/** A metric of single requests: reference, section B1, "Record metrics". */
export interface RecordMetric {
  readonly tag: string;
  readonly unit: string;
  /** The value of one request that succeeded; several where a request has several, undefined where it has none. */
  readonly of: (measure: Measure) => number | readonly number[] | undefined;
  /** Whether more is better: so a goodput rule reads it. */
  readonly moreIsBetter?: true;
}
