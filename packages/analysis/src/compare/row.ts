import { KEY_METRIC_NAMES } from '@org/servers';
import type { SeriesType } from '../run/series.ts';
import { correctPValues } from './correction.ts';
import { type Direction, findDirection } from './direction.ts';
import type { MatchedSeries } from './matchSeries.ts';
import type { CompareSettings } from './settings.ts';
import { areEqualConstants, isTested, type Side, type StatComparison } from './statComparison.ts';

/**
 * The verdict on a change. `worse`, `better`: a significant change of a metric with a direction. `changed`: a
 * significant change of a metric without a direction. `unchanged`: no change, or a significant change smaller than
 * `minChange`. `no evidence`: not significant. `untested`: not tested, because the noise is unknown.
 */
export type Verdict = 'worse' | 'better' | 'changed' | 'unchanged' | 'no evidence' | 'untested';

/** A statistic of a series on both sides. */
export interface ComparisonRow {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** The labels that distinguish the series from other series of its metric. */
  readonly distinguishingLabels: Readonly<Record<string, string>>;
  readonly stat: string;
  readonly better: Direction;
  readonly verdict: Verdict;
  readonly base: number;
  readonly new: number;
  /** The change as a fraction of the base; null if the base is 0 and the new value is not. */
  readonly change: number | null;
  /**
   * Half the width of the 95% confidence interval of the difference, as a fraction of the base. Not corrected
   * for multiple comparisons. Null if unknown, or if the base is 0.
   */
  readonly noise: number | null;
  /** The p-value, corrected for multiple comparisons; null if the difference was not tested. */
  readonly p: number | null;
  /** The effect size; see `TestResult`. */
  readonly effect: number | null;
  /** The source of the noise estimate on each side. */
  readonly basis: readonly [Side['estimate']['basis'], Side['estimate']['basis']];
  /** The value of each run, on each side. */
  readonly runs: readonly [readonly number[], readonly number[]];
  /** The largest number of series that were combined in a run. */
  readonly seriesCount: number;
  /** True if the metric is a key metric of a server or of the client. */
  readonly isKey: boolean;
}

/** Builds the rows, sorted by importance, and corrects p-values for multiple comparisons. */
export function buildRows(
  comparisons: readonly StatComparison[],
  settings: CompareSettings,
): ComparisonRow[] {
  const tested = comparisons.filter(isTested);
  const adjusted = correctPValues(
    tested.map(({ result }) => result.p!),
    settings.correction,
  );
  const adjustedPValues = new Map(tested.map((comparison, i) => [comparison, adjusted[i]!]));
  const distinguish = createLabelFilter(comparisons.map(({ match }) => match));
  return comparisons
    .map(comparison =>
      buildRow(comparison, adjustedPValues.get(comparison) ?? null, distinguish(comparison.match), settings),
    )
    .sort(compareImportance);
}

const KEY_METRICS: ReadonlySet<string> = new Set([
  ...KEY_METRIC_NAMES,
  ...['request_latency', 'time_to_first_token', 'inter_token_latency'],
  ...['request_throughput', 'output_token_throughput'],
]);

function buildRow(
  comparison: StatComparison,
  p: number | null,
  distinguishingLabels: ComparisonRow['distinguishingLabels'],
  settings: CompareSettings,
): ComparisonRow {
  const { match, stat, base, other, result } = comparison;
  const from = base.estimate.mean;
  const to = other.estimate.mean;
  const change = from === 0 ? (to === 0 ? 0 : null) : (to - from) / Math.abs(from);
  const better = findDirection(match.name, match.type);
  return {
    name: match.name,
    type: match.type,
    unit: match.unit,
    labels: match.labels,
    distinguishingLabels,
    stat,
    better,
    verdict: decideVerdict(
      { p, change, difference: to - from, isEqualConstant: areEqualConstants(comparison), better },
      settings,
    ),
    base: from,
    new: to,
    change,
    noise: result.margin === null || from === 0 ? null : result.margin / Math.abs(from),
    p,
    effect: result.effect,
    basis: [base.estimate.basis, other.estimate.basis],
    runs: [base.runs, other.runs],
    seriesCount: match.values.reduce((largest, values) => Math.max(largest, values?.seriesCount ?? 0), 0),
    isKey: KEY_METRICS.has(match.name),
  };
}

const VERDICT_ORDER: Readonly<Record<Verdict, number>> = {
  worse: 0,
  better: 1,
  changed: 2,
  untested: 3,
  'no evidence': 4,
  unchanged: 5,
};

/** Sorts by importance: regressions first, key metrics before others, large changes before small ones. */
function compareImportance(a: ComparisonRow, b: ComparisonRow): number {
  return (
    VERDICT_ORDER[a.verdict] - VERDICT_ORDER[b.verdict] ||
    Number(b.isKey) - Number(a.isKey) ||
    getChangeSize(b) - getChangeSize(a) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
}

/** Returns the magnitude of a change for sorting. A change from 0, which has no ratio, counts as the largest. */
function getChangeSize({ change }: ComparisonRow): number {
  return change === null ? Number.MAX_VALUE : Math.abs(change);
}

/** The values that a verdict depends on. `isEqualConstant` is whether both sides are constant and equal. */
interface VerdictInput {
  readonly p: number | null;
  readonly change: number | null;
  readonly difference: number;
  readonly isEqualConstant: boolean;
  readonly better: Direction;
}

/** Decides the verdict from the p-value, the size of the change, and the direction of the metric. */
function decideVerdict(
  { p, change, difference, isEqualConstant, better }: VerdictInput,
  settings: CompareSettings,
): Verdict {
  if (isEqualConstant) return 'unchanged';
  if (p === null) return 'untested';
  if (p > settings.alpha) return 'no evidence';
  if (change !== null && Math.abs(change) < settings.minChange) return 'unchanged';
  if (better === 'neither') return 'changed';
  return difference > 0 === (better === 'higher') ? 'better' : 'worse';
}

/**
 * Use of a label by the series of a metric: its first value, whether it has other values, and the number of
 * series with it.
 */
interface LabelUse {
  readonly firstValue: string;
  hasOtherValues: boolean;
  series: number;
}

/** Creates a function that selects the labels of a match that differ among the series of its metric. */
function createLabelFilter(
  matches: readonly MatchedSeries[],
): (match: MatchedSeries) => MatchedSeries['labels'] {
  const metrics = new Map<string, { series: number; readonly labels: Map<string, LabelUse> }>();
  for (const { name, labels } of new Set(matches)) {
    const metric = metrics.get(name) ?? { series: 0, labels: new Map<string, LabelUse>() };
    if (metric.series++ === 0) metrics.set(name, metric);
    for (const label of Object.keys(labels)) {
      const use = metric.labels.get(label);
      if (!use) metric.labels.set(label, { firstValue: labels[label]!, hasOtherValues: false, series: 1 });
      else {
        use.hasOtherValues ||= use.firstValue !== labels[label];
        use.series++;
      }
    }
  }
  return ({ name, labels }) => {
    const metric = metrics.get(name)!;
    const differs = (label: string): boolean => {
      const { hasOtherValues, series } = metric.labels.get(label)!;
      return hasOtherValues || series < metric.series;
    };
    return Object.fromEntries(Object.entries(labels).filter(([label]) => differs(label)));
  };
}
