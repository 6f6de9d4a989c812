/** Maximum number of values that NumPy adds in eight lanes. Longer ranges are split in half. */
const BLOCK = 128;
const LANES = 8;

/**
 * Sums values in the same order as NumPy. The last bit matters because AIPerf compares variances with 0: the
 * mean of ten times 0.1 is 0.1 in one order and 0.09999999999999999 in another.
 */
export function computePairwiseSum(values: ArrayLike<number>, from = 0, to: number = values.length): number {
  const length = to - from;
  if (length > BLOCK) {
    const half = Math.floor(length / 2);
    const middle = from + half - (half % LANES);
    return computePairwiseSum(values, from, middle) + computePairwiseSum(values, middle, to);
  }
  const lanedLength = length < LANES ? 0 : length - (length % LANES);
  let total = lanedLength > 0 ? sumLanes(values, from, from + lanedLength) : 0;
  for (let at = from + lanedLength; at < to; at += 1) total += values[at]!;
  return total;
}

function sumLanes(values: ArrayLike<number>, from: number, to: number): number {
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

/** Computes the sample variance (ddof 1) like NumPy; null for fewer than two values. */
export function computeSampleVariance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = computePairwiseSum(values) / values.length;
  const squares = values.map(value => (value - mean) * (value - mean));
  return computePairwiseSum(squares) / (values.length - 1);
}
