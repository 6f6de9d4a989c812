/**
 * Distances of edges from both ends, as shares of the width. The grid is dense there, because mass may be
 * concentrated near an edge.
 */
const NEAR_EDGE = [0.001, 0.0025, 0.006, 0.015, 0.036, 0.087, 0.21];
/** Number of equally wide cells. */
const EVEN_CELLS = 14;
/** Distances of edges from the mean, in standard deviations. */
const AROUND_MEAN = Array.from({ length: 21 }, (_, at) => (at - 10) * 0.36);
/**
 * Distances of edges in the +Inf bucket from the last finite bound, as shares of the width, in geometric
 * progression.
 */
const TAIL = Array.from({ length: 32 }, (_, at) => 10 ** (-3 + (3 * (at + 1)) / 32));

/** Creates the cell edges of a bucket, denser at both ends and around the mean. */
export function createCellGrid(
  lower: number,
  upper: number,
  mean: number,
  deviation: number,
  isInf: boolean,
): Float64Array {
  const width = upper - lower;
  const edges = [lower, upper];
  for (const share of NEAR_EDGE) edges.push(lower + share * width, upper - share * width);
  for (let cell = 1; cell < EVEN_CELLS; cell += 1) edges.push(lower + (cell * width) / EVEN_CELLS);
  for (const step of AROUND_MEAN) edges.push(Math.min(Math.max(mean + step * deviation, lower), upper));
  if (isInf) for (const share of TAIL) edges.push(lower + share * width);
  return removeDuplicates(new Float64Array(edges).sort());
}

/** Removes repeated values from sorted edges, in place. */
function removeDuplicates(sorted: Float64Array): Float64Array {
  let kept = 1;
  for (const edge of sorted) {
    if (edge > sorted[kept - 1]!) {
      sorted[kept] = edge;
      kept += 1;
    }
  }
  return sorted.slice(0, kept);
}
