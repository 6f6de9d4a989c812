import { stripVTControlCharacters } from 'node:util';
import { combineSeries, distinguishSeries, type KeyMetric } from '@org/analysis';
import { formatCount } from '@org/core';
import { renderNamed, renderSparkline, renderTable, type TableColumn, wrapText } from '@org/terminal/layout';
import stringWidth from 'string-width';
import { formatRate } from '../rateInterval.ts';
import type { Screen } from '../screen.ts';
import { formatRowLabels } from './rowLabels.ts';

/** The maximum number of series to list per metric. Further series are only counted. */
const MAX_SERIES = 4;

/** The width of a number column: a space and eight characters, such as `11.75 ms`. */
const NUMBER_WIDTH = 9;
/** The width of a number column with intervals, such as `11.26–13.72`. */
const INTERVAL_WIDTH = 13;
/** In a narrower name column, truncated names would be indistinguishable. */
const MIN_NAME_COLUMNS = 24;
/** The names of unknown metrics often differ only at their end. */
const MIN_UNKNOWN_NAME_COLUMNS = 36;
const MAX_NAME_COLUMNS = 48;
/** A shorter sparkline would not show a trend. */
const MIN_TREND_COLUMNS = 8;
const MAX_TREND_COLUMNS = 24;

const NUMBERS = ['avg', 'p50', 'p99', 'max', 'total', 'per s'] as const;
type NumberColumn = (typeof NUMBERS)[number];
/** The columns to omit in narrow terminals, in this order. `max` is omitted first, because `p99` is similar. */
const OPTIONAL_COLUMNS: readonly NumberColumn[] = ['max', 'per s', 'p99', 'total', 'p50'];

/** The layout of a table. Widths are in terminal columns. */
interface TableLayout {
  readonly nameWidth: number;
  readonly numberWidth: number;
  readonly numberColumns: readonly NumberColumn[];
  /** Width of the sparklines; 0 for a table without sparklines. */
  readonly trendWidth: number;
}

/** A table layout, and the endpoints whose rates are marked, because they cover only a part of the run. */
interface MarkedLayout extends TableLayout {
  readonly partialUrls: ReadonlySet<string>;
}

/**
 * Renders the key metrics of a server or of the client, with one row per series. If `maxMetrics` is set,
 * renders at most this number of metrics, with one row per metric.
 */
export function renderMetricTable(
  title: string,
  metrics: readonly KeyMetric[],
  maxMetrics: number | undefined,
  screen: Screen,
  partialUrls: ReadonlySet<string> = new Set(),
): string[] {
  const { paint, width } = screen;
  const layout = { ...computeLayout(metrics, width), partialUrls };
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
  const groups = groupByMetric(metrics);
  const rows = groups
    .slice(0, maxMetrics)
    .flatMap(group =>
      maxMetrics === undefined
        ? buildRows(group, layout, screen)
        : [renderCombinedRow(group, `×${group.length}`, layout, screen)],
    );
  if (maxMetrics !== undefined && groups.length > maxMetrics)
    rows.push([paint.dim(`and ${formatCount(groups.length - maxMetrics, 'more metric')}`)]);
  const heads = columns.map(({ name }) => name);
  return renderRows([heads, ...rows], columns, width);
}

/** Renders rows of a table. A name that does not fit into its column is on separate lines, above its values. */
function renderRows(
  rows: readonly (readonly string[])[],
  columns: readonly TableColumn[],
  width: number,
): string[] {
  const nameWidth = columns[0]!.width;
  const needsLine = ([name = '']: readonly string[]): boolean => stringWidth(name) >= nameWidth;
  const cells = rows.map(row => padRow(needsLine(row) ? ['', ...row.slice(1)] : row, columns.length));
  const lines = renderTable(columns, cells, { paddingLeft: 1 }).split('\n');
  return rows.flatMap((row, i) => {
    if (!needsLine(row)) return [lines[i]!];
    const name = stripVTControlCharacters(row[0]!);
    const indent = ` ${/^ */.exec(name)![0]}`;
    return renderNamed(name.trimStart(), lines[i]!.trimStart() === '' ? '' : lines[i]!, {
      nameWidth: 0,
      width,
      indent,
    });
  });
}

/** Counts the lines of each metric in a table with one row per metric. */
export function countRowLines(metrics: readonly KeyMetric[], width: number): number[] {
  const { nameWidth } = computeLayout(metrics, width);
  return groupByMetric(metrics).map(group => {
    const name = `${formatShortName(group)}${formatSuffix(group, `×${group.length}`)}`;
    return stringWidth(name) < nameWidth ? 1 : 1 + wrapText(name, width, ' ').length;
  });
}

/**
 * Computes the layout of a table that fits into `width`. If space is short, number columns become narrower; then
 * sparklines and then number columns are omitted.
 */
function computeLayout(metrics: readonly KeyMetric[], width: number): TableLayout {
  const slices = metrics.reduce((max, { trend }) => Math.max(max, trend.length), 0);
  const trendWidth = slices < 2 ? 0 : Math.max(MIN_TREND_COLUMNS + 1, Math.min(slices, MAX_TREND_COLUMNS));
  const isUnknown = metrics.some(({ showsMedian }) => showsMedian);
  const minNameWidth = isUnknown ? MIN_UNKNOWN_NAME_COLUMNS : MIN_NAME_COLUMNS;
  const shown = NUMBERS.filter(name => name !== 'p50' || isUnknown);
  const hasIntervals = metrics.some(({ stats }) => stats.rate_upper !== undefined);
  if (hasIntervals) return createLayout(omitColumns(shown, INTERVAL_WIDTH, width), INTERVAL_WIDTH, 0, width);
  for (const numberWidth of [NUMBER_WIDTH, NUMBER_WIDTH - 1]) {
    const availableWidth = width - shown.length * numberWidth - minNameWidth - 2;
    if (trendWidth === 0 && availableWidth >= -2) break;
    if (trendWidth > 0 && availableWidth >= MIN_TREND_COLUMNS + 1)
      return createLayout(shown, numberWidth, Math.min(trendWidth, availableWidth), width);
  }
  return createLayout(omitColumns(shown, NUMBER_WIDTH, width), NUMBER_WIDTH, 0, width);
}

/** Omits the columns that do not fit into `width`. */
function omitColumns(
  shown: readonly NumberColumn[],
  numberWidth: number,
  width: number,
): readonly NumberColumn[] {
  const excess = MIN_NAME_COLUMNS + shown.length * numberWidth - width;
  const omitted = new Set(OPTIONAL_COLUMNS.slice(0, Math.max(0, Math.ceil(excess / numberWidth))));
  return shown.filter(name => !omitted.has(name));
}

/** Creates a layout in which the name column takes the remaining width, within limits. */
function createLayout(
  numberColumns: readonly NumberColumn[],
  numberWidth: number,
  trendWidth: number,
  width: number,
): TableLayout {
  const remainingWidth = width - numberColumns.length * numberWidth - (trendWidth > 0 ? trendWidth + 2 : 0);
  const nameWidth = Math.max(NUMBER_WIDTH, Math.min(MAX_NAME_COLUMNS, remainingWidth));
  return { nameWidth, numberWidth, numberColumns, trendWidth };
}

/** Adds empty cells to a row, up to the number of columns. */
function padRow(row: readonly string[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => row[column] ?? '');
}

/** Groups the series of each metric. */
export function groupByMetric(metrics: readonly KeyMetric[]): KeyMetric[][] {
  const byName = new Map<string, KeyMetric[]>();
  for (const keyMetric of metrics) {
    const group = byName.get(keyMetric.metric.name);
    if (group) group.push(keyMetric);
    else byName.set(keyMetric.metric.name, [keyMetric]);
  }
  return [...byName.values()];
}

function formatShortName(group: readonly KeyMetric[]): string {
  return group[0]!.shortName;
}

function formatSuffix({ length }: readonly KeyMetric[], note: string): string {
  return length > 1 ? ` ${note}` : '';
}

/** Renders all series of a metric as one row. `note` describes the row, such as the number of series. */
function renderCombinedRow(
  group: readonly KeyMetric[],
  note: string,
  layout: MarkedLayout,
  screen: Screen,
): string[] {
  const suffix = formatSuffix(group, note);
  const name = formatShortName(group);
  return [`${name}${screen.paint.dim(suffix)}`, ...renderCells(combineSeries(group), group, layout, screen)];
}

/** Renders a metric as one row per series. If there are several series, the first row has their total or mean. */
function buildRows(group: readonly KeyMetric[], layout: MarkedLayout, screen: Screen): string[][] {
  const sorted = [...group].sort((a, b) => getSortValue(b) - getSortValue(a));
  const listedSeries = sorted.slice(0, MAX_SERIES);
  const names = formatRowLabels(distinguishSeries(sorted).slice(0, MAX_SERIES), layout.nameWidth - 3);
  const name = formatShortName(group);
  const rows = listedSeries.map((keyMetric, index) => {
    const label = names[index] === '' ? name : `  ${names[index]}`;
    return [label, ...renderCells(keyMetric, [keyMetric], layout, screen)];
  });
  if (names.some(text => text !== ''))
    rows.unshift(renderCombinedRow(group, group[0]!.isAveraged ? 'mean' : 'total', layout, screen));
  if (sorted.length > MAX_SERIES) rows.push([screen.paint.dim(`  and ${sorted.length - MAX_SERIES} more`)]);
  return rows;
}

/** Returns the sort key of a series; series are sorted in descending order. */
function getSortValue({ metric, stats }: KeyMetric): number {
  return stats.total ?? stats.count ?? stats[metric.stat] ?? 0;
}

/**
 * Renders the values of a series, or of several combined series. A rate that covers only a part of the run is marked
 * with an asterisk.
 */
function renderCells(
  keyMetric: KeyMetric,
  group: readonly KeyMetric[],
  layout: MarkedLayout,
  { paint }: Screen,
): string[] {
  const cells = selectNumbers(keyMetric);
  const isPartial = hasPartialRate(group, layout.partialUrls);
  const numbers = layout.numberColumns.map(column => {
    const [value, unit = null, stat, upper] = cells[column] ?? [];
    if (value === undefined) return '';
    const mark = isPartial && column === 'per s' ? '*' : '';
    const text = `${formatRate(value, upper, unit, layout.numberWidth - 1 - mark.length)}${mark}`;
    return stat === keyMetric.metric.stat ? paint.bold(text) : text;
  });
  return [...numbers, paint.cyan(renderSparkline(keyMetric.trend, layout.trendWidth))];
}

/**
 * Reports whether the rate of one or more series covers only a part of the run. Totals cover the whole run, unless it is
 * unknown whether an endpoint was available.
 */
export function hasPartialRate(group: readonly KeyMetric[], partialUrls: ReadonlySet<string>): boolean {
  return group.some(
    ({ endpointUrl, presence }) => partialUrls.has(endpointUrl) && (group.length === 1 || presence === 1),
  );
}

/** A value in a table, with its unit and statistic, and its upper bound if it is a rate that is known only as an interval. */
type Cell = readonly [
  value: number | undefined,
  unit: string | null,
  stat: string,
  upper?: number | undefined,
];

/**
 * Selects the statistics to show in a row. A rate has the unit of its counter. The rate of a queue time counter is the
 * mean number of queued requests (Little's law).
 */
function selectNumbers({ unit, stats, type }: KeyMetric): Partial<Record<NumberColumn, Cell>> {
  const { p50, p99 } = stats as { p50?: number; p99?: number };
  if (type === 'histogram')
    return {
      avg: [stats.avg, unit, 'avg'],
      p50: [stats.p50_estimate, unit, 'p50_estimate'],
      p99: [stats.p99_estimate, unit, 'p99_estimate'],
      total: [stats.count, null, 'count'],
    };
  if (type === 'counter')
    return {
      total: [stats.total, unit, 'total'],
      'per s': [stats.rate, unit, 'rate', stats.rate_upper],
    };
  return {
    avg: [stats.avg, unit, 'avg'],
    p50: [p50, unit, 'p50'],
    p99: [p99, unit, 'p99'],
    max: [stats.max, unit, 'max'],
    ...(type === 'client' && { total: [stats.count, null, 'count'] as const }),
  };
}
