import {
  type Comparison,
  type ComparisonRow,
  describeDeath,
  type LabelHint,
  type OptionDifference,
  type Run,
  type Verdict,
} from '@org/analysis';
import { formatCount, formatNumber } from '@org/core';
import { truncateMiddle } from '@org/terminal/layout';
import { nameOption } from './optionNames.ts';

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
function formatSeriesName(name: string, labels: Readonly<Record<string, string>>): string {
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
  return Math.abs(value) >= 1e5 ? `×${formatNumber(ratio)}` : `${Number(value.toFixed(digits)) || 0}%`;
}

/** Formats a p-value with three decimals. Returns an empty string if the row was not tested. */
export function formatPValue({ p }: Pick<ComparisonRow, 'p'>): string {
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

/**
 * Summarizes a comparison in a few words, such as `2 worse and 1 better`, or `1 changed` if no row got worse or better.
 * Rows that probably have the same cause count once.
 */
export function formatHeadline(comparison: Comparison): string {
  const { rows } = comparison;
  const counts = countVerdicts(rows);
  const untested = counts.get('untested') ?? 0;
  if (rows.length === 0) return 'no common series';
  if (untested + (counts.get('unchanged') ?? 0) === rows.length)
    return untested > 0 ? describeUntested(rows) : 'unchanged';
  const parts = (['worse', 'better'] as const).flatMap(verdict => formatCauses(rows, verdict));
  if (parts.length === 0) parts.push(...formatCauses(rows, 'changed'));
  return parts.length === 0 ? 'no evidence of a change' : parts.join(' and ');
}

/** Formats the number of causes of a verdict, with the number of rows if it differs, such as `1 worse (4 rows)`. */
function formatCauses(rows: readonly ComparisonRow[], verdict: Verdict): string[] {
  const members = rows.filter(row => row.verdict === verdict);
  const causes = members.filter(({ isFollower }) => !isFollower).length;
  if (causes === 0) return [];
  return [
    causes === members.length ? `${causes} ${verdict}` : `${causes} ${verdict} (${members.length} rows)`,
  ];
}

/** Names the most frequent reason why rows were not tested, and what helps. */
function describeUntested(rows: readonly ComparisonRow[]): string {
  const reason = countReasons(rows)[0]?.reason ?? 'noise is unknown';
  const advice = reason === 'no timeslices' ? ' (set --slice-duration, or repeat each run)' : '';
  return `not tested: ${reason}${advice}`;
}

/** A reason why rows were not tested, and the number of these rows. */
interface ReasonCount {
  readonly reason: string;
  readonly rows: number;
}

/**
 * Counts the rows by the reason why they were not tested, the most frequent reason first. Reasons that differ only in
 * the figures in parentheses count as one, without the figures.
 */
function countReasons(rows: readonly ComparisonRow[]): ReasonCount[] {
  const counts = new Map<string, { reason: string; rows: number }>();
  for (const { reason } of rows) {
    if (reason === null) continue;
    const kind = reason.replace(/ \([^)]*\)/, '');
    const count = counts.get(kind);
    if (count === undefined) counts.set(kind, { reason, rows: 1 });
    else {
      count.rows++;
      if (count.reason !== reason) count.reason = kind;
    }
  }
  return [...counts.values()].sort((a, b) => b.rows - a.rows);
}

/** Describes the options that differ between the runs, such as `Different load: 12 and 24 requests/s`. */
export function describeDifferences({ differences }: Pick<Comparison, 'differences'>): string[] {
  const topics = new Map<string, OptionDifference[]>();
  for (const difference of differences)
    topics.set(difference.topic, [...(topics.get(difference.topic) ?? []), difference]);
  return [...topics].map(
    ([topic, members]) => `Different ${topic}: ${members.map(formatDifference).join('; ')}`,
  );
}

/** Describes the servers that died in the compared runs, with the name of the run. */
export function describeDeadServers({ base, new: others }: Pick<Comparison, 'base' | 'new'>): string[] {
  return [...base, ...others].flatMap(({ name, endpoints, times }) =>
    endpoints.flatMap(endpoint => {
      const death = describeDeath(endpoint, times);
      return death === undefined ? [] : [`${name}: ${death}`];
    }),
  );
}

function formatDifference({ topic, option, unit, base, new: values }: OptionDifference): string {
  const format = (side: readonly string[]): string =>
    side.map(value => truncateMiddle(value, MAX_OPTION_COLUMNS)).join(', ');
  const name = nameOption(option);
  const prefix = name === topic ? '' : `${name} `;
  const describe = (text: string): string => (unit === null ? `${prefix}${text}` : `${text} ${unit}`);
  if (base.length === 0) return `${describe(format(values))} (new only)`;
  if (values.length === 0) return `${describe(format(base))} (base only)`;
  return describe(`${format(base)} and ${format(values)}`);
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
  return [...listReasons(comparison), ...comparison.notes, describeMethod(comparison)];
}

/** Lists the reasons why rows were not tested, with the number of rows. */
export function listReasons({ rows }: Pick<Comparison, 'rows'>): string[] {
  return countReasons(rows).map(
    ({ reason, rows: count }) => `${formatCount(count, 'row')} not tested: ${reason}`,
  );
}

/** Describes the significance test and the number of tests. */
export function describeMethod({ options, tested }: Pick<Comparison, 'options' | 'tested'>): string {
  const test = options.test === 'welch' ? 'Welch' : 'Mann-Whitney';
  const names = { bh: 'Benjamini-Hochberg', holm: 'Holm', none: 'no correction' };
  const tests = `${formatCount(tested.key, 'test')} of key metrics and ${tested.other} of other metrics`;
  return `${test}, ${tests}, ${names[options.correction]}, alpha ${options.alpha}, changes of at least ${options.minChange * 100}%; ± is the confidence interval of the change, corrected like p`;
}

/** The maximum width of the value of an option. Screens wrap it; longer values, such as JSON, are shortened. */
const MAX_OPTION_COLUMNS = 200;

/** The maximum width of the value of a label in a hint. */
const MAX_LABEL_COLUMNS = 40;

/** Describes the labels that prevent series from matching, and the option that ignores these labels. */
export function describeHint({ labels, matchingSeries, oneSidedSeries, isChosen }: LabelHint): string {
  const format = (value: string | null): string =>
    value === null ? 'none' : JSON.stringify(truncateMiddle(value, MAX_LABEL_COLUMNS));
  const changes = labels
    .map(change => `${change.label} (${format(change.base)} → ${format(change.new)})`)
    .join(' and ');
  const names = labels.map(({ label }) => label);
  const advice = isChosen
    ? `leave ${names.join(', ')} out of --by`
    : names.map(name => `--ignore-label ${name}`).join(' ');
  return `${matchingSeries} of ${oneSidedSeries} unmatched series differ only in ${changes}; to compare them: ${advice}`;
}
