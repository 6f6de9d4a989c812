import { mean } from '../../math.ts';
import { readStat, type SeriesType } from '../../run/series.ts';
import { toUpperRate } from '../../run/statisticsWindow.ts';
import { addDistinguishingLabels, NO_LABELS } from '../matching/distinguishingLabels.ts';
import type { MatchedSeries } from '../matching/matchSeries.ts';
import type { Side } from '../noise/side.ts';
import type { CompareSettings } from '../settings.ts';
import type { CorrectedTest } from '../significance/correction.ts';
import { computeMargin } from '../significance/significance.ts';
import { areEqual, isTested, type RowTest, type StatComparison } from '../significance/statComparison.ts';
import { type Direction, findDirection, isThroughput } from './direction.ts';
import { correctFamilies, countTests, isKeyMetric, type TestCounts } from './families.ts';
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
  /** The upper bounds of both values, if they are rates that are known only as intervals; null otherwise. */
  readonly upper: readonly [base: number | null, other: number | null];
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

/** A row whose topic and distinguishing labels depend on the other rows, and are not known yet. */
type DraftRow = { -readonly [Field in keyof ComparisonRow]: ComparisonRow[Field] };

/**
 * Builds the rows of comparisons that are added one at a time. The estimates of a comparison are kept only if it was
 * tested, until its p-value is corrected: most rows of runs with many series are not tested.
 */
export class RowBuilder {
  readonly #settings: CompareSettings;
  readonly #context: RowContext;
  /** In the order of the comparisons; undefined if the comparison was tested. */
  readonly #rows: (DraftRow | undefined)[] = [];
  readonly #tested = new Map<number, StatComparison>();

  constructor(settings: CompareSettings, context: RowContext) {
    this.#settings = settings;
    this.#context = context;
  }

  add(comparison: StatComparison): void {
    if (isTested(comparison)) this.#tested.set(this.#rows.push(undefined) - 1, comparison);
    else this.#rows.push(buildRow(comparison, null, this.#settings, this.#context));
  }

  /** Returns the number of tests per family. */
  countTests(): TestCounts {
    return countTests([...this.#tested.values()], this.#settings);
  }

  /** Returns the rows, sorted by importance. P-values are corrected within families; see `correctFamilies`. */
  build(): ComparisonRow[] {
    const corrected = correctFamilies([...this.#tested.values()], this.#settings);
    const rows = this.#rows.map((row, i) => {
      if (row) return row;
      const comparison = this.#tested.get(i)!;
      return buildRow(comparison, corrected.get(comparison)!, this.#settings, this.#context);
    });
    addDistinguishingLabels(rows);
    return groupChanges(rows.sort(compareImportance));
  }
}

/** Orders changed rows by their cause, and adds it to them. Other rows, which follow, keep their order. */
function groupChanges(rows: readonly DraftRow[]): ComparisonRow[] {
  const groups = groupRows(rows);
  for (const { topic, rows: members } of groups)
    for (const [i, row] of members.entries()) Object.assign(row, { topic, isFollower: i > 0 });
  const changed = groups.flatMap(({ rows: members }) => members);
  return changed.length === 0 ? [...rows] : [...changed, ...rows.slice(changed.length)];
}

/** Returns the better values of a derived metric, which its formula states. */
function findFormulaDirection(
  { name, type }: MatchedSeries,
  { servers }: CompareSettings,
): Direction | undefined {
  if (type !== 'derived') return undefined;
  return servers.formulas.find(formula => formula.name === name)?.better ?? 'neither';
}

function buildRow(
  comparison: StatComparison,
  corrected: CorrectedTest | null,
  settings: CompareSettings,
  { hasDifferentLoad }: RowContext,
): DraftRow {
  const { match, stat, base, other, result } = comparison;
  const from = base.estimate.mean;
  const to = other.estimate.mean;
  const change = from === 0 ? (to === 0 ? 0 : null) : (to - from) / Math.abs(from);
  const direction =
    findFormulaDirection(match, settings) ?? findDirection(match.name, match.type, match.labels);
  const dependsOnLoad = direction === 'higher' && isThroughput(match.name, match.type);
  const better = hasDifferentLoad && dependsOnLoad ? 'neither' : direction;
  const p = corrected?.p ?? null;
  const margin = computeMargin(result, corrected?.level ?? settings.alpha);
  return {
    name: match.name,
    type: match.type,
    unit: match.unit,
    labels: match.labels,
    distinguishingLabels: NO_LABELS,
    stat,
    better,
    verdict: decideVerdict(
      { p, change, difference: to - from, isEqual: areEqual(comparison), better },
      settings,
    ),
    base: from,
    new: to,
    upper: [readUpperBound(base, stat), readUpperBound(other, stat)],
    change,
    noise: margin === null || from === 0 ? null : margin / Math.abs(from),
    p,
    test: comparison.test,
    reason: comparison.reason,
    effect: result.effect,
    basis: [base.estimate.basis, other.estimate.basis],
    runs: [base.runs, other.runs],
    seriesCount: match.values.reduce((largest, values) => Math.max(largest, values?.seriesCount ?? 0), 0),
    isKey: isKeyMetric(match, settings),
    topic: null,
    isFollower: false,
  };
}

/** Returns the mean of the upper bounds of a rate; null if no run has one. */
function readUpperBound({ values }: Side, stat: string): number | null {
  const bounds = values.map(entry => readStat(entry, toUpperRate(stat)) ?? readStat(entry, stat)!);
  return values.some(entry => readStat(entry, toUpperRate(stat)) !== undefined) ? mean(bounds) : null;
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
function compareImportance(a: DraftRow, b: DraftRow): number {
  return (
    VERDICT_ORDER[a.verdict] - VERDICT_ORDER[b.verdict] ||
    Number(b.isKey) - Number(a.isKey) ||
    getChangeSize(b) - getChangeSize(a) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
}

/** Returns the magnitude of a change for sorting. A change from 0, which has no ratio, counts as the largest. */
function getChangeSize({ change }: DraftRow): number {
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
