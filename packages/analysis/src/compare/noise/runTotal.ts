import type { SeriesType } from '../../run/series.ts';

/** The name, type and unit of a metric. */
export interface MetricKind {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
}

/** Statistics that add up over the run. */
const TOTALS: Readonly<Partial<Record<SeriesType, readonly string[]>>> = {
  counter: ['total', 'increase'],
  histogram: ['count', 'sum'],
  summary: ['count', 'sum'],
};

/** Names of client metrics that add up over the run, in contrast to counts per request. */
const CLIENT_TOTAL = /^total_|_gpu_energy$|(?<!token)_count$/;

/**
 * Reports whether a statistic adds up over the run. A total grows with the length of the run, and its noise is that
 * of its rate.
 */
export function isRunTotal({ name, type, unit }: MetricKind, stat: string): boolean {
  if (type !== 'client') return TOTALS[type]?.includes(stat) ?? false;
  return stat === 'avg' && CLIENT_TOTAL.test(name) && !unit?.includes('/');
}
