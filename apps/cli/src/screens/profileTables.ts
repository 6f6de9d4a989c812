import { formatNumber, formatValue } from '@org/core';
import type { ProfileExport, ProfileMetric } from '@org/formats';
import { findAbortReason, readCounts } from '@org/run';
import { renderNamed, wrapText } from '@org/terminal/layout';
import colors from 'picocolors';
import { formatErrorText } from './errorText.ts';
import { listFailureAdvice } from './failureAdvice.ts';
import {
  findNameColumns,
  formatBullet,
  formatInteger,
  formatPercent,
  formatRequests,
  type ScreenStyle,
} from './screenText.ts';

/** The columns of the tables, as in AIPerf. */
const STATS = ['avg', 'min', 'max', 'p99', 'p90', 'p50', 'std'] as const;
/** Width of a value column, in terminal columns, including a space before the value. */
const VALUE_COLUMNS = 8;

/** Minimum time after the last successful request in the profiling phase that is shown, in seconds. */
const MIN_UNCOVERED_SECONDS = 2;

/** Maximum number of distinct errors to show. */
const MAX_ERRORS = 8;
/** Maximum number of lines of the message of an error. The rest is in the profile export, as the screen says. */
const MAX_ERROR_LINES = 6;
/** Widths of the number of an error and of its share of all requests, with a space before the share. */
const COUNT_COLUMNS = 7;
const SHARE_COLUMNS = 8;

/** Metrics of the client table by tag, in the order of AIPerf, with names that fit into the first column. */
export const METRIC_NAMES: ReadonlyMap<string, string> = new Map([
  ['time_to_first_token', 'Time to First Token'],
  ['time_to_second_token', 'Time to Second Token'],
  ['time_to_first_output_token', 'Time to First Output'],
  ['request_latency', 'Request Latency'],
  ['network_rtt', 'Network Round Trip'],
  ['network_adjusted_time_to_first_token', 'TTFT - Round Trip'],
  ['network_adjusted_request_latency', 'Latency - Round Trip'],
  ['inter_token_latency', 'Inter Token Latency'],
  ['output_token_throughput_per_user', 'Output tok/s per user'],
  ['e2e_output_token_throughput', 'E2E tok/s per user'],
  ['output_sequence_length', 'Output Length, tok'],
  ['input_sequence_length', 'Input Length, tok'],
  ['output_token_throughput', 'Output tok/s'],
  ['request_throughput', 'Requests/s'],
  ['goodput', 'Goodput, requests/s'],
  ['request_count', 'Requests'],
  ['error_request_count', 'Failed Requests'],
  ['cancelled_request_count', 'Cancelled Requests'],
]);

/** HTTP timings by tag, with their names. */
const TRACE_NAMES: ReadonlyMap<string, string> = new Map([
  ['http_req_blocked', 'Blocked'],
  ['http_req_dns_lookup', 'DNS Lookup'],
  ['http_req_connecting', 'Connecting'],
  ['http_req_sending', 'Sending'],
  ['http_req_waiting', 'Waiting'],
  ['http_req_receiving', 'Receiving'],
  ['http_req_total', 'Total'],
]);

/**
 * Renders the main results of a run as up to two lines: requests and duration, then throughput, latencies and
 * the share of good requests.
 *
 * @param profilingSeconds the duration of the profiling phase, if known. It is named if the last successful request
 * ended much earlier, because rates then cover only a part of the phase.
 */
export function renderHeadlines(
  document: ProfileExport,
  { width, color }: ScreenStyle,
  profilingSeconds = 0,
): string[] {
  const paint = colors.createColors(color);
  const readValue = (tag: string, stat: 'avg' | 'p50' | 'p99' = 'avg'): number | undefined =>
    (document[tag] as ProfileMetric | undefined)?.[stat];
  const { succeeded, failed, cancelled } = readCounts(document);
  const seconds = readValue('benchmark_duration');
  const requests = succeeded === 0 && failed > 0 ? 'no request succeeded' : formatRequests(succeeded);
  const isPartial = seconds !== undefined && profilingSeconds - seconds > MIN_UNCOVERED_SECONDS;
  const ofPhase = isPartial ? ` of ${formatValue(profilingSeconds, 'sec')}` : '';
  const requestTexts = [
    paint.bold(seconds === undefined ? requests : `${requests} in ${formatValue(seconds, 'sec')}${ofPhase}`),
    ...(failed > 0 ? [paint.red(`${formatInteger(failed)} failed`)] : []),
    ...(cancelled > 0 ? [paint.yellow(`${formatInteger(cancelled)} cancelled`)] : []),
    ...(document.was_cancelled ? [paint.yellow(findAbortReason(document) ? 'aborted' : 'interrupted')] : []),
  ];
  const performanceTexts = [
    formatRate(readValue('request_throughput'), 'requests/s'),
    formatRate(readValue('output_token_throughput'), 'tok/s'),
    formatLatency('TTFT p99', readValue('time_to_first_token', 'p99')),
    formatLatency('ITL', readValue('inter_token_latency')),
    formatGoodShare(readValue('good_request_fraction')),
  ].filter(text => text !== '');
  return [
    requestTexts.join('  '),
    ...(performanceTexts.length > 0 ? wrapText(performanceTexts.join(', '), width - 1).map(paint.bold) : []),
  ];
}

function formatRate(value: number | undefined, unit: string): string {
  return value === undefined ? '' : `${formatNumber(value)} ${unit}`;
}

/** Formats the share of requests that meet the goodput limits; the table contains their rate. */
function formatGoodShare(share: number | undefined): string {
  return share === undefined ? '' : `${formatPercent(share)} good`;
}

function formatLatency(name: string, value: number | undefined): string {
  return value === undefined ? '' : `${name} ${formatValue(value, 'ms')}`;
}

/** Renders the table of client metrics; empty if no request succeeded. */
export function renderClientTable(document: ProfileExport, style: ScreenStyle): string[] {
  if (readCounts(document).succeeded === 0) return [];
  // Without reasoning tokens, this metric equals the time to first token.
  const hasReasoning = document.reasoning_token_count !== undefined;
  const rows = [...METRIC_NAMES].filter(([tag]) => tag !== 'time_to_first_output_token' || hasReasoning);
  return renderTable('Client', rows, document, style);
}

/** Renders the table of HTTP timings. */
export function renderTraceTable(document: ProfileExport, style: ScreenStyle): string[] {
  return renderTable('HTTP', [...TRACE_NAMES], document, style);
}

function renderTable(
  title: string,
  rows: readonly (readonly [tag: string, name: string])[],
  document: ProfileExport,
  { width, color }: ScreenStyle,
): string[] {
  const paint = colors.createColors(color);
  const stats = selectStats(width);
  const nameWidth = findNameColumns(stats.length * VALUE_COLUMNS, width);
  const heads = paint.dim(stats.map(stat => stat.padStart(VALUE_COLUMNS)).join(''));
  const head = renderNamed(title, heads, { nameWidth, width, paintName: paint.bold });
  const lines = rows.flatMap(([tag, name]) => {
    const metric = document[tag] as ProfileMetric | undefined;
    return metric ? renderNamed(name, renderCells(metric, stats), { nameWidth, width }) : [];
  });
  return lines.length === 0 ? [] : [...head, ...lines];
}

/** Selects the columns that fit into `width` below the names. The last ones are omitted. */
function selectStats(width: number): readonly (typeof STATS)[number][] {
  return STATS.slice(0, Math.max(1, Math.floor((width - 1) / VALUE_COLUMNS)));
}

function renderCells(metric: ProfileMetric, stats: readonly (typeof STATS)[number][]): string {
  const unit = /^(?:ms|sec|ns)$/.test(metric.unit) ? metric.unit : null;
  return stats
    .map(stat => {
      const value = metric[stat];
      const text = value === undefined ? '' : formatValue(value, unit, VALUE_COLUMNS - 1);
      return text.padStart(VALUE_COLUMNS);
    })
    .join('');
}

/** Renders an error: its number, its share of all requests, and its text. Says how much of a very long text is omitted. */
function renderError(count: number, share: number, text: string, width: number): string[] {
  const start = formatInteger(count).padStart(COUNT_COLUMNS) + formatPercent(share).padStart(SHARE_COLUMNS);
  const nameWidth = start.length + 2;
  const lines = wrapText(text, width, ' '.repeat(nameWidth)).map(line => line.slice(nameWidth));
  const omitted = lines.slice(MAX_ERROR_LINES).join(' ').length;
  const rest =
    omitted > 0
      ? wrapText(
          `(${formatInteger(omitted)} more characters: error_summary of the profile export)`,
          width,
          ' '.repeat(nameWidth),
        )
      : [];
  const shown = lines.slice(0, MAX_ERROR_LINES);
  return [...shown.map((line, i) => `${(i === 0 ? start : '').padEnd(nameWidth)}${line}`), ...rest];
}

/** Renders the number of failed requests, their most frequent causes (count, share, type, code and message), and what to do. */
export function renderFailures(document: ProfileExport, { width, color }: ScreenStyle): string[] {
  const paint = colors.createColors(color);
  const errors = document.error_summary ?? [];
  const { succeeded, failed, cancelled } = readCounts(document);
  if (failed === 0) return [];
  const attempts = succeeded + failed + cancelled;
  const lines = errors.slice(0, MAX_ERRORS).flatMap(({ error_details: details, count }) => {
    const code = details?.code === null || details?.code === undefined ? '' : ` ${details.code}`;
    const text = `${details?.type ?? 'error'}${code}: ${formatErrorText(details?.message ?? '')}`;
    return renderError(count, count / attempts, text, width - 1);
  });
  const omittedCount = errors.length - MAX_ERRORS;
  return [
    paint.bold(paint.red(` ${formatInteger(failed)} of ${formatRequests(attempts)} failed`)),
    ...lines,
    ...(omittedCount > 0
      ? [paint.dim(`   and ${omittedCount} other ${omittedCount === 1 ? 'error' : 'errors'}`)]
      : []),
    ...listFailureAdvice(document).flatMap(advice => formatBullet(advice, { width, color })),
  ];
}
