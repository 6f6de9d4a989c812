/** Maximum sample size for which the probability is computed exactly, in n × m steps. */
const MAX_EXACT_SIZE = 10_000;
/** Number of terms of the limiting distribution, which converges fast. */
const TERMS = 100;

/**
 * Returns the probability that two samples of one distribution differ at least as much as these two: the p-value of the
 * two-sample Kolmogorov-Smirnov test, exact for samples of up to 10,000 values without ties.
 */
export function computeSameDistribution(first: readonly number[], second: readonly number[]): number {
  const distance = computeDistance(first, second);
  return Math.max(first.length, second.length) <= MAX_EXACT_SIZE
    ? computeExact(distance, first.length, second.length)
    : computeLimit(distance, first.length, second.length);
}

/** Returns the largest difference between the two empirical distribution functions. */
export function computeDistance(first: readonly number[], second: readonly number[]): number {
  const a = Float64Array.from(first).sort();
  const b = Float64Array.from(second).sort();
  let [i, j, distance] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i]!, b[j]!);
    while (i < a.length && a[i] === value) i++;
    while (j < b.length && b[j] === value) j++;
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length));
  }
  return distance;
}

/**
 * Counts the paths on the grid of both samples that stay below the distance (Hodges, "The significance probability of
 * the Smirnov two-sample test", 1958), as a probability in each step.
 */
function computeExact(distance: number, firstSize: number, secondSize: number): number {
  const m = Math.min(firstSize, secondSize);
  const n = Math.max(firstSize, secondSize);
  // Distances are multiples of 1 / (m × n): compare with the middle between two of them.
  const limit = (0.5 + Math.floor(distance * m * n - 1e-7)) / (m * n);
  const below = new Float64Array(n + 1);
  for (let j = 0; j <= n; j++) below[j] = j / n > limit ? 0 : 1;
  for (let i = 1; i <= m; i++) {
    const weight = i / (i + n);
    below[0] = i / m > limit ? 0 : weight * below[0]!;
    for (let j = 1; j <= n; j++)
      below[j] = Math.abs(i / m - j / n) > limit ? 0 : weight * below[j]! + below[j - 1]!;
  }
  return Math.min(1, Math.max(0, 1 - below[n]!));
}

/** Returns the probability of Kolmogorov's limiting distribution. */
function computeLimit(distance: number, firstSize: number, secondSize: number): number {
  const scaled = distance * Math.sqrt((firstSize * secondSize) / (firstSize + secondSize));
  if (scaled < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= TERMS; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * scaled * scaled);
  return Math.min(1, Math.max(0, sum));
}
