import type { Prior } from './prior.ts';
import type { Sample } from './sample.ts';

/** Normal equations of the bucket means: a square matrix in row-major order, and the right-hand side. */
export interface NormalEquations {
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

/** Minimum weight of the prior, relative to the diagonal, which keeps the matrix invertible despite rounding errors. */
const MIN_PRIOR_WEIGHT = 1e-12;

/**
 * Creates the normal equations for minimizing sum_i (s_i - sum_b c_ib mu_b)^2 / rho_i + sum_b (mu_b - m0_b)^2
 * / tau_b^2, where the sum s_i of interval i equals its counts c_ib times the bucket means mu_b with variance
 * rho_i.
 */
export function createNormalEquations(sample: Sample, prior: Prior, rho: Float64Array): NormalEquations {
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
    const deviation = Math.max(prior.meanDeviation[bucket]!, 1e-12);
    const priorWeight = Math.max(
      1 / (deviation * deviation),
      MIN_PRIOR_WEIGHT * matrix[bucket * size + bucket]!,
    );
    matrix[bucket * size + bucket]! += priorWeight;
    right[bucket]! += priorWeight * prior.mean[bucket]!;
    for (let other = 0; other < bucket; other += 1) {
      matrix[other * size + bucket] = matrix[bucket * size + other]!;
    }
  }
  return { matrix, right };
}

/**
 * Sets `means` to the solution of the normal equations with each mean within the edges of its bucket: solves
 * without constraints, fixes means that are outside their bucket at the nearest edge, and repeats for the
 * other means.
 */
export function solveBoundedMeans(equations: NormalEquations, sample: Sample, means: Float64Array): void {
  const isFixed = new Uint8Array(means.length);
  for (let hasChanged = true; hasChanged; ) {
    solveFree(equations, isFixed, means);
    hasChanged = fixAtEdges(sample, isFixed, means);
  }
}

/** Fixes means that are outside their bucket at the nearest edge. Returns true if any mean was fixed. */
function fixAtEdges({ lower, upper }: Sample, isFixed: Uint8Array, means: Float64Array): boolean {
  let hasChanged = false;
  for (let bucket = 0; bucket < means.length; bucket += 1) {
    const clamped = Math.min(Math.max(means[bucket]!, lower[bucket]!), upper[bucket]!);
    if (isFixed[bucket] === 1 || clamped === means[bucket]) continue;
    means[bucket] = clamped;
    isFixed[bucket] = 1;
    hasChanged = true;
  }
  return hasChanged;
}

/** Solves for the means that are not fixed, by Gaussian elimination. The matrix is positive definite. */
function solveFree(equations: NormalEquations, isFixed: Uint8Array, means: Float64Array): void {
  const free: number[] = [];
  for (let bucket = 0; bucket < means.length; bucket += 1) if (isFixed[bucket] !== 1) free.push(bucket);
  const { matrix, right } = selectFree(equations, isFixed, means, free);
  const size = free.length;
  for (let pivot = 0; pivot < size; pivot += 1) {
    const pivotStart = pivot * size;
    const diagonal = matrix[pivotStart + pivot]!;
    for (let row = pivot + 1; row < size; row += 1) {
      const start = row * size;
      const factor = matrix[start + pivot]! / diagonal;
      if (factor === 0) continue;
      for (let column = pivot + 1; column < size; column += 1)
        matrix[start + column]! -= factor * matrix[pivotStart + column]!;
      right[row]! -= factor * right[pivot]!;
    }
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    const start = row * size;
    let value = right[row]!;
    for (let column = row + 1; column < size; column += 1)
      value -= matrix[start + column]! * means[free[column]!]!;
    means[free[row]!] = value / matrix[start + row]!;
  }
}

/** Returns the equations of the free means, with the terms of the fixed means on the right-hand side. */
function selectFree(
  { matrix, right }: NormalEquations,
  isFixed: Uint8Array,
  means: Float64Array,
  free: readonly number[],
): NormalEquations {
  const size = means.length;
  if (free.length === size) return { matrix: matrix.slice(), right: right.slice() };
  const freeMatrix = new Float64Array(free.length * free.length);
  const freeRight = new Float64Array(free.length);
  for (let row = 0; row < free.length; row += 1) {
    const start = free[row]! * size;
    let value = right[free[row]!]!;
    for (let other = 0; other < size; other += 1)
      if (isFixed[other] === 1) value -= matrix[start + other]! * means[other]!;
    freeRight[row] = value;
    for (let column = 0; column < free.length; column += 1)
      freeMatrix[row * free.length + column] = matrix[start + free[column]!]!;
  }
  return { matrix: freeMatrix, right: freeRight };
}

/**
 * Computes the variance of the first bucket's mean, which is the first element of the inverse matrix, by
 * eliminating the last rows first.
 */
export function computeFirstVariance({ matrix, right }: NormalEquations): number {
  const size = right.length;
  const reduced = matrix.slice();
  for (let pivot = size - 1; pivot > 0; pivot -= 1) {
    const diagonal = reduced[pivot * size + pivot]!;
    for (let row = 0; row < pivot; row += 1) {
      const factor = reduced[row * size + pivot]! / diagonal;
      for (let column = 0; column <= pivot; column += 1) {
        reduced[row * size + column]! -= factor * reduced[pivot * size + column]!;
      }
    }
  }
  return 1 / reduced[0]!;
}
