import { mean } from '../math.ts';

/** Returns, for each value, the mean of its segment. `starts` are the indices where a new segment starts. */
export function listSegmentMeans(values: readonly number[], starts: readonly number[]): number[] {
  const edges = [0, ...starts, values.length];
  return edges.slice(1).flatMap((end, i) => {
    const segment = values.slice(edges[i], end);
    const average = mean(segment);
    return segment.map(() => average);
  });
}
