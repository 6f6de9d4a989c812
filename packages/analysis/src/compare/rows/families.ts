import type { MatchedSeries } from '../matching/matchSeries.ts';
import type { CompareSettings } from '../settings.ts';
import { type CorrectedTest, correctTests } from '../significance/correction.ts';
import { isTested, readQuantile, type StatComparison } from '../significance/statComparison.ts';

/** The key metrics of the client. */
const CLIENT_METRICS: ReadonlySet<string> = new Set([
  ...['request_latency', 'time_to_first_token', 'inter_token_latency'],
  ...['request_throughput', 'output_token_throughput'],
]);

/** Reports whether a metric is a key metric of a server or of the client. */
export function isKeyMetric(
  { name }: Pick<MatchedSeries, 'name'>,
  { servers }: Pick<CompareSettings, 'servers'>,
): boolean {
  return CLIENT_METRICS.has(name) || servers.isKeyMetric(name);
}

/**
 * Corrects the p-values and confidence intervals of all tests, in two families: means and rates of key metrics, and
 * all other tests. Tests of a hundred other metrics and of noisy percentiles do not hide a change of a key metric.
 * Within a family, tests of the same values count once, such as of a counter that a server exports under two names.
 */
export function correctFamilies(
  comparisons: readonly StatComparison[],
  settings: CompareSettings,
): ReadonlyMap<StatComparison, CorrectedTest> {
  return new Map(
    Object.values(splitFamilies(comparisons, settings)).flatMap(family => correctFamily(family, settings)),
  );
}

/** The number of tests per family. */
export type TestCounts = Readonly<Record<'key' | 'other', number>>;

/** Counts the tests of each family. Tests of the same values count once. */
export function countTests(
  comparisons: readonly StatComparison[],
  settings: Pick<CompareSettings, 'servers'>,
): TestCounts {
  const { key, other } = splitFamilies(comparisons, settings);
  const count = (family: readonly StatComparison[]): number => new Set(family.map(createKey)).size;
  return { key: count(key), other: count(other) };
}

function splitFamilies(
  comparisons: readonly StatComparison[],
  settings: Pick<CompareSettings, 'servers'>,
): Record<keyof TestCounts, StatComparison[]> {
  const isKey = ({ match, stat }: StatComparison): boolean =>
    isKeyMetric(match, settings) && readQuantile(stat) === undefined;
  const tested = comparisons.filter(isTested);
  return { key: tested.filter(isKey), other: tested.filter(comparison => !isKey(comparison)) };
}

function correctFamily(
  comparisons: readonly StatComparison[],
  { correction, alpha }: CompareSettings,
): (readonly [StatComparison, CorrectedTest])[] {
  const distinct = new Map(comparisons.map(comparison => [createKey(comparison), comparison.result.p!]));
  const tests = correctTests([...distinct.values()], correction, alpha);
  const byKey = new Map([...distinct.keys()].map((key, i) => [key, tests[i]!]));
  return comparisons.map(comparison => [comparison, byKey.get(createKey(comparison))!] as const);
}

/** Returns a text that is equal for tests of the same values. */
function createKey({ base, other, result }: StatComparison): string {
  return [result.p, base.estimate.mean, other.estimate.mean].join(' ');
}
