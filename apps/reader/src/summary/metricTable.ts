import { combineSeries, distinguishSeries, type KeyMetric } from '@org/analysis';
import { formatValue } from '@org/core';
import { stripServerPrefix } from '@org/servers';
import { renderSparkline, renderTable, truncateEnd } from '@org/terminal/layout';
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
/** The columns that narrow terminals omit, in this order. The maximum comes first, because p99 is similar. */
const OPTIONAL_COLUMNS: readonly NumberColumn[] = ['max', 'per s', 'p99', 'total'];

/** The layout of a table, in columns of the terminal. */
interface TableLayout {
  readonly nameWidth: number;
  readonly numberWidth: number;
  readonly numberColumns: readonly NumberColumn[];
  /** 0 for a table without sparklines. */
  readonly trendWidth: number;
}

/**
 * Renders the key metrics of a server, or of the client: a row per series, or, with `maxMetrics`, a row for each of
 * the first metrics.
 */
export function renderMetricTable(
  title: string,
  metrics: readonly KeyMetric[],
  maxMetrics: number | undefined,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const layout = computeLayout(metrics, width);
  const columns: { name: string; width: number; align: 'left' | 'right' }[] = [
    { name: paint.bold(title), width: layout.nameWidth, align: 'left' },
    ...layout.numberColumns.map(name => ({
      name: paint.dim(name),
      width: layout.numberWidth,
      align: 'right' as const,
    })),
    ...(layout.trendWidth > 0
      ? [{ name: paint.dim('over time'), width: layout.trendWidth + 2, align: 'left' as const }]
      : []),
  ];
  const all = groupByMetric(metrics);
  const rows = all
    .slice(0, maxMetrics)
    .flatMap(group =>
      maxMetrics === undefined
        ? buildRows(group, layout, screen)
        : [renderCombinedRow(group, layout, screen)],
    );
  if (maxMetrics !== undefined && all.length > maxMetrics)
    rows.push([paint.dim(`and ${all.length - maxMetrics} more metrics`)]);
  const heads = columns.map(({ name }) => name);
  const cells = [heads, ...rows.map(row => padRow(row, columns.length))];
  return renderTable(columns, cells, { paddingLeft: 1 }).split('\n');
}

/** Counts the rows of a table with all series. */
export function countSeriesLines(metrics: readonly KeyMetric[]): number {
  return groupByMetric(metrics).reduce((lines, { length }) => {
    if (length === 1) return lines + 1;
    return lines + 1 + Math.min(length, MAX_SERIES) + Number(length > MAX_SERIES);
  }, 0);
}

/** Computes the layout for a width. Narrow tables have narrower numbers, then no sparklines, then fewer columns. */
function computeLayout(metrics: readonly KeyMetric[], width: number): TableLayout {
  const slices = metrics.reduce((most, { trend }) => Math.max(most, trend.length), 0);
  const trendWidth = slices < 2 ? 0 : Math.max(MIN_TREND_COLUMNS + 1, Math.min(slices, MAX_TREND_COLUMNS));
  for (const numberWidth of [NUMBER_WIDTH, NUMBER_WIDTH - 1]) {
    const rest = width - NUMBERS.length * numberWidth - MIN_NAME_COLUMNS - 2;
    if (trendWidth === 0 && rest >= -2) break;
    if (trendWidth > 0 && rest >= MIN_TREND_COLUMNS + 1)
      return distributeWidth(NUMBERS, numberWidth, Math.min(trendWidth, rest), width);
  }
  const excess = MIN_NAME_COLUMNS + NUMBERS.length * NUMBER_WIDTH - width;
  const omitted = new Set(OPTIONAL_COLUMNS.slice(0, Math.max(0, Math.ceil(excess / NUMBER_WIDTH))));
  const numbers = NUMBERS.filter(name => !omitted.has(name));
  return distributeWidth(numbers, NUMBER_WIDTH, 0, width);
}

/** Gives the name column the width that the other columns leave, within limits. */
function distributeWidth(
  numberColumns: readonly NumberColumn[],
  numberWidth: number,
  trendWidth: number,
  width: number,
): TableLayout {
  const rest = width - numberColumns.length * numberWidth - (trendWidth > 0 ? trendWidth + 2 : 0);
  const nameWidth = Math.max(NUMBER_WIDTH, Math.min(MAX_NAME_COLUMNS, rest));
  return { nameWidth, numberWidth, numberColumns, trendWidth };
}

/** Adds empty cells to a row, up to the number of columns. */
function padRow(row: readonly string[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => row[column] ?? '');
}

function groupByMetric(metrics: readonly KeyMetric[]): KeyMetric[][] {
  const byName = new Map<string, KeyMetric[]>();
  for (const figure of metrics) {
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
function renderCombinedRow(group: readonly KeyMetric[], layout: TableLayout, screen: Screen): string[] {
  const count = group.length > 1 ? ` ×${group.length}` : '';
  const name = truncateEnd(formatShortName(group), layout.nameWidth - 1 - count.length);
  return [`${name}${screen.paint.dim(count)}`, ...renderCells(combineSeries(group), layout, screen)];
}

/** Renders a metric with one series as one row; with several, its name and then a row per series. */
function buildRows(group: readonly KeyMetric[], layout: TableLayout, screen: Screen): string[][] {
  const sorted = [...group].sort((a, b) => getSortValue(b) - getSortValue(a));
  const shown = sorted.slice(0, MAX_SERIES);
  const names = formatRowLabels(distinguishSeries(sorted).slice(0, MAX_SERIES), layout.nameWidth - 3);
  const name = truncateEnd(formatShortName(group), layout.nameWidth - 1);
  const rows = shown.map((figure, index) => {
    const label = names[index] === '' ? name : `  ${names[index]}`;
    return [label, ...renderCells(figure, layout, screen)];
  });
  if (names.some(text => text !== '')) rows.unshift([name]);
  if (sorted.length > MAX_SERIES) rows.push([screen.paint.dim(`  and ${sorted.length - MAX_SERIES} more`)]);
  return rows;
}

/** Returns the value that series are sorted by, the highest first. */
function getSortValue({ metric, stats }: KeyMetric): number {
  return stats.total ?? stats.count ?? stats[metric.stat] ?? 0;
}

function renderCells(figure: KeyMetric, layout: TableLayout, { paint }: Screen): string[] {
  const cells = selectNumbers(figure);
  const numbers = layout.numberColumns.map(column => {
    const [value, unit, stat] = cells[column] ?? [];
    if (value === undefined) return '';
    const text = formatValue(value, unit, layout.numberWidth - 1);
    return stat === figure.metric.stat ? paint.bold(text) : text;
  });
  return [...numbers, paint.cyan(renderSparkline(figure.trend, layout.trendWidth))];
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
