/** Up to this many values NumPy adds in eight lanes; a longer range is halved first. */
const BLOCK = 128;
const LANES = 8;

/**
 * The sum of values in the order in which NumPy adds them. Needed where the last bit decides: AIPerf asks whether a
 * variance is exactly 0, and the mean of ten times 0.1 is 0.1 in one order and 0.09999999999999999 in another.
 */
export function pairwiseSum(values: ArrayLike<number>, from = 0, to: number = values.length): number {
  const length = to - from;
  if (length > BLOCK) {
    const half = Math.floor(length / 2);
    const middle = from + half - (half % LANES);
    return pairwiseSum(values, from, middle) + pairwiseSum(values, middle, to);
  }
  const laned = length < LANES ? 0 : length - (length % LANES);
  let total = laned > 0 ? sumOfLanes(values, from, from + laned) : 0;
  for (let at = from + laned; at < to; at += 1) total += values[at]!;
  return total;
}

function sumOfLanes(values: ArrayLike<number>, from: number, to: number): number {
  const lanes = new Float64Array(LANES);
  for (let at = from; at < to; at += LANES) {
    for (let lane = 0; lane < LANES; lane += 1) lanes[lane]! += values[at + lane]!;
  }
  const [a, b, c, d, e, f, g, h] = lanes as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return a + b + (c + d) + (e + f + (g + h));
}

/** The sample variance (ddof 1) as NumPy computes it; null for fewer than two values. */
export function sampleVariance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = pairwiseSum(values) / values.length;
  const squares = values.map(value => (value - mean) * (value - mean));
  return pairwiseSum(squares) / (values.length - 1);
}
