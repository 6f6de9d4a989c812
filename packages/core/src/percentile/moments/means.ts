import type { Prior } from './prior.ts';
import type { Sample } from './sample.ts';

/** The normal equations of the bucket means: matrix (buckets squared, row by row) and right side. */
export interface NormalEquations {
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

const MAX_SWEEPS = 100;
const SWEEP_TOLERANCE = 1e-8;

/**
 * Of minimising sum_i (s_i - sum_b c_ib mu_b)^2 / rho_i + sum_b (mu_b - m0_b)^2 / tau_b^2: each interval's sum is
 * the counts times the means, off by what its variance rho_i allows.
 */
export function normalEquations(sample: Sample, prior: Prior, rho: Float64Array): NormalEquations {
  const { rows, start, active, count, sum } = sample;
  const size = sample.bucket.length;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let row = 0; row < rows; row += 1) {
    const weight = 1 / rho[row]!;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      const weighted = weight * count[at]!;
      const base = active[at]! * size;
      right[active[at]!]! += weighted * sum[row]!;
      for (let other = start[row]!; other <= at; other += 1) {
        matrix[base + active[other]!]! += weighted * count[other]!;
      }
    }
  }
  for (let bucket = 0; bucket < size; bucket += 1) {
    const trust = 1 / Math.max(prior.slack[bucket]!, 1e-12) ** 2;
    matrix[bucket * size + bucket]! += trust;
    right[bucket]! += trust * prior.mean[bucket]!;
    for (let other = 0; other < bucket; other += 1) {
      matrix[other * size + bucket] = matrix[bucket * size + other]!;
    }
  }
  return { matrix, right };
}

/** Moves `means` to the minimum between the buckets' edges, one mean after the other until all stand still. */
export function solveBounded({ matrix, right }: NormalEquations, sample: Sample, means: Float64Array): void {
  const size = means.length;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    let moved = 0;
    for (let bucket = 0; bucket < size; bucket += 1) {
      let gradient = right[bucket]!;
      for (let other = 0; other < size; other += 1)
        gradient -= matrix[bucket * size + other]! * means[other]!;
      const before = means[bucket]!;
      const free = before + gradient / matrix[bucket * size + bucket]!;
      const after = Math.min(Math.max(free, sample.lower[bucket]!), sample.upper[bucket]!);
      means[bucket] = after;
      moved = Math.max(moved, Math.abs(after - before) / Math.max(Math.abs(after), 1e-9));
    }
    if (moved < SWEEP_TOLERANCE) return;
  }
}

/** The variance of the first bucket's mean: the first element of the matrix' inverse, by elimination from below. */
export function varianceOfFirst({ matrix, right }: NormalEquations): number {
  const size = right.length;
  const left = matrix.slice();
  for (let pivot = size - 1; pivot > 0; pivot -= 1) {
    const diagonal = left[pivot * size + pivot]!;
    for (let row = 0; row < pivot; row += 1) {
      const factor = left[row * size + pivot]! / diagonal;
      for (let column = 0; column <= pivot; column += 1) {
        left[row * size + column]! -= factor * left[pivot * size + column]!;
      }
    }
  }
  return 1 / left[0]!;
}
