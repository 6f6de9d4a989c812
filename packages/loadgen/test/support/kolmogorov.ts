/** Largest distance between the distribution of a sample and a cumulative distribution function. */
export function distance(sample: readonly number[], cdf: (x: number) => number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  let most = 0;
  sorted.forEach((x, index) => {
    const expected = cdf(x);
    most = Math.max(most, expected - index / sorted.length, (index + 1) / sorted.length - expected);
  });
  return most;
}

/** What the distance of a sample of this size exceeds once in a hundred times (Kolmogorov-Smirnov, asymptotic). */
export function critical(size: number): number {
  return 1.628 / Math.sqrt(size);
}
