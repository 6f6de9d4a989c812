import jstat from 'jstat';
import { sum } from '../../math.ts';
import type { Estimate } from '../noise/estimate.ts';
import { computeCliffsDelta, countWins } from './wins.ts';

const { normal, studentt } = jstat.jStat;

/** The result of a significance test. */
export interface TestResult {
  /** The two-sided p-value, not corrected for multiple comparisons. Null if it cannot be computed. */
  readonly p: number | null;
  /** The standard error of the difference. Null if it cannot be computed. */
  readonly error: number | null;
  /** The degrees of freedom of the standard error. */
  readonly degrees: number;
  /** The effect size: Hedges' g for Welch, Cliff's delta (-1 to 1) for Mann-Whitney. */
  readonly effect: number | null;
}

/** The result of a test that was not run. */
export const UNTESTED: TestResult = { p: null, error: null, degrees: 0, effect: null };

/**
 * Returns half the width of the confidence interval of the difference, or null if it cannot be computed. `level` is
 * the probability that the interval does not contain the difference.
 */
export function computeMargin({ error, degrees }: TestResult, level: number): number | null {
  if (error === null) return null;
  return error === 0 ? 0 : studentt.inv(1 - level / 2, degrees) * error;
}

/**
 * Runs Welch's t-test of two means with unequal variances (Welch, Biometrika 34, 1947), with Satterthwaite's
 * degrees of freedom. For two constants, p is 1 if they are equal and 0 if not.
 */
export function runWelchTest(base: Estimate, other: Estimate): TestResult {
  const difference = other.mean - base.mean;
  const variance = base.error ** 2 + other.error ** 2;
  if (Number.isNaN(variance)) return UNTESTED;
  if (variance === 0) return { p: difference === 0 ? 1 : 0, error: 0, degrees: 0, effect: null };
  const degrees = computeDegreesOfFreedom(base, other, variance);
  const error = Math.sqrt(variance);
  const p = 2 * studentt.cdf(-Math.abs(difference) / error, degrees);
  return { p, error, degrees, effect: computeHedgesG(difference, base, other) };
}

/**
 * Runs Welch's t-test on transformed estimates, such as the means of logarithms. The standard error is that of the
 * untransformed `difference` with the same t, so that the confidence interval agrees with the p-value.
 */
export function runTransformedTest(base: Estimate, other: Estimate, difference: number): TestResult {
  const result = runWelchTest(base, other);
  const transformed = other.mean - base.mean;
  // A transformed difference in the opposite direction is no evidence of this difference.
  if (transformed * difference <= 0) return { ...result, p: result.p === null ? null : 1, error: null };
  return { ...result, error: result.error && result.error * (difference / transformed) };
}

/**
 * Runs Student's t-test of two means with equal variances. It requires the same distribution on both sides, and has
 * more power than Welch's test for very few values.
 */
export function runStudentTest(base: Estimate, other: Estimate): TestResult {
  const degrees = base.degrees + other.degrees;
  const pooled =
    (base.deviation ** 2 * base.degrees + other.deviation ** 2 * other.degrees) / Math.max(1, degrees);
  const share = (estimate: Estimate): Estimate => ({
    ...estimate,
    error: Math.sqrt(pooled / estimate.values),
    degrees,
  });
  const result = runWelchTest(share(base), share(other));
  if (result.error === null || result.error === 0) return result;
  const t = Math.abs(other.mean - base.mean) / result.error;
  return { ...result, degrees, p: 2 * studentt.cdf(-t, degrees) };
}

/** Creates the result of a test that has only a p-value. The confidence interval agrees with the p-value. */
export function createResult(p: number, difference: number, { effect, degrees }: TestResult): TestResult {
  const t = Math.abs(studentt.inv(p / 2, degrees));
  return { p, degrees, effect, error: t > 0 && Number.isFinite(t) ? Math.abs(difference) / t : null };
}

function computeDegreesOfFreedom(base: Estimate, other: Estimate, variance: number): number {
  const computeTerm = ({ error, degrees }: Estimate): number => (error === 0 ? 0 : error ** 4 / degrees);
  return variance ** 2 / (computeTerm(base) + computeTerm(other));
}

/**
 * Computes Hedges' g: the difference in units of the pooled standard deviation, corrected for small samples
 * (Hedges, 1981).
 */
function computeHedgesG(difference: number, base: Estimate, other: Estimate): number | null {
  const pooled = Math.sqrt((base.deviation ** 2 + other.deviation ** 2) / 2);
  const degrees = base.degrees + other.degrees;
  return pooled === 0 ? null : (difference / pooled) * (1 - 3 / (4 * Math.max(degrees, 1) - 1));
}

/** Maximum number of values for which the distribution of U is computed exactly. */
const MAX_EXACT_VALUES = 40;

/**
 * Runs the two-sided rank test of Mann and Whitney (1947). Computes p exactly for few values without ties, otherwise
 * with the normal approximation, corrected for ties and continuity.
 */
export function runMannWhitneyTest(
  base: readonly number[],
  other: readonly number[],
): Pick<TestResult, 'p' | 'effect'> {
  if (base.length * other.length === 0) return { p: null, effect: null };
  const wins = countWins(base, other);
  const effect = computeCliffsDelta(base, other);
  const all = [...base, ...other];
  const hasTies = new Set(all).size < all.length;
  const p =
    !hasTies && all.length <= MAX_EXACT_VALUES
      ? computeExactP(wins, base.length, other.length)
      : approximateP(wins, base, other);
  return { p, effect };
}

/** Computes p as the proportion of arrangements whose U is at least as far from its mean as `u`. */
function computeExactP(u: number, n: number, m: number): number {
  const counts = countArrangements(n, m);
  const total = sum(counts);
  const tail = Math.min(u, n * m - u);
  return Math.min(1, (2 * sum(counts.slice(0, tail + 1))) / total);
}

/**
 * Counts the arrangements of n and m values by U, with the recurrence of Mann and Whitney. The index of the
 * result is U.
 */
function countArrangements(n: number, m: number): readonly number[] {
  let rows: number[][] = Array.from({ length: m + 1 }, () => [1]);
  for (let i = 1; i <= n; i++) {
    const next: number[][] = [[1]];
    for (let j = 1; j <= m; j++) {
      const withoutFirst = rows[j]!;
      const withoutSecond = next[j - 1]!;
      next.push(
        Array.from({ length: i * j + 1 }, (_, u) => (withoutFirst[u - j] ?? 0) + (withoutSecond[u] ?? 0)),
      );
    }
    rows = next;
  }
  return rows[m]!;
}

/** Approximates p with a normal distribution of U, corrected for ties and continuity. */
function approximateP(u: number, base: readonly number[], other: readonly number[]): number {
  const [n, m] = [base.length, other.length];
  const size = n + m;
  const ties = new Map<number, number>();
  for (const value of [...base, ...other]) ties.set(value, (ties.get(value) ?? 0) + 1);
  const tied = sum([...ties.values()].map(count => count ** 3 - count));
  const variance = ((n * m) / 12) * (size + 1 - tied / (size * (size - 1)));
  if (variance <= 0) return 1;
  const distance = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5);
  return Math.min(1, 2 * normal.cdf(-distance / Math.sqrt(variance), 0, 1));
}
