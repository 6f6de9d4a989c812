import { compareWithLimit, isCertainlyBelow } from './estimate.ts';
import type { LoadPoint } from './loadPoint.ts';

/** A limit of a latency, such as 200 for `time_to_first_token_p99`. */
export interface LatencyLimit {
  readonly metric: string;
  /** In the unit of the metric. */
  readonly value: number;
}

/** The relation of a point to limits; undecided if a limit is within an interval. */
export type LimitVerdict = 'kept' | 'missed' | 'undecided';

/** The share of requests above a percentile. More failed requests than that mean that the percentile of all requests is unknown. */
const MAX_FAILED: Readonly<Record<string, number>> = { p50: 0.5, p90: 0.1, p95: 0.05, p99: 0.01, avg: 0.01 };

/**
 * Judges a point by limits. A failed request has no latency and keeps no limit, so that a point with too many failures misses
 * a percentile.
 */
export function judgePoint(
  { estimates, failedShare }: Pick<LoadPoint, 'estimates' | 'failedShare'>,
  limits: readonly LatencyLimit[],
): LimitVerdict {
  const verdicts = limits.map(({ metric, value }): LimitVerdict => {
    const stat = metric.slice(metric.lastIndexOf('_') + 1);
    if (failedShare !== null && failedShare > (MAX_FAILED[stat] ?? 0)) return 'missed';
    const estimate = estimates[metric];
    if (!estimate) return 'undecided';
    const side = compareWithLimit(estimate, value);
    return side === 'below' ? 'kept' : side === 'above' ? 'missed' : 'undecided';
  });
  if (verdicts.includes('missed')) return 'missed';
  return verdicts.length === 0 || verdicts.includes('undecided') ? 'undecided' : 'kept';
}

/** The point with the most throughput among those that keep limits, or why it is unknown. */
export interface BestWithinLimits<Point> {
  readonly outcome: 'best' | 'none' | 'undecided';
  /** The best point, or the one that may be the best: the kept point with the highest mean. */
  readonly best?: Point;
  /** The points that may be better than the best one: their throughput is not certainly lower, and they may keep the limits. */
  readonly rivals: readonly Point[];
}

/** Finds the point with the most throughput within limits. It is only the best if the intervals of all others exclude them. */
export function findBestWithinLimits<Point extends Pick<LoadPoint, 'estimates' | 'failedShare'>>(
  points: readonly Point[],
  throughput: string,
  limits: readonly LatencyLimit[],
): BestWithinLimits<Point> {
  const judged = points
    .map(point => ({ point, verdict: judgePoint(point, limits) }))
    .filter(({ point, verdict }) => verdict !== 'missed' && point.estimates[throughput]);
  if (judged.length === 0) return { outcome: 'none', rivals: [] };
  const byThroughput = (a: (typeof judged)[number], b: (typeof judged)[number]): number =>
    b.point.estimates[throughput]!.mean - a.point.estimates[throughput]!.mean;
  const best = judged.filter(({ verdict }) => verdict === 'kept').sort(byThroughput)[0]?.point;
  const rivals = judged
    .sort(byThroughput)
    .map(({ point }) => point)
    .filter(
      point =>
        point !== best &&
        !(best && isCertainlyBelow(point.estimates[throughput]!, best.estimates[throughput]!)),
    );
  if (!best) return { outcome: 'undecided', rivals };
  return { outcome: rivals.length === 0 ? 'best' : 'undecided', best, rivals };
}
