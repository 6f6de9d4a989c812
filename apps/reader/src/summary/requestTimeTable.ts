import type { RequestTime, StageName, StagePercentile } from '@org/analysis';
import { formatValue } from '@org/core';
import { renderTable, truncateEnd, wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';

/** The names of stages on screens. */
export const STAGE_TITLES: Readonly<Record<StageName, string>> = {
  outside: 'outside of the servers',
  frontend: 'frontend and transfers',
  queue: 'queue',
  prefill: 'prefill',
  first_token: 'queue and prefill',
  decode: 'decode',
  server: 'rest of the server',
};

/** The share of the free lines that the table may take, so that the tables of metrics also become larger. */
const MAX_SHARE = 1 / 2;

const COLUMNS = [
  { width: 27, align: 'left' },
  { width: 10, align: 'right' },
  { width: 8, align: 'right' },
  { width: 10, align: 'right' },
  { width: 25, align: 'right' },
] as const;

/**
 * Renders where the time of a mean request goes: as a table, as one line if `freeLines` is too small for the table, or
 * not at all.
 */
export function renderRequestTime(time: RequestTime, screen: Screen, freeLines: number): string[] {
  const table = ['', ...renderRows(time, screen), ...renderNotes(time, screen)];
  if (screen.width >= 80 && table.length <= MAX_SHARE * freeLines) return table;
  const line = ['', ...renderLine(time, screen)];
  return line.length <= freeLines ? line : [];
}

function renderRows(time: RequestTime, { paint }: Screen): string[] {
  const heads = ['Time of a request', 'mean', 'share', 'p50', 'p99 (bounds)'];
  const rows = time.stages.map(({ stage, meanMs, share, p50, p99 }) => [
    STAGE_TITLES[stage],
    formatMs(meanMs),
    formatShare(share),
    p50 ? formatMedian(p50) : '',
    p99 ? formatBounded(p99) : '',
  ]);
  const total = ['request', formatMs(time.meanMs), formatShare(1), '', ''];
  return renderTable(
    COLUMNS,
    [
      heads.map((head, i) => (i === 0 ? paint.bold(head) : paint.dim(head))),
      ...rows,
      total.map(cell => paint.bold(cell)),
    ],
    { paddingLeft: 1 },
  ).split('\n');
}

/** Renders the legend, and what is not known. */
function renderNotes({ unknown, stages }: RequestTime, { paint, width }: Screen): string[] {
  const legend = stages.some(({ p99 }) => p99) ? ['means add up, percentiles do not'] : [];
  const notes = [...legend, ...unknown.map(sentence => `not known: ${sentence}`)];
  return notes.flatMap(note => wrapText(note, width - 1).map(line => paint.dim(` ${line}`)));
}

function renderLine({ stages, meanMs }: RequestTime, { paint, width }: Screen): string[] {
  const parts = stages.map(
    ({ stage, meanMs, share }) => `${STAGE_TITLES[stage]} ${formatMs(meanMs)} (${formatShare(share)})`,
  );
  return [` ${paint.bold('Request')} ${truncateEnd(`${formatMs(meanMs)}: ${parts.join(', ')}`, width - 9)}`];
}

/** Formats a share with one decimal, so that shares of a column are comparable. */
export function formatShare(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/**
 * Formats a percentile with its bounds, such as `2.75 s (2.5 s–5 s)`. If the bounds are too wide for an estimate, such as
 * a first bucket of 300 ms for a prefill of 10 ms, only the bounds are known.
 */
export function formatBounded(percentile: StagePercentile): string {
  const { valueMs, boundsMs } = percentile;
  if (!boundsMs) return formatMs(valueMs);
  const [lower, upper] = boundsMs;
  const range = `${formatMs(lower)}–${upper === null ? '∞' : formatMs(upper)}`;
  return isKnown(percentile) ? `${formatMs(valueMs)} (${range})` : range;
}

/** Formats a percentile in a narrow column: the estimate or, if the bounds are too wide for one, its upper bound. */
export function formatMedian(percentile: StagePercentile): string {
  const { valueMs, boundsMs } = percentile;
  if (!boundsMs || isKnown(percentile)) return formatMs(valueMs);
  const [lower, upper] = boundsMs;
  return upper === null ? `≥${formatMs(lower)}` : `≤${formatMs(upper)}`;
}

/** Reports whether the bounds of a percentile are closer together than the estimate is to zero. */
function isKnown({ valueMs, boundsMs }: StagePercentile): boolean {
  if (!boundsMs) return true;
  const [lower, upper] = boundsMs;
  return upper !== null && upper - lower <= valueMs;
}

/** Formats a time in ms with three significant digits. */
export function formatMs(ms: number): string {
  return formatValue(Number(ms.toPrecision(3)), 'milliseconds');
}
