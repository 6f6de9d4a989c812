import type { Sample } from './sample.ts';

/** Buckets with less than this share say nothing about dispersion. */
const LEAST_SHARE = 0.01;
const LEAST_ROWS = 5;
/** Standard errors from which a finding is believed. */
const BELIEVED = 2.5;
export const MOST_CORRELATION = 0.98;

/**
 * How alike the observations of one interval are (0 to 1): from how much more the bucket counts of intervals differ
 * than chance has it. Pearson's chi^2 over its degrees of freedom is 1 + (n - 1) r.
 */
export function correlationOfCounts(sample: Sample): number {
  const share = sample.total.map(count => count / sample.observations);
  const common = share.map(part => (part > LEAST_SHARE ? 1 : 0));
  const freedom = common.reduce((all, one) => all + one, 0) - 1;
  if (freedom < 1) return 0;
  const inCommon = share.reduce((all, part, active) => all + part * common[active]!, 0);
  const excesses: number[] = [];
  let weighted = 0;
  let weights = 0;
  for (let row = 0; row < sample.rows; row += 1) {
    let size = 0;
    let squares = 0;
    for (let at = sample.start[row]!; at < sample.start[row + 1]!; at += 1) {
      const bucket = sample.active[at]!;
      if (common[bucket] === 0) continue;
      size += sample.count[at]!;
      squares += (sample.count[at]! * sample.count[at]! * inCommon) / share[bucket]!;
    }
    if (size <= 1) continue;
    // chi^2 = sum c^2 / (n p) - n
    const excess = (squares / size - size) / freedom - 1;
    excesses.push(excess);
    weighted += excess * (size - 1);
    weights += (size - 1) ** 2;
  }
  if (excesses.length < LEAST_ROWS || standardErrors(excesses) < BELIEVED) return 0;
  return Math.min(Math.max(weighted / weights, 0), MOST_CORRELATION);
}

/**
 * The same where one bucket holds everything and its counts cannot tell: whether neighbouring intervals are off in
 * the same direction.
 *
 * @param residual by row: the sum less what the bucket's mean makes of it
 */
export function correlationOfNeighbours(sample: Sample, residual: Float64Array, variance: number): number {
  const { rows, size } = sample;
  if (rows <= 6) return 0;
  let products = 0;
  let squares = 0;
  let expected = 0;
  for (let row = 1; row < rows; row += 1) {
    const product = residual[row - 1]! * residual[row]!;
    products += product;
    squares += product * product;
    expected += size[row - 1]! * size[row]! * variance;
  }
  const believed = products / Math.sqrt(squares + Number.MIN_VALUE) > BELIEVED;
  return believed && expected > 0 ? products / expected : 0;
}

function standardErrors(values: readonly number[]): number {
  const mean = values.reduce((all, value) => all + value, 0) / values.length;
  const variance = values.reduce((all, value) => all + (value - mean) ** 2, 0) / values.length;
  return mean / (Math.sqrt(variance / values.length) + 1e-12);
}
