/** One candidate: of two objectives one is to be large and one small. */
export interface Tradeoff {
  /** More of it is better, such as throughput. */
  readonly more: number;
  /** Less of it is better, such as latency. */
  readonly less: number;
}

/**
 * The points that no other surpasses: none has at least as much of the one and at most as much of the other, and one of both
 * strictly (Pareto optimal). Indices in the order of `points`; points that are alike stand or fall together.
 */
export function findParetoPoints(points: readonly Tradeoff[]): number[] {
  return points.flatMap((point, at) => (points.some(other => surpasses(other, point)) ? [] : [at]));
}

function surpasses(other: Tradeoff, point: Tradeoff): boolean {
  if (other.more < point.more || other.less > point.less) return false;
  return other.more > point.more || other.less < point.less;
}
