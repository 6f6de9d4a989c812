import { combineSeries, distinguishSeries, type KeyMetric } from '@org/analysis';
import { formatValue } from '@org/core';
import { stripServerPrefix } from '@org/servers';
import { drawSparkline, drawTable, truncateEnd } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';
import { formatRowLabels } from './rowLabels.ts';

/** The maximum number of series shown per metric; others are counted. */
const MAX_SERIES = 4;

/** Eight characters and a blank, such as `11.75 ms`. */
const NUMBER_WIDTH = 9;
/** With a narrower name column, truncated names look alike. */
const MIN_NAME_COLUMNS = 24;
const MAX_NAME_COLUMNS = 48;
/** A shorter sparkline has no shape. */
const MIN_TREND_COLUMNS = 8;
const MAX_TREND_COLUMNS = 24;

const NUMBERS = ['avg', 'p99', 'max', 'total', 'per s'] as const;
type NumberColumn = (typeof NUMBERS)[number];
/** The columns that narrow terminals leave out, in this order. The maximum comes first, because p99 is similar. */
const OPTIONAL_COLUMNS: readonly NumberColumn[] = ['max', 'per s', 'p99', 'total'];

/** The layout of a table, in columns of the terminal. */
interface TableLayout {
  readonly name: number;
  readonly number: number;
  readonly numbers: readonly NumberColumn[];
  /** 0 for a table without sparklines. */
  readonly trend: number;
}

/**
 * Renders the key metrics of a server, or of the client: a row per series, or, with `most`, a row for each of
 * the first metrics.
 */
export function renderMetricTable(
  title: string,
  figures: readonly KeyMetric[],
  most: number | undefined,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const room = computeLayout(figures, width);
  const columns: { name: string; width: number; align: 'left' | 'right' }[] = [
    { name: paint.bold(title), width: room.name, align: 'left' },
    ...room.numbers.map(name => ({ name: paint.dim(name), width: room.number, align: 'right' as const })),
    ...(room.trend > 0
      ? [{ name: paint.dim('over time'), width: room.trend + 2, align: 'left' as const }]
      : []),
  ];
  const all = groupByMetric(figures);
  const rows = all
    .slice(0, most)
    .flatMap(group =>
      most === undefined ? buildRows(group, room, screen) : [renderCombinedRow(group, room, screen)],
    );
  if (most !== undefined && all.length > most)
    rows.push([paint.dim(`and ${all.length - most} more metrics`)]);
  const heads = columns.map(({ name }) => name);
  const renderCells = [heads, ...rows.map(row => fillRow(row, columns.length))];
  return drawTable(columns, renderCells, { paddingLeft: 1 }).split('\n');
}

/** Counts the rows of a table with all series. */
export function countSeriesLines(figures: readonly KeyMetric[]): number {
  return groupByMetric(figures).reduce((lines, { length }) => {
    if (length === 1) return lines + 1;
    return lines + 1 + Math.min(length, MAX_SERIES) + Number(length > MAX_SERIES);
  }, 0);
}

/** Computes the layout for a width. Narrow tables have fewer digits, then no p99 and max, to keep the sparkline. */
function computeLayout(figures: readonly KeyMetric[], width: number): TableLayout {
  const longest = figures.reduce((most, { trend }) => Math.max(most, trend.length), 0);
  const wanted = longest < 2 ? 0 : Math.max(MIN_TREND_COLUMNS + 1, Math.min(longest, MAX_TREND_COLUMNS));
  for (const number of [NUMBER_WIDTH, NUMBER_WIDTH - 1]) {
    const rest = width - NUMBERS.length * number - MIN_NAME_COLUMNS - 2;
    if (wanted === 0 && rest >= -2) break;
    if (wanted > 0 && rest >= MIN_TREND_COLUMNS + 1)
      return distributeWidth(NUMBERS, number, Math.min(wanted, rest), width);
  }
  const excess = MIN_NAME_COLUMNS + NUMBERS.length * NUMBER_WIDTH - width;
  const left = new Set(OPTIONAL_COLUMNS.slice(0, Math.max(0, Math.ceil(excess / NUMBER_WIDTH))));
  const numbers = NUMBERS.filter(name => !left.has(name));
  return distributeWidth(numbers, NUMBER_WIDTH, 0, width);
}

function distributeWidth(
  numbers: readonly NumberColumn[],
  number: number,
  trend: number,
  width: number,
): TableLayout {
  const rest = width - numbers.length * number - (trend > 0 ? trend + 2 : 0);
  return { name: Math.max(NUMBER_WIDTH, Math.min(MAX_NAME_COLUMNS, rest)), number, numbers, trend };
}

/** Fills or cuts a row to the number of columns. */
function fillRow(row: readonly string[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => row[column] ?? '');
}

function groupByMetric(figures: readonly KeyMetric[]): KeyMetric[][] {
  const byName = new Map<string, KeyMetric[]>();
  for (const figure of figures) {
    const group = byName.get(figure.metric.name);
    if (group) group.push(figure);
    else byName.set(figure.metric.name, [figure]);
  }
  return [...byName.values()];
}

function formatShortName(group: readonly KeyMetric[]): string {
  return stripServerPrefix(group[0]!.metric.name);
}

/** Renders all series of a metric as one row, with their number. */
function renderCombinedRow(group: readonly KeyMetric[], room: TableLayout, screen: Screen): string[] {
  const several = group.length > 1 ? ` ×${group.length}` : '';
  const name = truncateEnd(formatShortName(group), room.name - 1 - several.length);
  return [`${name}${screen.paint.dim(several)}`, ...renderCells(combineSeries(group), room, screen)];
}

/** Renders a metric with one series as one row; with several, its name and then a row per series. */
function buildRows(group: readonly KeyMetric[], room: TableLayout, screen: Screen): string[][] {
  const sorted = [...group].sort((a, b) => computeWeight(b) - computeWeight(a));
  const shown = sorted.slice(0, MAX_SERIES);
  const names = formatRowLabels(distinguishSeries(sorted).slice(0, MAX_SERIES), room.name - 3);
  const name = truncateEnd(formatShortName(group), room.name - 1);
  const rows = shown.map((figure, index) => {
    const label = names[index] === '' ? name : `  ${names[index]}`;
    return [label, ...renderCells(figure, room, screen)];
  });
  if (names.some(text => text !== '')) rows.unshift([name]);
  if (sorted.length > MAX_SERIES) rows.push([screen.paint.dim(`  and ${sorted.length - MAX_SERIES} more`)]);
  return rows;
}

/** Computes the weight of a series; the heaviest come first. */
function computeWeight({ metric, stats }: KeyMetric): number {
  return stats.total ?? stats.count ?? stats[metric.stat] ?? 0;
}

function renderCells(figure: KeyMetric, room: TableLayout, { paint }: Screen): string[] {
  const found = selectNumbers(figure);
  const numbers = room.numbers.map(column => {
    const [value, unit, stat] = found[column] ?? [];
    if (value === undefined) return '';
    const text = formatValue(value, unit, room.number - 1);
    return stat === figure.metric.stat ? paint.bold(text) : text;
  });
  return [...numbers, paint.cyan(drawSparkline(figure.trend, room.trend))];
}

/** A number of a table: value, unit and statistic. */
type Cell = readonly [value: number | undefined, unit: string | null, stat: string];

/**
 * Returns the numbers of a row. A rate keeps its unit: seconds of queueing per second are the mean number of
 * queued requests (Little's law).
 */
function selectNumbers({ unit, stats, type }: KeyMetric): Partial<Record<NumberColumn, Cell>> {
  const { p99 } = stats as { p99?: number };
  if (type === 'histogram')
    return {
      avg: [stats.avg, unit, 'avg'],
      p99: [stats.p99_estimate, unit, 'p99_estimate'],
      total: [stats.count, null, 'count'],
    };
  if (type === 'counter') return { total: [stats.total, unit, 'total'], 'per s': [stats.rate, unit, 'rate'] };
  return {
    avg: [stats.avg, unit, 'avg'],
    p99: [p99, unit, 'p99'],
    max: [stats.max, unit, 'max'],
    ...(type === 'client' && { total: [stats.count, null, 'count'] as const }),
  };
}
