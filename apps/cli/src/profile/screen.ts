import { formatValue } from '@org/core';
import type { ProfileExport, ProfileMetric } from '@org/formats';
import { toPrintable } from '@org/terminal';
import colors from 'picocolors';
import { cut, NAME, type ScreenLook, share, whole } from './screentext.ts';

/** Columns of the table of latencies: reference, section B2. */
const STATS = ['avg', 'min', 'max', 'p99', 'p90', 'p50', 'std'] as const;
/** `118.4 ms` and a blank. */
const FIGURE = 8;

/** Metrics of the table in AIPerf's order, by what they are called where there is little room. */
export const ROWS: readonly (readonly [tag: string, name: string])[] = [
  ['time_to_first_token', 'Time to First Token'],
  ['time_to_second_token', 'Time to Second Token'],
  ['time_to_first_output_token', 'Time to First Output'],
  ['request_latency', 'Request Latency'],
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
];

/** Steps of the HTTP requests, for those who ask. */
const TRACE_ROWS: readonly (readonly [tag: string, name: string])[] = [
  ['http_req_blocked', 'Blocked'],
  ['http_req_dns_lookup', 'DNS Lookup'],
  ['http_req_connecting', 'Connecting'],
  ['http_req_sending', 'Sending'],
  ['http_req_waiting', 'Waiting'],
  ['http_req_receiving', 'Receiving'],
  ['http_req_total', 'Total'],
];

/** What was asked, and what came of it in a line. */
export function headLines(document: ProfileExport, { width, color }: ScreenLook): string[] {
  const paint = colors.createColors(color);
  const value = (tag: string, stat: 'avg' | 'p50' | 'p99' = 'avg'): number | undefined =>
    (document[tag] as ProfileMetric | undefined)?.[stat];
  const [succeeded, failed, seconds] = [
    value('request_count') ?? 0,
    value('error_request_count') ?? 0,
    value('benchmark_duration'),
  ];
  const first = [
    `${whole(succeeded)} ${succeeded === 1 ? 'request' : 'requests'}`,
    ...(seconds === undefined ? [] : [`in ${formatValue(seconds, 'sec')}`]),
  ].join(' ');
  const parts = [
    ...(failed > 0 ? [paint.red(`${whole(failed)} failed`)] : []),
    ...(document.was_cancelled ? [paint.yellow('interrupted')] : []),
  ];
  const good = value('good_request_count');
  const shown = [
    told(value('request_throughput'), null, 'requests/s'),
    told(value('output_token_throughput'), null, 'tok/s'),
    told(value('time_to_first_token', 'p99'), 'ms', 'TTFT p99'),
    told(value('inter_token_latency'), 'ms', 'ITL'),
    ...(good === undefined || succeeded === 0 ? [] : [`${share(good / succeeded)} good`]),
  ].filter(text => text !== '');
  return [
    [paint.bold(first), ...parts].join('  '),
    ...(shown.length > 0 ? [paint.bold(cut(shown.join(', '), width - 1))] : []),
  ];
}

function told(value: number | undefined, unit: string | null, what: string): string {
  if (value === undefined) return '';
  return unit === null ? `${formatValue(value, null)} ${what}` : `${what} ${formatValue(value, unit)}`;
}

/** The latencies that the client measured, as a table. */
export function metricTable(document: ProfileExport, { color }: ScreenLook): string[] {
  const rows = ROWS.filter(([tag]) => tag !== 'time_to_first_output_token' || hasReasoning(document));
  return table('Client', rows, document, color);
}

/** The steps of the HTTP requests. */
export function traceTable(document: ProfileExport, { color }: ScreenLook): string[] {
  return table('HTTP', TRACE_ROWS, document, color);
}

/** Without reasoning the first output is the first token. */
function hasReasoning(document: ProfileExport): boolean {
  return document.reasoning_token_count !== undefined;
}

function table(
  title: string,
  rows: readonly (readonly [tag: string, name: string])[],
  document: ProfileExport,
  color: boolean,
): string[] {
  const paint = colors.createColors(color);
  const head = ` ${title.padEnd(NAME - 1)}`;
  const lines = rows.flatMap(([tag, name]) => {
    const block = document[tag] as ProfileMetric | undefined;
    return block ? [` ${name.padEnd(NAME - 1)}${cells(block)}`] : [];
  });
  return [paint.bold(head) + paint.dim(STATS.map(stat => stat.padStart(FIGURE)).join('')), ...lines].map(
    line => line.trimEnd(),
  );
}

function cells(block: ProfileMetric): string {
  return STATS.map(stat => {
    const value = block[stat];
    const unit = /^(?:ms|sec|ns)$/.test(block.unit) ? block.unit : null;
    return (value === undefined ? '' : formatValue(value, unit, FIGURE - 1)).padStart(FIGURE);
  }).join('');
}

/** How often what went wrong: code, type, message. */
export function errorLines(document: ProfileExport, { width, color }: ScreenLook): string[] {
  const paint = colors.createColors(color);
  const errors = document.error_summary ?? [];
  if (errors.length === 0) return [];
  const shown = errors.slice(0, MOST_ERRORS).map(({ error_details: details, count }) => {
    const code = details?.code === null || details?.code === undefined ? '' : ` ${details.code}`;
    const head = ` ${String(count).padStart(6)} × ${details?.type ?? 'error'}${code}: `;
    return cut(head + toPrintable(details?.message ?? '').replaceAll('␊', ' '), width - 1);
  });
  const more =
    errors.length > MOST_ERRORS ? [paint.dim(`   and ${errors.length - MOST_ERRORS} more kinds`)] : [];
  return [paint.bold(paint.red(' Failed requests')), ...shown, ...more];
}

const MOST_ERRORS = 8;
