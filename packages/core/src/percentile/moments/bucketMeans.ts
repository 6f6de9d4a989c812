import type { Prior } from './prior.ts';
import type { Sample } from './sample.ts';

/** The normal equations of the bucket means: matrix (buckets squared, row by row) and right side. */
export interface NormalEquations {
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

/** The prior has at least this share of a mean's weight, or rounding would leave the equations without a solution. */
const LEAST_TRUST = 1e-12;

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
    const slack = Math.max(prior.slack[bucket]!, 1e-12);
    const trust = Math.max(1 / (slack * slack), LEAST_TRUST * matrix[bucket * size + bucket]!);
    matrix[bucket * size + bucket]! += trust;
    right[bucket]! += trust * prior.mean[bucket]!;
    for (let other = 0; other < bucket; other += 1) {
      matrix[other * size + bucket] = matrix[bucket * size + other]!;
    }
  }
  return { matrix, right };
}

/**
 * Moves `means` to the minimum between the buckets' edges: solves without edges first, then holds each mean that is
 * beyond an edge at that edge and solves for the others again.
 */
export function solveBounded(equations: NormalEquations, sample: Sample, means: Float64Array): void {
  const held = new Uint8Array(means.length);
  for (let found = true; found; ) {
    solveFree(equations, held, means);
    found = hold(sample, held, means);
  }
}

/** Holds means that are beyond an edge at that edge; false when there is none. */
function hold({ lower, upper }: Sample, held: Uint8Array, means: Float64Array): boolean {
  let found = false;
  for (let bucket = 0; bucket < means.length; bucket += 1) {
    const inside = Math.min(Math.max(means[bucket]!, lower[bucket]!), upper[bucket]!);
    if (held[bucket] === 1 || inside === means[bucket]) continue;
    means[bucket] = inside;
    held[bucket] = 1;
    found = true;
  }
  return found;
}

/** Solves for the means that are not held, by elimination (the matrix is positive definite). */
function solveFree({ matrix, right }: NormalEquations, held: Uint8Array, means: Float64Array): void {
  const size = means.length;
  const left = matrix.slice();
  const rest = right.slice();
  for (let row = 0; row < size; row += 1) {
    for (let other = 0; other < size; other += 1) {
      if (held[other] === 1) rest[row]! -= matrix[row * size + other]! * means[other]!;
    }
  }
  for (let pivot = 0; pivot < size; pivot += 1) {
    if (held[pivot] === 1) continue;
    for (let row = pivot + 1; row < size; row += 1) {
      if (held[row] === 1) continue;
      const factor = left[row * size + pivot]! / left[pivot * size + pivot]!;
      if (factor === 0) continue;
      for (let column = pivot; column < size; column += 1) {
        left[row * size + column]! -= factor * left[pivot * size + column]!;
      }
      rest[row]! -= factor * rest[pivot]!;
    }
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    if (held[row] === 1) continue;
    let value = rest[row]!;
    for (let column = row + 1; column < size; column += 1) {
      if (held[column] !== 1) value -= left[row * size + column]! * means[column]!;
    }
    means[row] = value / left[row * size + row]!;
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
