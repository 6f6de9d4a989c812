import type { SeriesType } from '../run/series.ts';
import type { CorrectedTest } from './correction.ts';
import { type Direction, findDirection, isThroughput } from './direction.ts';
import { correctFamilies, isKeyMetric } from './families.ts';
import type { MatchedSeries } from './matchSeries.ts';
import type { CompareSettings } from './settings.ts';
import type { Side } from './side.ts';
import { computeMargin } from './significance.ts';
import { areEqual, type RowTest, type StatComparison } from './statComparison.ts';
import { groupRows, type Topic } from './topics.ts';

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
   * Half the width of the confidence interval of the difference, as a fraction of the base, corrected for multiple
   * comparisons in the same way as `p`. Null if unknown, or if the base is 0.
   */
  readonly noise: number | null;
  /** The p-value, corrected for multiple comparisons; null if the difference was not tested. */
  readonly p: number | null;
  /** The test; null if the difference was not tested. */
  readonly test: RowTest | null;
  /** The reason why the difference was not tested; null if it was, or if both sides are equal. */
  readonly reason: string | null;
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
  /** The topic of the rows that probably have the same cause; null if the row did not change. */
  readonly topic: Topic | null;
  /** True if an earlier row probably has the same cause. */
  readonly isFollower: boolean;
}

/** Properties of the runs that affect verdicts. */
export interface RowContext {
  /** Whether the load differs: higher throughput is not better then, and lower throughput is not worse. */
  readonly hasDifferentLoad: boolean;
}

/** Builds the rows, sorted by importance. P-values are corrected within families; see `correctFamilies`. */
export function buildRows(
  comparisons: readonly StatComparison[],
  settings: CompareSettings,
  context: RowContext,
): ComparisonRow[] {
  const corrected = correctFamilies(comparisons, settings);
  const distinguish = createLabelFilter(comparisons.map(({ match }) => match));
  const rows = comparisons
    .map(comparison =>
      buildRow(
        comparison,
        corrected.get(comparison) ?? null,
        distinguish(comparison.match),
        settings,
        context,
      ),
    )
    .sort(compareImportance);
  return groupRows(rows).flatMap(({ topic, rows: members }) =>
    members.map((row, i) => ({ ...row, topic, isFollower: i > 0 })),
  );
}

type UngroupedRow = Omit<ComparisonRow, 'topic' | 'isFollower'>;

function buildRow(
  comparison: StatComparison,
  corrected: CorrectedTest | null,
  distinguishingLabels: ComparisonRow['distinguishingLabels'],
  settings: CompareSettings,
  { hasDifferentLoad }: RowContext,
): UngroupedRow {
  const { match, stat, base, other, result } = comparison;
  const from = base.estimate.mean;
  const to = other.estimate.mean;
  const change = from === 0 ? (to === 0 ? 0 : null) : (to - from) / Math.abs(from);
  const direction = findDirection(match.name, match.type, match.labels);
  const better = hasDifferentLoad && isThroughput(match.name, match.type) ? 'neither' : direction;
  const p = corrected?.p ?? null;
  const margin = computeMargin(result, corrected?.level ?? settings.alpha);
  return {
    name: match.name,
    type: match.type,
    unit: match.unit,
    labels: match.labels,
    distinguishingLabels,
    stat,
    better,
    verdict: decideVerdict(
      { p, change, difference: to - from, isEqual: areEqual(comparison), better },
      settings,
    ),
    base: from,
    new: to,
    change,
    noise: margin === null || from === 0 ? null : margin / Math.abs(from),
    p,
    test: comparison.test,
    reason: comparison.reason,
    effect: result.effect,
    basis: [base.estimate.basis, other.estimate.basis],
    runs: [base.runs, other.runs],
    seriesCount: match.values.reduce((largest, values) => Math.max(largest, values?.seriesCount ?? 0), 0),
    isKey: isKeyMetric(match),
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
function compareImportance(a: UngroupedRow, b: UngroupedRow): number {
  return (
    VERDICT_ORDER[a.verdict] - VERDICT_ORDER[b.verdict] ||
    Number(b.isKey) - Number(a.isKey) ||
    getChangeSize(b) - getChangeSize(a) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
}

/** Returns the magnitude of a change for sorting. A change from 0, which has no ratio, counts as the largest. */
function getChangeSize({ change }: UngroupedRow): number {
  return change === null ? Number.MAX_VALUE : Math.abs(change);
}

/** The values that a verdict depends on. `isEqual` is whether both sides are equal without noise. */
interface VerdictInput {
  readonly p: number | null;
  readonly change: number | null;
  readonly difference: number;
  readonly isEqual: boolean;
  readonly better: Direction;
}

/** Decides the verdict from the p-value, the size of the change, and the direction of the metric. */
function decideVerdict(
  { p, change, difference, isEqual, better }: VerdictInput,
  settings: CompareSettings,
): Verdict {
  if (isEqual) return 'unchanged';
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
