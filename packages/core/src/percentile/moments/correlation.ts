import type { Sample } from './sample.ts';

/** Buckets with less than this share are rare. */
const LEAST_SHARE = 0.01;
/** Standard errors from which a finding is believed. */
const BELIEVED = 2;
export const MOST_CORRELATION = 0.98;

/**
 * How alike the observations of one interval are (0 to 1): from how much more the bucket counts of intervals differ
 * than chance has it. Pearson's chi^2 over its degrees of freedom is 1 + (n - 1) r. Rare buckets count as one.
 */
export function correlationOfCounts(sample: Sample): number {
  const { rows, start, active, count, size, total, observations } = sample;
  const { group, share } = groups(total, observations);
  const freedom = share.filter(part => part > 0).length - 1;
  if (freedom < 1) return 0;
  const excesses: number[] = [];
  const inGroup = new Float64Array(share.length);
  let weighted = 0;
  let weights = 0;
  for (let row = 0; row < rows; row += 1) {
    const n = size[row]!;
    if (n <= 1) continue;
    inGroup.fill(0);
    for (let at = start[row]!; at < start[row + 1]!; at += 1) inGroup[group[active[at]!]!]! += count[at]!;
    let squares = 0;
    for (let at = 0; at < share.length; at += 1) {
      if (share[at]! > 0) squares += (inGroup[at]! * inGroup[at]!) / share[at]!;
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

/** By active bucket the group it belongs to, by group its share: 0 is for rare buckets, the others stand alone. */
function groups(total: Float64Array, observations: number): { group: number[]; share: number[] } {
  const share = [0];
  const group = Array.from(total, count => {
    const part = count / observations;
    if (part > LEAST_SHARE) return share.push(part) - 1;
    share[0]! += part;
    return 0;
  });
  return { group, share };
}

function standardErrors(values: readonly number[]): number {
  const mean = values.reduce((all, value) => all + value, 0) / values.length;
  const variance = values.reduce((all, value) => all + (value - mean) ** 2, 0) / (values.length - 1);
  return mean / (Math.sqrt(variance / values.length) + 1e-12);
}
