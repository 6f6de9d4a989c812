import type { Comparison, ComparisonRow } from '@org/analysis';
import { listReasons, summarizeVerdicts } from '../../../compare/comparisonText.ts';
import { type EffectRow, toEffectRow } from './effects.ts';
import { listMetricTitles } from './metricTitles.ts';

/** All rows of a comparison, by cause. */
export interface Causes {
  /** Number of rows by verdict, in words. */
  readonly summary: string;
  readonly groups: readonly CauseGroup[];
  /** Rows without evidence of a change, and unchanged ones. */
  readonly others: readonly EffectRow[];
  readonly untested: readonly UntestedGroup[];
  /** The number of rows that are left out. */
  readonly more: number;
}

/** Changed rows that probably have one cause. */
export interface CauseGroup {
  readonly topic: string;
  readonly leader: EffectRow;
  readonly followers: readonly EffectRow[];
}

/** Rows that were not tested for the same reason. */
export interface UntestedGroup {
  readonly reason: string;
  readonly metrics: readonly string[];
}

/** The maximum number of rows of all comparisons of a page. */
const MAX_ROWS = 300;
/** The maximum number of untested metrics to name for a reason. */
const MAX_NAMES = 12;

/** Groups the rows of a comparison by cause. `comparisons` is the number of comparisons that share the page. */
export function buildCauses(comparison: Comparison, comparisons = 1): Causes {
  const titles = listMetricTitles(comparison.new[0]!);
  const limit = Math.floor(MAX_ROWS / comparisons);
  const changed = comparison.rows.filter(isChanged);
  const rest = comparison.rows.filter(
    row =>
      (row.verdict === 'no evidence' || row.verdict === 'unchanged') && (row.base !== 0 || row.new !== 0),
  );
  const shown = changed.slice(0, limit);
  const others = rest.slice(0, Math.max(0, limit - shown.length));
  return {
    summary: summarizeVerdicts(comparison.rows),
    groups: groupByLeader(shown, titles),
    others: others.map(row => toEffectRow(row, titles)),
    untested: groupUntested(comparison),
    more: changed.length + rest.length - shown.length - others.length,
  };
}

function isChanged({ verdict }: ComparisonRow): boolean {
  return verdict === 'worse' || verdict === 'better' || verdict === 'changed';
}

/** Collects each row and the rows with the same cause, which follow it. */
function groupByLeader(rows: readonly ComparisonRow[], titles: ReadonlyMap<string, string>): CauseGroup[] {
  const groups: { topic: string; leader: EffectRow; followers: EffectRow[] }[] = [];
  for (const row of rows) {
    const effect = toEffectRow(row, titles);
    const last = groups.at(-1);
    if (row.isFollower && last) last.followers.push(effect);
    else groups.push({ topic: row.topic ?? 'other', leader: effect, followers: [] });
  }
  return groups;
}

function groupUntested(comparison: Comparison): UntestedGroup[] {
  return listReasons(comparison).map(text => {
    const kind = text.replace(/^.*? not tested: /, '').replace(/ \([^)]*\)/, '');
    const rows = comparison.rows.filter(({ reason }) => reason?.replace(/ \([^)]*\)/, '') === kind);
    const names = [...rows].sort((a, b) => Number(b.isKey) - Number(a.isKey)).map(nameRow);
    return {
      reason: text,
      metrics: [
        ...names.slice(0, MAX_NAMES),
        ...(names.length > MAX_NAMES ? [`and ${names.length - MAX_NAMES} more`] : []),
      ],
    };
  });
}

function nameRow({ name, stat }: ComparisonRow): string {
  return `${name} ${stat.replace(/_estimate$/, '')}`;
}
