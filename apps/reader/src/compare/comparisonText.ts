import type { Comparison, ComparisonRow, LabelHint, Run, Verdict } from '@org/analysis';
import { formatCount, formatValue } from '@org/core';
import { truncateMiddle } from '@org/terminal/layout';

/**
 * Formats the name of a row, such as `vllm:generation_tokens{model="x"} per s`. Labels that are equal in all
 * series are omitted. Text from servers is not escaped.
 */
export function formatRowName({
  name,
  distinguishingLabels,
  stat,
}: Pick<ComparisonRow, 'name' | 'distinguishingLabels' | 'stat'>): string {
  return `${formatSeriesName(name, distinguishingLabels)} ${formatStat(stat)}`;
}

/** Formats a series in Prometheus notation, such as `name{label="value"}`. */
export function formatSeriesName(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}

function formatStat(stat: string): string {
  return stat === 'rate' ? 'per s' : stat.replace(/_estimate$/, '');
}

/**
 * Formats a relative change, such as `+12.3%`. A change from 0 has no ratio and is formatted as `from 0` or
 * `below 0`.
 */
export function formatChange({
  change,
  base,
  new: value,
}: Pick<ComparisonRow, 'change' | 'base' | 'new'>): string {
  if (change !== null) return formatSigned(change);
  return value > base ? 'from 0' : 'below 0';
}

function formatSigned(ratio: number): string {
  const text = formatChangePercent(ratio);
  // A value that rounds to 0 has no sign.
  return ratio > 0 && text !== '0%' ? `+${text}` : text;
}

/** Formats the noise floor, such as `±5%`. Returns an empty string if it is unknown. */
export function formatNoise({ noise }: ComparisonRow): string {
  return noise === null ? '' : `±${formatChangePercent(noise)}`;
}

function formatChangePercent(ratio: number): string {
  const value = ratio * 100;
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Math.abs(value) >= 1e5 ? `×${formatValue(ratio, null)}` : `${Number(value.toFixed(digits)) || 0}%`;
}

/** Formats a p-value with three decimals. Returns an empty string if the row was not tested. */
export function formatPValue({ p }: ComparisonRow): string {
  if (p === null) return '';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

const CHANGED: ReadonlySet<Verdict> = new Set(['worse', 'better', 'changed']);

/** Selects the rows to show: all rows, or up to `maxRows` changes and key metrics. */
export function selectRows({ rows }: Comparison, showsAll: boolean, maxRows: number): ComparisonRow[] {
  if (showsAll) return [...rows];
  return rows.filter(({ verdict, isKey }) => isKey || CHANGED.has(verdict)).slice(0, maxRows);
}

/** Formats the number of rows per verdict, such as `2 worse, 1 better`. */
export function summarizeVerdicts(rows: readonly ComparisonRow[]): string {
  const order: readonly Verdict[] = ['worse', 'better', 'changed', 'no evidence', 'unchanged', 'untested'];
  const names: Partial<Record<Verdict, string>> = { 'no evidence': 'without evidence of a change' };
  const counts = countVerdicts(rows);
  const parts = order.flatMap(verdict => {
    const count = counts.get(verdict);
    return count === undefined ? [] : [`${count} ${names[verdict] ?? verdict}`];
  });
  return parts.length === 0 ? 'nothing to compare' : parts.join(', ');
}

function countVerdicts(rows: readonly ComparisonRow[]): ReadonlyMap<Verdict, number> {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return counts;
}

/** Summarizes a comparison in a few words, such as `2 worse and 1 better`. */
export function formatHeadline(comparison: Comparison): string {
  const { rows } = comparison;
  const counts = countVerdicts(rows);
  const [worse, better] = [counts.get('worse') ?? 0, counts.get('better') ?? 0];
  const untested = counts.get('untested') ?? 0;
  if (rows.length === 0) return 'no common series';
  if (untested + (counts.get('unchanged') ?? 0) === rows.length)
    return untested > 0 ? 'not tested: noise is unknown' : 'unchanged';
  if (worse > 0 && better > 0) return `${worse} worse and ${better} better`;
  if (worse > 0) return `${worse} worse`;
  return better > 0 ? `${better} better` : 'no evidence of a change';
}

/**
 * Describes the series that exist only in the base or only in the new runs: the number of series, the first
 * names, and a hint if the series differ only in certain labels.
 */
export function describeOneSided({ onlyBase, onlyNew, hint }: Comparison): string[] {
  const sides = [['only in base', onlyBase] as const, ['only in new', onlyNew] as const].flatMap(
    ([side, series]) => {
      if (series.length === 0) return [];
      const names = series.slice(0, 3).map(({ name, labels }) => formatSeriesName(name, labels));
      const ellipsis = series.length > names.length ? ', ...' : '';
      return [`${formatCount(series.length, 'series')} ${side}: ${names.join(', ')}${ellipsis}`];
    },
  );
  return hint ? [...sides, describeHint(hint)] : sides;
}

/** Formats the names of several runs: the name of the first run, and the number of further runs. */
export function formatSideName(runs: readonly Run[]): string {
  const [first] = runs;
  return runs.length === 1 ? first!.name : `${first!.name} and ${runs.length - 1} more`;
}

/** Lists the notes on a comparison. The last note describes the significance test. */
export function listNotes(comparison: Comparison): string[] {
  return [...comparison.notes, describeMethod(comparison)];
}

function describeMethod({ options, tested }: Comparison): string {
  const test = options.test === 'welch' ? 'Welch' : 'Mann-Whitney';
  const names = { bh: 'Benjamini-Hochberg', holm: 'Holm', none: 'no correction' };
  return `${test}, ${formatCount(tested, 'test')}, ${names[options.correction]}, alpha ${options.alpha}, changes of at least ${options.minChange * 100}%; ± is the noise floor (95%)`;
}

const MAX_VALUE_COLUMNS = 40;

/** Describes the labels that prevent series from matching, and the option that ignores these labels. */
export function describeHint({ labels, matchingSeries, oneSidedSeries, isChosen }: LabelHint): string {
  const format = (value: string | null): string =>
    value === null ? 'none' : JSON.stringify(truncateMiddle(value, MAX_VALUE_COLUMNS));
  const changes = labels
    .map(change => `${change.label} (${format(change.base)} → ${format(change.new)})`)
    .join(' and ');
  const names = labels.map(({ label }) => label);
  const advice = isChosen
    ? `leave ${names.join(', ')} out of --by`
    : names.map(name => `--ignore-label ${name}`).join(' ');
  return `${matchingSeries} of ${oneSidedSeries} unmatched series differ only in ${changes}; to compare them: ${advice}`;
}
