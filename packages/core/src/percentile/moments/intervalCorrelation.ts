import type { Sample } from './sample.ts';

/** Standard errors from which a finding is believed. */
const BELIEVED = 2;
export const MOST_CORRELATION = 0.98;

/**
 * How alike the observations of one interval are (0 to 1): from how much more the bucket counts of intervals differ
 * than chance has it. Pearson's chi^2 over its degrees of freedom is 1 + (n - 1) r.
 */
export function correlationOfCounts(sample: Sample): number {
  const { rows, start, active, count, size, total, observations } = sample;
  const freedom = total.length - 1;
  if (freedom < 1) return 0;
  const excesses: number[] = [];
  let weighted = 0;
  let weights = 0;
  for (let row = 0; row < rows; row += 1) {
    const n = size[row]!;
    if (n <= 1) continue;
    let squares = 0;
    for (let at = start[row]!; at < start[row + 1]!; at += 1) {
      squares += (count[at]! * count[at]! * observations) / total[active[at]!]!;
    }
    // chi^2 = sum c^2 / (n p) - n
    const excess = (squares / n - n) / freedom - 1;
    excesses.push(excess);
    weighted += excess * (n - 1);
    weights += (n - 1) ** 2;
  }
  // NaN for a single row, which has no standard error.
  if (!(standardErrors(excesses) >= BELIEVED)) return 0;
  return Math.min(Math.max(weighted / weights, 0), MOST_CORRELATION);
}

function standardErrors(values: readonly number[]): number {
  const mean = values.reduce((all, value) => all + value, 0) / values.length;
  const variance = values.reduce((all, value) => all + (value - mean) ** 2, 0) / (values.length - 1);
  return mean / (Math.sqrt(variance / values.length) + 1e-12);
}
