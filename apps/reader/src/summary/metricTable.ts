import { combineSeries, distinguishSeries, type KeyMetric } from '@org/analysis';
import { formatValue } from '@org/core';
import { stripServerPrefix } from '@org/servers';
import { drawSparkline, drawTable, truncateEnd } from '@org/terminal';
import type { Screen } from '../screen.ts';
import { formatRowLabels } from './rowLabels.ts';

/** A metric with more series than this shows its first ones and says how many there are. */
const MAX_SERIES = 4;

/** Eight characters and a blank: `11.75 ms`. */
const NUMBER_WIDTH = 9;
/** The name's column: with less, names are all alike. */
const MIN_NAME_COLUMNS = 24;
const MAX_NAME_COLUMNS = 48;
/** A trend with fewer characters has no shape. */
const MIN_TREND_COLUMNS = 8;
const MAX_TREND_COLUMNS = 24;

const NUMBERS = ['avg', 'p99', 'max', 'total', 'per s'] as const;
type NumberColumn = (typeof NUMBERS)[number];
/** Which columns a narrow terminal goes without, the first first: p99 says nearly what the maximum says. */
const OPTIONAL_COLUMNS: readonly NumberColumn[] = ['max', 'per s', 'p99', 'total'];

/** The columns of a table: what they are and how wide. */
interface Room {
  readonly name: number;
  readonly number: number;
  readonly numbers: readonly NumberColumn[];
  /** 0 when there is no column for it. */
  readonly trend: number;
}

/**
 * One kind of server, or the client: its key metrics in a table, with a row for every series; or, with `most`, one for each of
 * the first so many metrics.
 */
export function renderMetricTable(
  title: string,
  figures: readonly KeyMetric[],
  most: number | undefined,
  look: Screen,
): string[] {
  const { paint, width } = look;
  const room = roomFor(figures, width);
  const columns: { name: string; width: number; align: 'left' | 'right' }[] = [
    { name: paint.bold(title), width: room.name, align: 'left' },
    ...room.numbers.map(name => ({ name: paint.dim(name), width: room.number, align: 'right' as const })),
    ...(room.trend > 0
      ? [{ name: paint.dim('over time'), width: room.trend + 2, align: 'left' as const }]
      : []),
  ];
  const all = groups(figures);
  const rows = all
    .slice(0, most)
    .flatMap(group => (most === undefined ? buildRows(group, room, look) : [rowOf(group, room, look)]));
  if (most !== undefined && all.length > most)
    rows.push([paint.dim(`and ${all.length - most} more metrics`)]);
  const heads = columns.map(({ name }) => name);
  const cells = [heads, ...rows.map(row => filled(row, columns.length))];
  return drawTable(columns, cells, { paddingLeft: 1 }).split('\n');
}

/** How many rows the detail `series` takes. */
export function countSeriesLines(figures: readonly KeyMetric[]): number {
  return groups(figures).reduce((lines, { length }) => {
    if (length === 1) return lines + 1;
    return lines + 1 + Math.min(length, MAX_SERIES) + Number(length > MAX_SERIES);
  }, 0);
}

/** With less room, figures have a digit less and p99 and max go, so that there is a trend. */
function roomFor(figures: readonly KeyMetric[], width: number): Room {
  const longest = figures.reduce((most, { trend }) => Math.max(most, trend.length), 0);
  const wanted = longest < 2 ? 0 : Math.max(MIN_TREND_COLUMNS + 1, Math.min(longest, MAX_TREND_COLUMNS));
  for (const number of [NUMBER_WIDTH, NUMBER_WIDTH - 1]) {
    const rest = width - NUMBERS.length * number - MIN_NAME_COLUMNS - 2;
    if (wanted === 0 && rest >= -2) break;
    if (wanted > 0 && rest >= MIN_TREND_COLUMNS + 1)
      return shared(NUMBERS, number, Math.min(wanted, rest), width);
  }
  const excess = MIN_NAME_COLUMNS + NUMBERS.length * NUMBER_WIDTH - width;
  const left = new Set(OPTIONAL_COLUMNS.slice(0, Math.max(0, Math.ceil(excess / NUMBER_WIDTH))));
  const numbers = NUMBERS.filter(name => !left.has(name));
  return shared(numbers, NUMBER_WIDTH, 0, width);
}

function shared(numbers: readonly NumberColumn[], number: number, trend: number, width: number): Room {
  const rest = width - numbers.length * number - (trend > 0 ? trend + 2 : 0);
  return { name: Math.max(NUMBER_WIDTH, Math.min(MAX_NAME_COLUMNS, rest)), number, numbers, trend };
}

/** Exactly so many cells: without a column for it, the trend is left out. */
function filled(row: readonly string[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => row[column] ?? '');
}

function groups(figures: readonly KeyMetric[]): KeyMetric[][] {
  const byName = new Map<string, KeyMetric[]>();
  for (const one of figures) {
    const group = byName.get(one.metric.name);
    if (group) group.push(one);
    else byName.set(one.metric.name, [one]);
  }
  return [...byName.values()];
}

function shortName(group: readonly KeyMetric[]): string {
  return stripServerPrefix(group[0]!.metric.name);
}

/** One row for all series of a metric, with how many they are. */
function rowOf(group: readonly KeyMetric[], room: Room, look: Screen): string[] {
  const several = group.length > 1 ? ` ×${group.length}` : '';
  const name = truncateEnd(shortName(group), room.name - 1 - several.length);
  return [`${name}${look.paint.dim(several)}`, ...cells(combineSeries(group), room, look)];
}

/** One row for a metric with one series; with several the name alone, then what tells them apart. */
function buildRows(group: readonly KeyMetric[], room: Room, look: Screen): string[][] {
  const sorted = [...group].sort((a, b) => weight(b) - weight(a));
  const shown = sorted.slice(0, MAX_SERIES);
  const names = formatRowLabels(distinguishSeries(sorted).slice(0, MAX_SERIES), room.name - 3);
  const name = truncateEnd(shortName(group), room.name - 1);
  const rows = shown.map((one, index) => {
    const label = names[index] === '' ? name : `  ${names[index]}`;
    return [label, ...cells(one, room, look)];
  });
  if (names.some(text => text !== '')) rows.unshift([name]);
  if (sorted.length > MAX_SERIES) rows.push([look.paint.dim(`  and ${sorted.length - MAX_SERIES} more`)]);
  return rows;
}

/** The series with the most to say come first. */
function weight({ metric, stats }: KeyMetric): number {
  return stats.total ?? stats.count ?? stats[metric.stat] ?? 0;
}

function cells(one: KeyMetric, room: Room, { paint }: Screen): string[] {
  const found = cellsOf(one);
  const numbers = room.numbers.map(column => {
    const [value, unit, stat] = found[column] ?? [];
    if (value === undefined) return '';
    const text = formatValue(value, unit, room.number - 1);
    return stat === one.metric.stat ? paint.bold(text) : text;
  });
  return [...numbers, paint.cyan(drawSparkline(one.trend, room.trend))];
}

/** A figure of a table: its value, its unit, and the statistic that it is. */
type Cell = readonly [value: number | undefined, unit: string | null, stat: string];

/** A rate keeps its unit: seconds of queueing per second are how many requests queued on average (Little's law). */
function cellsOf({ unit, stats, type }: KeyMetric): Partial<Record<NumberColumn, Cell>> {
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
