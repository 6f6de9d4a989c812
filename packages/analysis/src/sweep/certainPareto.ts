import { isCertainlyBelow } from './estimate.ts';
import type { LoadPoint } from './loadPoint.ts';

/**
 * Finds the points that are Pareto-optimal for certain: every other point has certainly less throughput or certainly more
 * latency, which requires intervals that do not overlap. Empty for fewer than two points.
 */
export function findCertainParetoPoints<Point extends Pick<LoadPoint, 'estimates'>>(
  points: readonly Point[],
  throughput: string,
  latency: string,
): Point[] {
  const measured = points.filter(({ estimates }) => estimates[throughput] && estimates[latency]);
  if (measured.length < 2) return [];
  return measured.filter(point =>
    measured.every(
      other =>
        other === point ||
        isCertainlyBelow(other.estimates[throughput]!, point.estimates[throughput]!) ||
        isCertainlyBelow(point.estimates[latency]!, other.estimates[latency]!),
    ),
  );
}
