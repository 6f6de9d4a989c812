import {
  type KvTransferTime,
  type RequestStage,
  type RequestTime,
  readStageTrends,
  type StageName,
  type StagePercentile,
} from '@org/analysis';
import { formatValue } from '@org/core';
import { renderSparkline, renderTable, wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';

/** The names of stages on screens. */
export const STAGE_TITLES: Readonly<Record<StageName, string>> = {
  outside: 'outside of the servers',
  preprocess: 'preprocessing',
  route: 'routing',
  transport: 'transport',
  frontend: 'rest of the frontend',
  queue: 'queue',
  prefill: 'prefill',
  first_token: 'queue and prefill',
  decode: 'decode',
  server: 'rest of the server',
};

/** The share of the free lines that the table may take, so that the tables of metrics also become larger. */
const MAX_SHARE = 1 / 2;

/** The name of the transfers of KV cache, which are a part of another stage. */
export const KV_TRANSFER_TITLE = 'KV transfer';

/** Says which stage contains the transfers of KV cache, and that they are not added. */
export function describeKvTransfer({ within, transfers }: KvTransferTime, requests: number): string {
  const overlap = `${KV_TRANSFER_TITLE} is a part of ${STAGE_TITLES[within]}, and not added`;
  if (transfers <= requests) return overlap;
  return `${overlap}; ${transfers} transfers of ${requests} requests, which can run at the same time`;
}

const COLUMNS = [
  { width: 27, align: 'left' },
  { width: 10, align: 'right' },
  { width: 8, align: 'right' },
  { width: 10, align: 'right' },
  { width: 25, align: 'right' },
] as const;

/** Minimum and maximum width of the sparklines, which are shown on screens wider than the other columns. */
const TREND_COLUMNS = { min: 8, max: 24 } as const;

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

function renderRows(time: RequestTime, { paint, width }: Screen): string[] {
  const heads = ['Time of a request', 'mean', 'share', 'p50', 'p99 (bounds)'];
  const rows = time.stages.map(stage => [STAGE_TITLES[stage.stage], ...formatTimes(stage)]);
  const trends = renderTrends(time, width);
  const total = ['request', ...formatTimes({ ...time, share: 1 })];
  return renderTable(
    [...COLUMNS, ...(trends.length > 0 ? [{ width: TREND_COLUMNS.max + 2, align: 'left' } as const] : [])],
    [
      [...heads, ...(trends.length > 0 ? ['over time'] : [])].map((head, i) =>
        i === 0 ? paint.bold(head) : paint.dim(head),
      ),
      ...rows.map((row, i) => [...row, ...(trends.length > 0 ? [paint.cyan(trends[i]!)] : [])]),
      total.map(cell => paint.bold(cell)),
      ...(time.kvTransfer ? [[KV_TRANSFER_TITLE, ...formatTimes(time.kvTransfer)]] : []),
    ],
    { paddingLeft: 1 },
  ).split('\n');
}

/** Returns the mean, the share and the percentiles of a stage or of the whole request as the cells of a table. */
export function formatTimes({
  meanMs,
  share,
  p50,
  p99,
}: Pick<RequestStage, 'meanMs' | 'share' | 'p50' | 'p99'>): string[] {
  return [formatMs(meanMs), formatShare(share), p50 ? formatMedian(p50) : '', p99 ? formatBounded(p99) : ''];
}

/** Renders a sparkline of each stage; empty if the screen is too narrow, or without timeslices. */
function renderTrends(time: RequestTime, screenWidth: number): string[] {
  const columns = COLUMNS.reduce((sum, { width }) => sum + width, 0);
  const width = Math.min(TREND_COLUMNS.max, screenWidth - columns - 3);
  const trends = readStageTrends(time);
  if (width < TREND_COLUMNS.min || trends.size === 0) return [];
  return time.stages.map(({ stage }) => renderSparkline(trends.get(stage) ?? [], width));
}

/** Renders the legend, and what is not known. */
function renderNotes(
  { unknown, stages, kvTransfer, requests }: RequestTime,
  { paint, width }: Screen,
): string[] {
  const legend = stages.some(({ p99 }) => p99) ? ['means add up, percentiles do not'] : [];
  const overlap = kvTransfer ? [describeKvTransfer(kvTransfer, requests)] : [];
  const notes = [...legend, ...overlap, ...unknown.map(sentence => `not known: ${sentence}`)];
  return notes.flatMap(note => wrapText(note, width - 1).map(line => paint.dim(` ${line}`)));
}

function renderLine({ stages, meanMs }: RequestTime, { paint, width }: Screen): string[] {
  const parts = stages.map(
    ({ stage, meanMs, share }) => `${STAGE_TITLES[stage]} ${formatMs(meanMs)} (${formatShare(share)})`,
  );
  const title = ' Request';
  return wrapText(`${title.trimStart()} ${formatMs(meanMs)}: ${parts.join(', ')}`, width, ' ').map(
    (line, i) => (i === 0 ? `${paint.bold(title)}${line.slice(title.length)}` : line),
  );
}

/** Formats a share with one decimal, so that shares of a column are comparable. */
function formatShare(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/**
 * Formats a percentile with its bounds, such as `2.75 s (2.5 s–5 s)`. If the bounds are too wide for an estimate, such as
 * a first bucket of 300 ms for a prefill of 10 ms, only the bounds are known.
 */
function formatBounded(percentile: StagePercentile): string {
  const { valueMs, boundsMs } = percentile;
  if (!boundsMs) return formatMs(valueMs);
  const [lower, upper] = boundsMs;
  const range = `${formatMs(lower)}–${upper === null ? '∞' : formatMs(upper)}`;
  return isKnown(percentile) ? `${formatMs(valueMs)} (${range})` : range;
}

/** Formats a percentile in a narrow column: the estimate or, if the bounds are too wide for one, its upper bound. */
function formatMedian(percentile: StagePercentile): string {
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
function formatMs(ms: number): string {
  return formatValue(Number(ms.toPrecision(3)), 'milliseconds');
}
