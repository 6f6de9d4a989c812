/** Returns the largest distance between a sample's distribution and a cumulative distribution function. */
export function computeDistance(sample: readonly number[], cdf: (x: number) => number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  let max = 0;
  sorted.forEach((x, index) => {
    const expected = cdf(x);
    max = Math.max(max, expected - index / sorted.length, (index + 1) / sorted.length - expected);
  });
  return max;
}

/** Returns the critical distance at 1% for a sample size (Kolmogorov-Smirnov test, asymptotic). */
export function computeCriticalDistance(size: number): number {
  return 1.628 / Math.sqrt(size);
}
