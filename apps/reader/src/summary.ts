import type { ServerMetricsView } from '@org/formats/read';
import Table from 'cli-table3';
import colors from 'picocolors';
import { figure, time } from './figure.ts';
import { distinctions, type KeyFigure, type KeyMetrics, keyMetrics } from './keymetrics.ts';
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
/** Eight characters and a blank: `11.75 ms`. */
const NUMBER_WIDTH = 9;

/**
 * A run on one screen: what was scraped and how it fared, and the key metrics of each kind of server that is recognised.
 */
export function renderSummary(document: ServerMetricsView, options: SummaryOptions): string {
  const paint = colors.createColors(options.color);
  const tables = keyMetrics(document).map(metrics => renderServer(metrics, options.width, paint));
  const unknown = `No known inference server among ${Object.keys(document.metrics).length} metrics; see the exports.`;
  return [renderEndpoints(document, paint), ...(tables.length > 0 ? tables : [paint.dim(unknown)])].join(
    '\n\n',
  );
}

/** A file without a summary (CSV) only says how much is in it. */
function renderEndpoints({ summary, metrics }: ServerMetricsView, paint: Colors): string {
  const series = Object.values(metrics).reduce((sum, metric) => sum + metric.series.length, 0);
  const title = paint.bold('Server metrics');
  const contents = `${Object.keys(metrics).length} metrics in ${series} series`;
  if (!summary) return `${title}  ${contents}`;
  const seconds = (Date.parse(utc(summary.end_time)) - Date.parse(utc(summary.start_time))) / 1000;
  const lines = Object.entries(summary.endpoint_info).map(([url, info]) => {
    const mark =
      info.total_fetches === 0 ? paint.red('✗') : isWell(info) ? paint.green('✓') : paint.yellow('!');
    return `${mark} ${printable(url)}  ${paint.dim(fared(info))}`;
  });
  return [`${title}  ${time(Math.max(0, seconds))}, ${contents}`, ...lines].join('\n');
}

type Info = NonNullable<ServerMetricsView['summary']>['endpoint_info'][string];

function isWell({ status }: Info): boolean {
  return status === undefined || status === 'active';
}

function fared(info: Info): string {
  const parts = info.total_fetches === 0 ? [] : [`${info.total_fetches} scrapes`];
  if (info.avg_fetch_latency_ms !== undefined)
    parts.push(`${figure(info.avg_fetch_latency_ms, 'milliseconds')} each`);
  if (info.scrapes_failed) parts.push(`${info.scrapes_failed} failed`);
  if (info.scrapes_late) parts.push(`${info.scrapes_late} late`);
  if (info.samples_dropped) parts.push(`${info.samples_dropped} samples dropped`);
  if (info.status !== undefined && !isWell(info)) parts.push(info.status.replaceAll('_', ' '));
  if (info.last_error) parts.push(`last error: it ${printable(info.last_error)}`);
  return parts.join(', ');
}

function utc(time: string): string {
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`;
}

const NUMBERS = ['avg', 'p99', 'max', 'total', 'per s'] as const;

function renderServer({ server, figures }: KeyMetrics, width: number, paint: Colors): string {
  const trend = trendWidth(figures, width);
  const numbersWidth = NUMBERS.length * NUMBER_WIDTH + (trend > 0 ? trend + 2 : 0);
  const nameWidth = Math.min(48, Math.max(24, width - numbersWidth));
  const columns: { name: string; width: number; align: 'left' | 'right' }[] = [
    { name: paint.bold(server.name), width: nameWidth, align: 'left' },
    ...NUMBERS.map(name => ({ name: paint.dim(name), width: NUMBER_WIDTH, align: 'right' as const })),
    ...(trend > 0 ? [{ name: paint.dim('over time'), width: trend + 2, align: 'left' as const }] : []),
  ];
  const table = new Table({
    head: columns.map(({ name }) => name),
    colWidths: columns.map(column => column.width),
    colAligns: columns.map(({ align }) => align),
    style: { head: [], border: [], compact: true, 'padding-left': 1, 'padding-right': 0 },
    chars: BARE,
  });
  const room = { name: nameWidth - 1, trend };
  for (const group of groups(figures)) {
    for (const row of rowsOf(group, room, paint)) table.push(filled(row, columns.length));
  }
  return table.toString();
}

interface Room {
  readonly name: number;
  /** 0 when there is no column for it. */
  readonly trend: number;
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
  const shown = [...group].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_SERIES);
  const names = distinctions(shown);
  const name = group[0]!.metric.name.replace(/^[a-z]+[:_]/, '');
  const rows = shown.map((one, index) => {
    const label = names[index] === '' ? name : `  ${printable(names[index]!)}`;
    return [cut(label, room.name), ...numbersOf(one, paint), paint.cyan(trendLine(one.trend, room.trend))];
  });
  if (names.some(text => text !== '')) rows.unshift([cut(name, room.name)]);
  if (group.length > shown.length) rows.push([paint.dim(`  and ${group.length - shown.length} more`)]);
  return rows;
}

/** The series with the most to say come first. */
function weight({ metric, stats }: KeyFigure): number {
  return stats.total ?? stats.count ?? stats[metric.stat] ?? 0;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function numbersOf({ metric, unit, stats, type }: KeyFigure, paint: Colors): string[] {
  const number = (value: number | undefined, of: string | null, stat: string): string => {
    if (value === undefined) return '';
    const text = figure(value, of);
    return stat === metric.stat ? paint.bold(text) : text;
  };
  if (type === 'histogram') {
    return [
      number(stats.avg, unit, 'avg'),
      number(stats.p99_estimate, unit, 'p99_estimate'),
      '',
      number(stats.count, null, 'count'),
      '',
    ];
  }
  if (type === 'counter') {
    return [
      '',
      '',
      '',
      number(stats.total, unit, 'total'),
      number(stats.rate, unit === 'bytes' ? unit : null, 'rate'),
    ];
  }
  const { p99 } = stats as { p99?: number };
  return [number(stats.avg, unit, 'avg'), number(p99, unit, 'p99'), number(stats.max, unit, 'max'), '', ''];
}
