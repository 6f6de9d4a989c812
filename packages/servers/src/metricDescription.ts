import type { MetricOverlap } from './serverDefinition.ts';

/** The meaning of a metric, and what to do if it changes. */
export interface MetricDescription extends MetricOverlap {
  readonly type: 'gauge' | 'counter' | 'histogram' | 'summary';
  readonly unit?: string;
  /** The direction of values that is better for users; `neither` by default. */
  readonly better?: 'higher' | 'lower' | 'neither';
  /** The meaning of the metric, in one or two sentences. */
  readonly meaning: string;
  /** The values that need attention, and what they show. */
  readonly watch?: string;
  /** The change that helps then. */
  readonly do?: string;
  /** The versions of the server that have the metric, in words, if `since` and `until` do not say it. */
  readonly versions?: string;
  /** The first version of the server that has the metric, if not all known ones do. */
  readonly since?: string;
  /** The last version of the server that has the metric, if newer ones do not. */
  readonly until?: string;
}
