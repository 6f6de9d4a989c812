import type { Comparison, ComparisonRow } from '@org/analysis';
import { formatValue } from '@org/core';
import { formatChange, formatNoise, formatRowName } from '../../../compare/comparisonText.ts';
import type { Effect } from '../../../svg/forest.ts';
import { listMetricTitles } from './metricTitles.ts';

/** A row of the chart of effects. */
export interface EffectRow extends Effect {
  /** The title in words; without one, the name of the metric. */
  readonly title: string;
  /** The name of the metric with its statistic. */
  readonly metric: string;
  readonly values: string;
  /** True if the client measured it. */
  readonly isClient: boolean;
}

/** Effects on metrics of the client, or of the servers. */
export interface EffectGroup {
  readonly name: string;
  readonly rows: readonly EffectRow[];
}

/** The maximum number of rows of a group. */
const MAX_ROWS = 14;

/** Selects the key metrics and formats their changes, as measured by the client and by the servers. */
export function buildEffects(comparison: Comparison): EffectGroup[] {
  const titles = listMetricTitles(comparison.new[0]!);
  const key = comparison.rows.filter(row => row.isKey && !isAlwaysZero(row));
  const isClient = ({ type }: ComparisonRow): boolean => type === 'client';
  const build = (name: string, rows: readonly ComparisonRow[]): EffectGroup => ({
    name,
    rows: rows.slice(0, MAX_ROWS).map(row => toEffectRow(row, titles)),
  });
  return [
    build('Measured by the client', key.filter(isClient)),
    build(
      'Measured by the servers',
      key.filter(row => !isClient(row)),
    ),
  ].filter(({ rows }) => rows.length > 0);
}

function isAlwaysZero({ base, new: value }: ComparisonRow): boolean {
  return base === 0 && value === 0;
}

/** Creates the row of a chart of effects. */
export function toEffectRow(row: ComparisonRow, titles: ReadonlyMap<string, string>): EffectRow {
  const title = titles.get(row.name);
  const metric = formatRowName(row);
  const stat = row.stat.replace(/_estimate$/, '');
  const named = title === undefined ? metric : nameStat(title, stat, row);
  return {
    name: named,
    title: named,
    metric,
    isClient: row.type === 'client',
    verdict: row.verdict,
    change: row.change,
    noise: row.noise,
    text: describeEffect(row),
    values: `${formatSide(row.base, row)} → ${formatSide(row.new, row)}`,
  };
}

/** Adds the statistic and the labels of a row to its title, such as `Latency of requests, p99`. */
function nameStat(title: string, stat: string, { distinguishingLabels }: ComparisonRow): string {
  const labels = Object.entries(distinguishingLabels).map(([name, value]) => `${name}=${value}`);
  const name = stat === 'avg' ? (/per second|waiting|running|in use/.test(title) ? '' : 'mean') : stat;
  return [title, ...(name === '' || name === 'rate' ? [] : [name]), ...labels].join(', ');
}

function formatSide(value: number, { unit, stat }: ComparisonRow): string {
  const rounded = Number(value.toPrecision(4));
  return stat === 'rate' ? `${formatValue(rounded, null)}/s` : formatValue(rounded, unit);
}

/** Describes an effect: its verdict, its change and its interval, or why it was not tested. */
export function describeEffect(row: ComparisonRow): string {
  const change = formatChange(row);
  if (row.verdict === 'untested') return `untested, ${change}: ${row.reason ?? 'noise is unknown'}`;
  const noise = formatNoise(row);
  return `${row.verdict} ${change}${noise && ` ${noise}`}`;
}
