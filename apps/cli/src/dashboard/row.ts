import { formatValue } from '@org/core';
import type { LiveLatency, LiveLevel, LiveLimit, Points, Quantiles } from '@org/live';
import { padEnd, padStart, renderSparkline, truncateEnd } from '@org/terminal/layout';
import type { Canvas } from './canvas.ts';
import type { View } from './view.ts';

const NAME_COLUMNS = 11;
const NUMBER_COLUMNS = 8;
const LIMIT_COLUMNS = 10;
const MAX_SPARKLINE_COLUMNS = 60;

/** Shown in place of a value that is unknown. */
export const UNKNOWN = '-';

/** A row of a panel: a name, three numbers, a limit and the course of the last minute. */
export interface Row {
  readonly name: string;
  readonly now: string;
  readonly middle: string;
  readonly tail: string;
  readonly limit?: { readonly text: string; readonly isMet: boolean | undefined };
  readonly points: Points;
  /** The value at the top of the sparkline; the highest one by default. */
  readonly maximum?: number;
}

/** Formats a value that may be unknown. */
export function formatKnown(value: number | undefined, unit: string | null): string {
  if (value === undefined) return UNKNOWN;
  if (unit === '%') return `${formatValue(100 * value, null, NUMBER_COLUMNS - 3)}%`;
  return formatValue(value, unit, NUMBER_COLUMNS - 1);
}

/** Creates the row of a latency, with the limit of its goodput rule. */
export function createLatencyRow(
  name: string,
  latency: LiveLatency,
  view: View,
  limit?: LiveLimit | undefined,
): Row {
  const quantiles: Quantiles | undefined = latency[view.span];
  const tail = quantiles?.[view.tail];
  return {
    name,
    now: formatKnown(latency.now, 'ms'),
    middle: formatKnown(quantiles?.p50, 'ms'),
    tail: formatKnown(tail, 'ms'),
    points: latency.points,
    ...(limit ? { limit: createLimit(limit, tail) } : {}),
  };
}

function createLimit({ limit }: LiveLimit, tail: number | undefined): NonNullable<Row['limit']> {
  const isMet = tail === undefined ? undefined : tail <= limit;
  return { text: `≤${formatValue(limit, 'ms', LIMIT_COLUMNS - 4)}`, isMet };
}

/** Creates the row of a rate or a level. Its percentiles describe the readings of the last minute. */
export function createLevelRow(
  name: string,
  { now, points }: LiveLevel,
  view: View,
  options: { readonly unit?: string; readonly maximum?: number } = {},
): Row {
  const { unit = null, maximum } = options;
  const known = points.filter(point => point !== null).sort((a, b) => a - b);
  const find = (percent: number): number | undefined =>
    view.span === 'recent' ? known[Math.round((percent / 100) * (known.length - 1))] : undefined;
  return {
    name,
    now: formatKnown(now, unit),
    middle: formatKnown(find(50), unit),
    tail: formatKnown(find(Number(view.tail.slice(1))), unit),
    points,
    ...(maximum === undefined ? {} : { maximum }),
  };
}

/** Renders the rows of a panel below its title, in `columns` columns. */
export function renderRows(
  title: string,
  rows: readonly Row[],
  view: View,
  columns: number,
  { paint }: Canvas,
): string[] {
  const limitColumns = rows.some(({ limit }) => limit) ? LIMIT_COLUMNS : 0;
  const used = NAME_COLUMNS + 3 * NUMBER_COLUMNS + limitColumns + 1;
  const sparkline = Math.min(MAX_SPARKLINE_COLUMNS, columns - used);
  const numbers = ['now', 'p50', view.tail].map(text => padStart(text, NUMBER_COLUMNS)).join('');
  const heading = `${padEnd(title, NAME_COLUMNS)}${numbers}${padEnd(limitColumns > 0 ? '  SLO' : '', limitColumns)} ${padStart('last 60 s', sparkline)}`;
  return [
    paint.bold(truncateEnd(heading, columns)),
    ...rows.map(row => {
      const cells = [row.now, row.middle, row.tail].map(text => padStart(text, NUMBER_COLUMNS)).join('');
      const limit = limitColumns > 0 ? renderLimit(row, paint) : '';
      const points = padStart(renderSparkline(row.points, sparkline, row.maximum), sparkline);
      return `${padEnd(row.name, NAME_COLUMNS)}${cells}${limit} ${paint.cyan(points)}`;
    }),
  ];
}

/** Renders the limit of a row with a mark: whether the shown percentile meets it. */
function renderLimit({ limit }: Row, paint: Canvas['paint']): string {
  if (!limit) return ' '.repeat(LIMIT_COLUMNS);
  const mark = limit.isMet === undefined ? ' ' : limit.isMet ? '✓' : '✗';
  const text = padEnd(`  ${mark}${limit.text}`, LIMIT_COLUMNS);
  if (limit.isMet === undefined) return text;
  return limit.isMet ? paint.green(text) : paint.red(text);
}
