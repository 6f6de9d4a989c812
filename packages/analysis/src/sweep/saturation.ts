import { isCertainlyBelow } from './estimate.ts';
import type { LoadGroup, LoadPoint } from './loadPoint.ts';

/** Throughput that grows by less than this share is not worth a longer latency. */
const MAX_GROWTH = 0.1;

/**
 * Finds the lowest load above which more load only adds latency: at every higher load, throughput is certainly less than 10%
 * higher, and latency certainly higher. Returns undefined if intervals do not show that.
 */
export function findSaturation<Point extends Pick<LoadPoint, 'estimates'>>(
  { points, loads }: Pick<LoadGroup<Point>, 'points' | 'loads'>,
  throughput: string,
  latency: string,
): { readonly point: Point; readonly load: number } | undefined {
  const isFlat = (from: Point, to: Point): boolean => {
    const [x, nextX] = [from.estimates[throughput], to.estimates[throughput]];
    const [y, nextY] = [from.estimates[latency], to.estimates[latency]];
    if (!x || !nextX || !y || !nextY || x.half === null || nextX.half === null) return false;
    return nextX.mean + nextX.half < (1 + MAX_GROWTH) * (x.mean - x.half) && isCertainlyBelow(y, nextY);
  };
  const index = points.findIndex(
    (point, i) => i < points.length - 1 && points.slice(i + 1).every(next => isFlat(point, next)),
  );
  return index === -1 ? undefined : { point: points[index]!, load: loads[index]! };
}
