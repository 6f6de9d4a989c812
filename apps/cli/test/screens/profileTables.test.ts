import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import {
  renderClientTable,
  renderFailures,
  renderHeadlines,
  renderTraceTable,
} from '../../src/screens/profileTables.ts';

const SCREEN = { width: 80, color: false };

/** Creates a metric whose statistics are multiples of its mean. */
function createMetric(unit: string, avg: number): object {
  return {
    unit,
    avg,
    min: avg / 2,
    max: 2 * avg,
    p99: 1.9 * avg,
    p90: 1.5 * avg,
    p50: avg,
    std: avg / 4,
    count: 1200,
    sum: 1,
  };
}

const DOCUMENT = {
  schema_version: '1.3',
  time_to_first_token: createMetric('ms', 123.456),
  time_to_first_output_token: createMetric('ms', 123.456),
  request_latency: createMetric('ms', 4567.8),
  output_sequence_length: createMetric('tokens', 1234.5),
  http_req_waiting: createMetric('ms', 0.0123),
  request_count: { unit: 'requests', avg: 1200 },
  good_request_count: { unit: 'requests', avg: 900 },
  good_request_fraction: { unit: 'ratio', avg: 0.744 },
  error_request_count: { unit: 'requests', avg: 5 },
  cancelled_request_count: { unit: 'requests', avg: 4 },
  goodput: { unit: 'requests/sec', avg: 15 },
  benchmark_duration: { unit: 'sec', avg: 60 },
  request_throughput: { unit: 'requests/sec', avg: 20 },
  output_token_throughput: { unit: 'tokens/sec', avg: 24690 },
  was_cancelled: true,
  error_summary: [
    { error_details: { code: 429, type: 'HttpError', message: 'slow\u001b[31m down '.repeat(20) }, count: 4 },
    { error_details: { code: null, type: 'ConnectionReset', message: 'gone' }, count: 1 },
  ],
} as unknown as ProfileExport;

test('renders the headlines', () => {
  expect(renderHeadlines(DOCUMENT, SCREEN)).toEqual([
    '1,200 requests in 60 s  5 failed  4 cancelled  interrupted',
    '20 requests/s, 24.69K tok/s, TTFT p99 234.6 ms, 74.4% good',
  ]);
  expect(renderHeadlines({ schema_version: '1.3' }, SCREEN)).toEqual(['0 requests']);
  const failed = { schema_version: '1.3', error_request_count: { unit: 'requests', avg: 24 } };
  expect(renderHeadlines(failed as ProfileExport, SCREEN)).toEqual(['no request succeeded  24 failed']);
});

test('renders the client table', () => {
  expect(renderClientTable(DOCUMENT, SCREEN)).toEqual([
    ' Client                      avg     min     max     p99     p90     p50     std',
    ' Time to First Token      123 ms 61.7 ms  247 ms  235 ms  185 ms  123 ms 30.9 ms',
    ' Request Latency         4.568 s 2.284 s 9.136 s 8.679 s 6.852 s 4.568 s 1.142 s',
    ' Output Length, tok         1235   617.3    2469    2346    1852    1235   308.6',
    ' Output tok/s             24.69K',
    ' Requests/s                   20',
    ' Goodput, requests/s          15',
    ' Requests                   1200',
    ' Failed Requests               5',
    ' Cancelled Requests            4',
  ]);
});

test('puts names on separate lines in 60 columns, with all statistics', () => {
  const lines = renderClientTable(DOCUMENT, { width: 60, color: false });
  expect(lines.slice(2, 4)).toEqual([
    ' Time to First Token',
    '   123 ms 61.7 ms  247 ms  235 ms  185 ms  123 ms 30.9 ms',
  ]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
});

test('shows the time to the first output token of models with reasoning', () => {
  const lines = renderClientTable(
    { ...DOCUMENT, reasoning_token_count: createMetric('tokens', 9) } as ProfileExport,
    SCREEN,
  );
  expect(lines.some(line => line.includes('Time to First Output'))).toBe(true);
});

test('renders HTTP timings', () => {
  expect(renderTraceTable(DOCUMENT, SCREEN)[1]).toMatch(/^ Waiting +12\.3 µs /);
});

test('renders failures without control characters', () => {
  const lines = renderFailures(DOCUMENT, SCREEN);
  expect(lines).toHaveLength(8);
  expect(lines[0]).toBe(' 5 of 1,209 requests failed');
  expect(lines[1]).toMatch(/^ {6}4 {4}0\.3% {2}HttpError 429: slow␛\[31m down /);
  expect(lines.join('')).not.toContain('…');
  expect(lines[7]).toBe('      1    0.1%  ConnectionReset: gone');
  expect(lines.every(line => line.length < 80)).toBe(true);
});

test('wraps the message of an error, without repeating its status', () => {
  const message =
    "HTTP status 400: This model's maximum context length is 2048 tokens. However, you requested 20 output tokens and your prompt contains 3012 input tokens, for a total of 3032 tokens.";
  const error_summary = [{ error_details: { code: 400, type: 'HttpError', message }, count: 12 }];
  expect(renderFailures({ ...DOCUMENT, error_summary } as ProfileExport, SCREEN).slice(1)).toEqual([
    "     12    1.0%  HttpError 400: This model's maximum context length is 2048",
    '                 tokens. However, you requested 20 output tokens and your',
    '                 prompt contains 3012 input tokens, for a total of 3032 tokens.',
  ]);
});

test('prints no client table without successful requests', () => {
  const document = { ...DOCUMENT, request_count: { unit: 'requests', avg: 0 } } as ProfileExport;
  expect(renderClientTable(document, SCREEN)).toEqual([]);
});

test('prints no failures if requests were only cancelled', () => {
  const { error_request_count: _, ...document } = DOCUMENT as Record<string, unknown>;
  expect(renderFailures(document as unknown as ProfileExport, SCREEN)).toEqual([]);
});

test.each([
  [61.5, '1,200 requests in 60 s  '],
  [150, '1,200 requests in 60 s of 2 min 30 s  '],
])('names the profiling phase of %d s if requests succeeded only in a part of it', (seconds, expected) => {
  expect(renderHeadlines(DOCUMENT, SCREEN, seconds)[0]).toContain(expected);
});
