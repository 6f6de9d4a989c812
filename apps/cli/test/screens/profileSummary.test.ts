import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { printProfile } from '../../src/screens/profileSummary.ts';
import { createIo } from '../support/io.ts';
import { createTestLog } from '../support/log.ts';

const DOCUMENT = {
  schema_version: '1.3',
  request_latency: { unit: 'ms', avg: 120, p99: 200, count: 4, sum: 480 },
  http_req_waiting: { unit: 'ms', avg: 80, count: 4, sum: 320 },
  request_count: { unit: 'requests', avg: 4 },
  error_request_count: { unit: 'requests', avg: 1 },
  benchmark_duration: { unit: 'sec', avg: 2 },
  load_generator: { tokenizer: 'server', unsent_requests: 3 },
  error_summary: [{ error_details: { code: 429, type: 'HttpError', message: 'slow down' }, count: 1 }],
} as unknown as ProfileExport;

function print(showTrace: boolean): { readonly text: string; readonly lines: readonly string[] } {
  const io = createIo('/home/me', { NO_COLOR: '1' });
  const log = createTestLog();
  const files = [
    { ok: true, path: '/home/me/runs/profile_export.jsonl', bytes: 2048 },
    {
      ok: false,
      path: '/home/me/runs/a.csv',
      reason: 'disk_full',
      message: 'cannot write a.csv: the disk is full',
      cause: undefined,
    },
  ] as const;
  printProfile({ document: DOCUMENT, files, furtherFiles: [] }, { showTrace }, io, log);
  return { text: io.out.join(''), lines: log.lines };
}

test('prints failures, headlines, tables, warnings and files in this order', () => {
  const { text, lines } = print(false);
  const parts = [
    ' 1 of 5 requests failed',
    '1   20.0%  HttpError 429: slow down',
    '4 requests in 2 s',
    ' Request Latency',
    ' ! 3 requests could not be sent',
    '  runs/profile_export.jsonl  2 KiB',
  ];
  const positions = parts.map(part => text.indexOf(part));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(lines).toEqual(['error: cannot write a.csv: the disk is full']);
});

test('prints HTTP timings only with --show-trace-timing', () => {
  expect(print(false).text).not.toContain(' Waiting');
  expect(print(true).text).toContain(' Waiting');
});

test('prints servers that died before the requests that failed because of it', () => {
  const io = createIo('/home/me', { NO_COLOR: '1' });
  const startNs = 1_795_254_800_000_000_000n;
  const at = (seconds: number): bigint => startNs + BigInt(seconds) * 1_000_000_000n;
  const url = 'http://localhost:8000/metrics';
  const info = {
    ...{ total_fetches: 21, status: 'failing', last_error: 'refused the connection', scrapes_failed: 39 },
    ...{ first_fetch_ns: at(0), last_fetch_ns: at(7), last_failure_ns: at(20) },
    outages: [{ start_ns: at(8), scrapes: 39, reason: 'refused', message: 'refused the connection' }],
  };
  const document = {
    schema_version: '1.0',
    summary: {
      ...{ endpoints_configured: [url], endpoints_successful: [url], endpoint_info: { [url]: info } },
      ...{ start_time: '2026-11-21T09:53:20Z', end_time: '2026-11-21T09:53:40Z' },
      ...{ profiling_start_ns: startNs, profiling_end_ns: at(20) },
    },
    metrics: {},
    input_config: {},
  };
  const exports = { document, results: [], excludedLabels: [], shortenedNames: [], slicedByInterval: [] };
  const server = { exports: { ...exports, skippedSummaries: [] }, record: { endpoints: [] } };
  const result = { document: DOCUMENT, files: [], furtherFiles: [], server } as unknown as Parameters<
    typeof printProfile
  >[0];
  printProfile(result, { showTrace: false }, io, createTestLog());
  const text = io.out.join('').trimStart();
  expect(text).toMatch(/^✗ server down {2}localhost:8000 stopped responding after 7 s/);
  expect(text.match(/^(?:✗ server down| 1 of 5 requests failed)/gm)).toEqual([
    '✗ server down',
    ' 1 of 5 requests failed',
  ]);
});
