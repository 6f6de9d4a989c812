import type { ServerMetricsView } from '@org/formats/read';
import Table from 'cli-table3';
import colors from 'picocolors';
import stringWidth from 'string-width';
import { cutEnd } from './cut.ts';
import { figure, time } from './figure.ts';
import { distinctions, type KeyFigure, type KeyMetrics, keyMetrics } from './keymetrics.ts';
import { rowLabels } from './rowlabel.ts';
import { printable } from './terminal.ts';
import { trendLine } from './trend.ts';

export interface SummaryOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly color: boolean;
}

type Colors = ReturnType<typeof colors.createColors>;

/** A metric with more series than this shows its first ones and says how many there are. */
const MOST_SERIES = 4;

/**
 * A run on one screen: what was scraped and how it fared, and the key metrics of each kind of server that is recognised.
 */
export function renderSummary(document: ServerMetricsView, options: SummaryOptions): string {
  const paint = colors.createColors(options.color);
  const tables = keyMetrics(document).map(metrics => renderServer(metrics, options.width, paint));
  const unknown = `No known inference server among ${Object.keys(document.metrics).length} metrics; see the exports.`;
  return [
    renderEndpoints(document, options.width, paint),
    ...(tables.length > 0 ? tables : [paint.dim(unknown)]),
  ].join('\n\n');
}

/** A file without a summary (CSV) only says how much is in it. */
function renderEndpoints({ summary, metrics }: ServerMetricsView, width: number, paint: Colors): string {
  const series = Object.values(metrics).reduce((sum, metric) => sum + metric.series.length, 0);
  const contents = `${Object.keys(metrics).length} metrics in ${series} series`;
  const title = [...(summary ? [period(summary)] : []), ...(summary?.was_cancelled ? ['interrupted'] : [])];
  const lines = Object.entries(summary?.endpoint_info ?? {}).map(([url, info]) => {
    const mark =
      info.total_fetches === 0 ? paint.red('✗') : isWell(info) ? paint.green('✓') : paint.yellow('!');
    return listed(`${mark} ${printable(url)}`, fared(info), width, paint.dim);
  });
  return [listed(paint.bold('Server metrics'), [...title, contents], width), ...lines].join('\n');
}

/** What comes after a name: on its line, or indented on lines of its own where that is too narrow. */
function listed(
  name: string,
  parts: readonly string[],
  width: number,
  style: (text: string) => string = text => text,
): string {
  const whole = parts.join(', ');
  if (stringWidth(name) + 2 + stringWidth(whole) <= width) return `${name}  ${style(whole)}`;
  const lines: string[] = [];
  for (const word of whole.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(`  ${word}`);
  }
  return [name, ...lines.map(style)].join('\n');
}

type Summary = NonNullable<ServerMetricsView['summary']>;

/** The time that the figures speak of, within the time that was scraped. */
function period(summary: Summary): string {
  const { start_time, end_time, profiling_start_ns: start, profiling_end_ns: end } = summary;
  const seconds = (Date.parse(utc(end_time)) - Date.parse(utc(start_time))) / 1000;
  const whole = time(Math.max(0, seconds));
  if (start === undefined || end === undefined) return whole;
  return `profiling ${time(Math.max(0, Number(end - start) / 1e9))} of ${whole}`;
}

type Info = Summary['endpoint_info'][string];

function isWell({ status }: Info): boolean {
  return status === undefined || status === 'active';
}

function fared(info: Info): string[] {
  const parts = info.total_fetches === 0 ? [] : [`${info.total_fetches} scrapes`];
  if (info.avg_fetch_latency_ms !== undefined)
    parts.push(`${figure(info.avg_fetch_latency_ms, 'milliseconds')} each`);
  if (info.scrapes_failed) parts.push(`${info.scrapes_failed} failed`);
  if (info.scrapes_late) parts.push(`${info.scrapes_late} late`);
  if (info.samples_dropped) parts.push(`${info.samples_dropped} samples dropped`);
  if (info.status !== undefined && !isWell(info)) parts.push(info.status.replaceAll('_', ' '));
  if (info.last_error) parts.push(`last error: it ${printable(info.last_error)}`);
  return parts;
}

function utc(time: string): string {
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`;
}

/** Eight characters and a blank: `11.75 ms`. */
const NUMBER_WIDTH = 9;
/** The name's column: with less, names are all alike. */
const LEAST_NAME = 24;
const MOST_NAME = 48;

const NUMBERS = ['avg', 'p99', 'max', 'total', 'per s'] as const;
type NumberColumn = (typeof NUMBERS)[number];
/** Which columns a narrow terminal goes without, the first first: p99 says nearly what the maximum says. */
const DISPENSABLE: readonly NumberColumn[] = ['max', 'per s', 'p99', 'total'];

function numberColumns(width: number): NumberColumn[] {
  const excess = LEAST_NAME + NUMBERS.length * NUMBER_WIDTH - width;
  const left = new Set(DISPENSABLE.slice(0, Math.max(0, Math.ceil(excess / NUMBER_WIDTH))));
  return NUMBERS.filter(name => !left.has(name));
}

/** The columns of a table: what they are and how wide. */
interface Room {
  readonly name: number;
  readonly numbers: readonly NumberColumn[];
  /** 0 when there is no column for it. */
  readonly trend: number;
}

function roomFor(figures: readonly KeyFigure[], width: number): Room {
  const numbers = numberColumns(width);
  const trend = trendWidth(figures, width);
  const rest = width - numbers.length * NUMBER_WIDTH - (trend > 0 ? trend + 2 : 0);
  return { name: Math.max(NUMBER_WIDTH, Math.min(MOST_NAME, rest)), numbers, trend };
}

function renderServer({ server, figures }: KeyMetrics, width: number, paint: Colors): string {
  const room = roomFor(figures, width);
  const columns: { name: string; width: number; align: 'left' | 'right' }[] = [
    { name: paint.bold(server.name), width: room.name, align: 'left' },
    ...room.numbers.map(name => ({ name: paint.dim(name), width: NUMBER_WIDTH, align: 'right' as const })),
    ...(room.trend > 0
      ? [{ name: paint.dim('over time'), width: room.trend + 2, align: 'left' as const }]
      : []),
  ];
  const table = new Table({
    head: columns.map(({ name }) => name),
    colWidths: columns.map(column => column.width),
    colAligns: columns.map(({ align }) => align),
    style: { head: [], border: [], compact: true, 'padding-left': 1, 'padding-right': 0 },
    chars: BARE,
  });
  for (const group of groups(figures)) {
    for (const row of rowsOf(group, room, paint)) table.push(filled(row, columns.length));
  }
  return table.toString();
}

/** There is room for a trend on terminals wider than 80 columns; it is as long as the longest, up to 24. */
function trendWidth(figures: readonly KeyFigure[], width: number): number {
  const longest = Math.max(...figures.map(({ trend }) => trend.length));
  return longest < 2 ? 0 : Math.max(0, Math.min(Math.max(longest, 'over time'.length), 24, width - 82));
}

/** Exactly so many cells: without a column for it, the trend is left out. */
function filled(row: readonly string[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => row[column] ?? '');
}

const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

function groups(figures: readonly KeyFigure[]): KeyFigure[][] {
  const byName = new Map<string, KeyFigure[]>();
  for (const one of figures) byName.set(one.metric.name, [...(byName.get(one.metric.name) ?? []), one]);
  return [...byName.values()];
}

/** One row for a metric with one series; with several the name alone, then what tells them apart. */
function rowsOf(group: readonly KeyFigure[], room: Room, paint: Colors): string[][] {
  const sorted = [...group].sort((a, b) => weight(b) - weight(a));
  const names = rowLabels(distinctions(sorted).slice(0, MOST_SERIES), room.name - 3);
  const name = cutEnd(group[0]!.metric.name.replace(/^[a-z]+[:_]/, ''), room.name - 1);
  const rows = names.map((text, index) => {
    const one = sorted[index]!;
    const label = text === '' ? name : `  ${text}`;
    const trend = paint.cyan(trendLine(one.trend, room.trend));
    return [label, ...numberCells(one, room.numbers, paint), trend];
  });
  if (names.some(text => text !== '')) rows.unshift([name]);
  if (sorted.length > MOST_SERIES) rows.push([paint.dim(`  and ${sorted.length - MOST_SERIES} more`)]);
  return rows;
}

/** The series with the most to say come first. */
function weight({ metric, stats }: KeyFigure): number {
  return stats.total ?? stats.count ?? stats[metric.stat] ?? 0;
}

/** A figure of a table: its value, its unit, and the statistic that it is. */
type Cell = readonly [value: number | undefined, unit: string | null, stat: string];

function numberCells(one: KeyFigure, columns: readonly NumberColumn[], paint: Colors): string[] {
  const cells = cellsOf(one);
  return columns.map(column => {
    const [value, unit, stat] = cells[column] ?? [];
    if (value === undefined) return '';
    const text = figure(value, unit, NUMBER_WIDTH - 1);
    return stat === one.metric.stat ? paint.bold(text) : text;
  });
}

/** A rate keeps its unit: seconds of queueing per second are how many requests queued on average (Little's law). */
function cellsOf({ unit, stats, type }: KeyFigure): Partial<Record<NumberColumn, Cell>> {
  if (type === 'histogram')
    return {
      avg: [stats.avg, unit, 'avg'],
      p99: [stats.p99_estimate, unit, 'p99_estimate'],
      total: [stats.count, null, 'count'],
    };
  if (type === 'counter') return { total: [stats.total, unit, 'total'], 'per s': [stats.rate, unit, 'rate'] };
  const { p99 } = stats as { p99?: number };
  return { avg: [stats.avg, unit, 'avg'], p99: [p99, unit, 'p99'], max: [stats.max, unit, 'max'] };
}
