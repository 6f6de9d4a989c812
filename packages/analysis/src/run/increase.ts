import type { Buckets, Stats } from './statistics.ts';

/** Statistics of a series as in the export. The `increase` of a counter is a number, that of a histogram an object. */
interface ExportedStats {
  readonly resets?: number;
  readonly created_in_run?: boolean;
  readonly increase?: unknown;
  readonly increase_rate?: number;
  readonly total?: number;
  readonly rate?: number;
  /** Number of decreases of a counter that behaves like a gauge. */
  readonly decreases?: number;
}

/** The increase of a histogram: its statistics across resets, or from its creation in the run. */
export type HistogramIncrease = Stats & { readonly buckets?: Buckets | null };

/** Returns the increase of a histogram; undefined if it was neither reset nor created in the run. */
export function readHistogramIncrease({ increase }: ExportedStats): HistogramIncrease | undefined {
  return typeof increase === 'object' && increase !== null
    ? (increase as unknown as HistogramIncrease)
    : undefined;
}

/**
 * Returns the statistics of everything that happened in the period, which a run is judged by. For a series that was
 * reset or created in the run, the increase replaces `total`, `rate`, `count`, `sum` and the percentiles, which cover
 * only the difference between two samples. Rates then apply to the period, not to the age of the series. All other
 * statistics are those of the export. A counter that behaves like a gauge has no total and no rate. See
 * docs/decisions/0010-resets-and-increase.md.
 */
export function toPeriodStats(stats: Stats): Stats {
  const exported = stats as ExportedStats;
  if (isGaugeLike(stats)) return { decreases: stats.decreases! };
  const histogram = readHistogramIncrease(exported);
  if (histogram !== undefined) return toHistogramStats(stats, histogram);
  const increase = toNumber(exported.increase);
  const wasReset = exported.resets !== undefined || exported.created_in_run === true;
  if (increase === undefined || !wasReset) return stats;
  return withRate({ ...stats, total: increase }, 'rate', computeRate(exported, increase));
}

/** Reports whether a counter behaves like a gauge, so that its differences have no meaning. */
export function isGaugeLike(stats: Stats): boolean {
  return (stats as ExportedStats).decreases !== undefined;
}

/** Returns the rate over the period. Exports of older versions lack it; then, the time is `total` / `rate`. */
function computeRate({ increase_rate, total, rate }: ExportedStats, increase: number): number | undefined {
  if (increase_rate !== undefined) return increase_rate;
  return total && rate ? (increase * rate) / total : undefined;
}

function withRate(stats: Stats, name: string, rate: number | undefined): Stats {
  const { [name]: _, ...others } = stats;
  return rate === undefined ? others : { ...others, [name]: rate };
}

/** Reports whether the increase of a histogram replaces a statistic. */
function isReplaced(name: string): boolean {
  return /^(count|sum|avg|count_rate|sum_rate|p\d+_estimate|increase)$/.test(name);
}

function toHistogramStats(stats: Stats, { buckets: _, ...increase }: HistogramIncrease): Stats {
  const kept = Object.entries(stats).filter(([name]) => !isReplaced(name));
  return { ...Object.fromEntries(kept), ...increase };
}

function toNumber(value: unknown): number | undefined {
  // If the schema does not list a statistic, the JSON reader returns its integers as bigints.
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}
