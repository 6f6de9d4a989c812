import type { BucketEdges } from '../edges.ts';
import type { Intervals } from '../intervals.ts';

/** A first bucket without a lower edge gets one, far enough down for what the sum says of its mean. */
export function withFiniteStart(edges: BucketEdges, intervals: Intervals): BucketEdges {
  const { lower, upper } = edges;
  if (Number.isFinite(lower[0]!)) return edges;
  const totals = new Float64Array(upper.length);
  intervals.bucket.forEach((bucket, at) => {
    totals[bucket]! += intervals.count[at]!;
  });
  let rest = intervals.sum.reduce((all, sum) => all + sum, 0);
  for (let bucket = 1; bucket < upper.length; bucket += 1) {
    const top = Number.isFinite(upper[bucket]!) ? upper[bucket]! : lower[bucket]!;
    rest -= (totals[bucket]! * (lower[bucket]! + top)) / 2;
  }
  const edge = upper[0]!;
  const width = Math.max(
    Number.isFinite(upper[1]!) ? upper[1]! - edge : 0,
    0.1 * Math.abs(edge),
    Number.MIN_VALUE,
  );
  const mean = totals[0]! > 0 ? rest / totals[0]! : edge;
  const start = lower.slice();
  start[0] = edge - Math.max(3 * (edge - mean), width);
  return { ...edges, lower: start };
}
