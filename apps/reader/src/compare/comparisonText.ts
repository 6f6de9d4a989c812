import type { Comparison, ComparisonRow, LabelHint, Run, Verdict } from '@org/analysis';
import { formatCount, formatValue } from '@org/core';
import { truncateMiddle } from '@org/terminal/layout';

/**
 * Formats the name of a row, such as `vllm:generation_tokens{model="x"} rate`, without labels that are equal in
 * all series. Text from servers is not escaped.
 */
export function formatRowName({
  name,
  distinguishingLabels,
  stat,
}: Pick<ComparisonRow, 'name' | 'distinguishingLabels' | 'stat'>): string {
  return `${formatSeriesName(name, distinguishingLabels)} ${formatStat(stat)}`;
}

export function formatSeriesName(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}

function formatStat(stat: string): string {
  return stat === 'rate' ? 'per s' : stat.replace(/_estimate$/, '');
}

/** Formats a change as `+12.3%`. A change from 0 has no ratio. */
export function formatChange({
  change,
  base,
  new: to,
}: Pick<ComparisonRow, 'change' | 'base' | 'new'>): string {
  if (change !== null) return formatSigned(change);
  return to > base ? 'from 0' : 'below 0';
}

function formatSigned(share: number): string {
  const text = formatChangePercent(share);
  // A value that rounds to 0 has no sign.
  return share > 0 && text !== '0%' ? `+${text}` : text;
}

export function formatNoise({ noise }: ComparisonRow): string {
  return noise === null ? '' : `±${formatChangePercent(noise)}`;
}

function formatChangePercent(share: number): string {
  const value = share * 100;
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Math.abs(value) >= 1e5 ? `×${formatValue(share, null)}` : `${Number(value.toFixed(digits)) || 0}%`;
}

export function formatPValue({ p }: ComparisonRow): string {
  if (p === null) return '';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

const CHANGED: ReadonlySet<Verdict> = new Set(['worse', 'better', 'changed']);

/** Selects the rows to show: changes, and key metrics in any case. */
export function selectRows({ rows }: Comparison, all: boolean, most: number): ComparisonRow[] {
  if (all) return [...rows];
  const told = rows.filter(({ verdict, isKey }) => isKey || CHANGED.has(verdict));
  return told.slice(0, most);
}

/** Counts the verdicts, such as `2 worse, 1 better`. */
export function summarizeVerdicts(rows: readonly ComparisonRow[]): string {
  const order: readonly Verdict[] = ['worse', 'better', 'changed', 'no evidence', 'same', 'untested'];
  const words: Partial<Record<Verdict, string>> = {
    'no evidence': 'without evidence of a change',
    same: 'unchanged',
  };
  const counts = countVerdicts(rows);
  const parts = order.flatMap(verdict => {
    const count = counts.get(verdict);
    return count === undefined ? [] : [`${count} ${words[verdict] ?? verdict}`];
  });
  return parts.length === 0 ? 'nothing to compare' : parts.join(', ');
}

function countVerdicts(rows: readonly ComparisonRow[]): ReadonlyMap<Verdict, number> {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return counts;
}

/** Formats the result in a few words. */
export function formatHeadline(comparison: Comparison): string {
  const { rows } = comparison;
  const counts = countVerdicts(rows);
  const [worse, better] = [counts.get('worse') ?? 0, counts.get('better') ?? 0];
  const untested = counts.get('untested') ?? 0;
  if (rows.length === 0) return 'nothing in common';
  if (untested + (counts.get('same') ?? 0) === rows.length)
    return untested > 0 ? 'not tested: the noise is unknown' : 'unchanged';
  if (worse > 0 && better > 0) return `${worse} worse and ${better} better`;
  if (worse > 0) return `${worse} worse`;
  return better > 0 ? `${better} better` : 'no evidence of any change for better or worse';
}

/** Describes the series that only one side has: their number, the first names, and how to match most of them. */
export function describeOneSided({ onlyBase, onlyNew, hint }: Comparison): string[] {
  const sides = [['only in base', onlyBase] as const, ['only in new', onlyNew] as const].flatMap(
    ([where, missing]) => {
      if (missing.length === 0) return [];
      const names = missing.slice(0, 3).map(({ name, labels }) => formatSeriesName(name, labels));
      const more = missing.length > names.length ? ', ...' : '';
      return [`${formatCount(missing.length, 'series')} ${where}: ${names.join(', ')}${more}`];
    },
  );
  return hint ? [...sides, describeHint(hint)] : sides;
}

export function formatSideName(runs: readonly Run[]): string {
  const [first] = runs;
  return runs.length === 1 ? first!.name : `${first!.name} and ${runs.length - 1} more`;
}

/** Describes the test. */
export function describeMethod({ options, tested }: Comparison): string {
  const test = options.test === 'welch' ? 'Welch' : 'Mann-Whitney';
  const names = { bh: 'Benjamini-Hochberg', holm: 'Holm', none: 'no correction' };
  return `${test}, ${formatCount(tested, 'test')}, ${names[options.correction]}, alpha ${options.alpha}, changes of at least ${options.minChange * 100}%; ± is the noise floor (95%)`;
}

const MAX_VALUE_COLUMNS = 40;

/** Describes in a sentence which labels keep series from matching, and which option leaves them out. */
export function describeHint({ labels, series, of, isChosen }: LabelHint): string {
  const shown = (value: string | null): string =>
    value === null ? 'none' : JSON.stringify(truncateMiddle(value, MAX_VALUE_COLUMNS));
  const what = labels
    .map(change => `${change.label} (${shown(change.base)} → ${shown(change.new)})`)
    .join(' and ');
  const names = labels.map(({ label }) => label);
  const advice = isChosen
    ? `leave ${names.join(', ')} out of --by`
    : names.map(name => `--ignore-label ${name}`).join(' ');
  return `${series} of ${of} one-sided series differ only in ${what}; to compare them: ${advice}`;
}
