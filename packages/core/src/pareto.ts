/** A point with two objectives: one to maximize and one to minimize. */
export interface Tradeoff {
  /** The objective to maximize, such as throughput. */
  readonly maximized: number;
  /** The objective to minimize, such as latency. */
  readonly minimized: number;
}

/**
 * Finds the Pareto-optimal points: those that no other point dominates by being at least as good in both
 * objectives and better in one. Returns indices in the order of `points`; equal points are all included or all
 * left out.
 */
export function findParetoPoints(points: readonly Tradeoff[]): number[] {
  return points.flatMap((point, at) => (points.some(other => dominates(other, point)) ? [] : [at]));
}

function dominates(other: Tradeoff, point: Tradeoff): boolean {
  if (other.maximized < point.maximized || other.minimized > point.minimized) return false;
  return other.maximized > point.maximized || other.minimized < point.minimized;
}
