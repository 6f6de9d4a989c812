import type { Sample } from './sample.ts';

/**
 * By row, whether its observations are known exactly: a single one is the interval's sum, and when all lie in one
 * bucket and their mean on one of its edges, they all equal that edge.
 */
export function exactRows(sample: Sample): Uint8Array {
  const { rows, start, active, size, sum, lower, upper, tolerance } = sample;
  const exact = new Uint8Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const first = start[row]!;
    const one = start[row + 1]! - first === 1;
    const bucket = active[first]!;
    const atLower = Math.abs(sum[row]! - size[row]! * lower[bucket]!) <= tolerance;
    const atUpper = Math.abs(sum[row]! - size[row]! * upper[bucket]!) <= tolerance;
    exact[row] = size[row] === 1 || (one && (atLower || atUpper)) ? 1 : 0;
  }
  return exact;
}
