import { WATCHED_METRICS } from '@org/servers';
import type { SeriesType } from '../run/series.ts';
import { type Direction, findDirection } from './direction.ts';
import { findDistinguishingLabels } from './distinguishingLabels.ts';
import { isConstant, isTested, type StatComparison } from './draft.ts';
import type { CompareSettings } from './settings.ts';
import type { Side } from './side.ts';
import { correctPValues } from './significance.ts';
import { decideVerdict, type Verdict } from './verdict.ts';

/** One statistic of one series, on both sides. */
export interface ComparisonRow {
  readonly name: string;
  readonly type: SeriesType;
  readonly unit: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Those of them that tell it apart from the other series of its metric. */
  readonly telling: Readonly<Record<string, string>>;
  readonly stat: string;
  readonly better: Direction;
  readonly verdict: Verdict;
  readonly base: number;
  readonly new: number;
  /** Share of the base; null when that is 0. */
  readonly change: number | null;
  /** Noise floor: the change is known to this share of the base (95%, not corrected); null when it cannot be told. */
  readonly noise: number | null;
  /** Corrected for the number of comparisons. */
  readonly p: number | null;
  readonly effect: number | null;
  /** Where noise was seen, on each side. */
  readonly basis: readonly [Side['estimate']['basis'], Side['estimate']['basis']];
  readonly runs: readonly [readonly number[], readonly number[]];
  /** How many series were rolled up, at most. */
  readonly seriesCount: number;
  /** Whether it is one of the key metrics of a server. */
  readonly isKey: boolean;
}

/** The rows of all drafts, what matters first: p is corrected for how many there are. */
export function buildRows(drafts: readonly StatComparison[], settings: CompareSettings): ComparisonRow[] {
  const tested = drafts.filter(isTested);
  const adjusted = correctPValues(
    tested.map(({ result }) => result.p!),
    settings.correction,
  );
  const values = new Map(tested.map((draft, i) => [draft, adjusted[i]!]));
  const telling = findDistinguishingLabels(drafts.map(({ match: one }) => one));
  return drafts
    .map(draft => buildRow(draft, values.get(draft) ?? null, telling(draft.match), settings))
    .sort(byWeight);
}

const KEY_METRICS: ReadonlySet<string> = new Set([
  ...WATCHED_METRICS,
  ...['request_latency', 'time_to_first_token', 'inter_token_latency'],
  ...['request_throughput', 'output_token_throughput'],
]);

function buildRow(
  draft: StatComparison,
  p: number | null,
  telling: ComparisonRow['telling'],
  settings: CompareSettings,
): ComparisonRow {
  const { match: one, stat, base, other, result } = draft;
  const from = base.estimate.mean;
  const to = other.estimate.mean;
  const change = from === 0 ? (to === 0 ? 0 : null) : (to - from) / Math.abs(from);
  const better = findDirection(one.name, one.type);
  return {
    name: one.name,
    type: one.type,
    unit: one.unit,
    labels: one.labels,
    telling,
    stat,
    better,
    verdict: decideVerdict(
      { p, change, difference: to - from, isConstant: isConstant(draft), better },
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
    seriesCount: one.figures.reduce((most, figures) => Math.max(most, figures?.seriesCount ?? 0), 0),
    isKey: KEY_METRICS.has(one.name),
  };
}

const ORDER: Readonly<Record<Verdict, number>> = {
  worse: 0,
  better: 1,
  changed: 2,
  untested: 3,
  'no evidence': 4,
  same: 5,
};

/** What matters first: what got worse, key metrics before others, large changes before small ones. */
function byWeight(a: ComparisonRow, b: ComparisonRow): number {
  return (
    ORDER[a.verdict] - ORDER[b.verdict] ||
    Number(b.isKey) - Number(a.isKey) ||
    sizeOf(b) - sizeOf(a) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
}

/** From nothing to something is the largest of changes. */
function sizeOf({ change }: ComparisonRow): number {
  return change === null ? Number.MAX_VALUE : Math.abs(change);
}
