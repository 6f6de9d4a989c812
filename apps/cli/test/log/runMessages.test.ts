import type { JournalKept, RunEvent } from '@org/run';
import type { RecoverRepeatedRunsEvent } from '@org/run/recover';
import type { Endpoint, EndpointEvent } from '@org/scrape';
import { describe, expect, test } from 'vitest';
import { formatFolder, logRecoverEvent, logRunEvent } from '../../src/log/runMessages.ts';
import { createTestLog } from '../support/log.ts';

/** Returns the log lines of an event, with their levels. */
function formatEvent(event: RunEvent): string[] {
  const log = createTestLog();
  logRunEvent(event, log, { cwd: '/home/me' });
  return log.lines;
}

test.each<[EndpointEvent['kind'], string]>([
  ['url_changed', 'info'],
  ['duplicate', 'info'],
  ['recovered', 'info'],
  ['added', 'info'],
  ['removed', 'info'],
  ['returned', 'info'],
  ['unsupported_types', 'info'],
  ['failing', 'warning'],
  ['disabled', 'warning'],
  ['flapping', 'warning'],
  ['reset', 'warning'],
  ['slow', 'warning'],
])('logs the endpoint change %s as %s', (kind, level) => {
  expect(formatEvent({ type: 'endpoint_changed', change: { kind, url: 'u', message: 'm' } })).toEqual([
    `${level}: m`,
  ]);
});

test('logs a problem of a source of endpoints', () => {
  expect(
    formatEvent({ type: 'source_failed', source: 'file_sd "targets.json"', message: 'not JSON' }),
  ).toEqual(['warning: file_sd "targets.json": not JSON']);
});

test('logs the number of reachable endpoints, and the errors of unreachable endpoints', () => {
  const endpoints = [
    { url: 'http://a:1/metrics', health: { status: 'active' } },
    { url: 'http://b:1/metrics', health: { status: 'no_data', lastOutage: { message: 'timed out' } } },
    { url: 'http://c:1/metrics', health: { status: 'disabled', lastOutage: { message: 'logged before' } } },
  ] as unknown as Endpoint[];
  expect(formatEvent({ type: 'endpoints_probed', endpoints })).toEqual([
    'info: Server metrics enabled - 1/3 endpoints reachable',
    "warning: endpoint 'http://b:1/metrics' timed out; retrying during the run",
  ]);
});

test('logs retries of exports to a full disk', () => {
  expect(formatEvent({ type: 'disk_full', missedScrapes: 4, retrySeconds: 30 })).toEqual([
    'warning: the disk is full, and 4 scrapes are in memory only; free some space; retrying the exports for 30 s',
  ]);
});

test.each([
  ['settled', 'info: before profiling: server counters stopped changing after 1.3 s'],
  ['no_endpoints', 'info: before profiling: no active endpoint to wait for'],
  [
    'interrupted',
    'info: before profiling: interrupted after 1.3 s of waiting for server counters to stop changing',
  ],
  ['timed_out', 'warning: before profiling: server counters were still changing after 5 s: a, b'],
] as const)('logs the outcome %s of a wait for quiescence', (outcome, line) => {
  const settling = { boundary: 'start', outcome, start_ns: 1n, seconds: 1.25, limit_seconds: 5 } as const;
  expect(formatEvent({ type: 'settled', settling: { ...settling, changing_metrics: ['a', 'b'] } })).toEqual([
    line,
  ]);
});

test('logs that a wait was too short if no counter changed during the wait', () => {
  const settling = {
    boundary: 'end',
    outcome: 'timed_out',
    start_ns: 1n,
    seconds: 1,
    limit_seconds: 1,
  } as const;
  expect(formatEvent({ type: 'settled', settling })).toEqual([
    'warning: after profiling: 1 s was too short to determine whether server counters had stopped changing; increase --settle',
  ]);
});

describe('reports that the journal is kept', () => {
  const KEPT: JournalKept = {
    type: 'journal_kept',
    folder: '/home/me/runs/one',
    hasJournal: true,
    isDiskFull: false,
    missedScrapes: 0,
  };

  test.each<[string, Partial<JournalKept>, string]>([
    [
      'because an export is missing',
      {},
      'the journal is kept; to write the exports, run: servelens recover runs/one',
    ],
    [
      'because the disk is full',
      { isDiskFull: true, missedScrapes: 7 },
      'the journal is kept; to write the exports, free some space, then run: servelens recover runs/one; 7 scrapes could not be written and will be lost',
    ],
    [
      'unless nothing was written to it',
      { hasJournal: false, missedScrapes: 1 },
      'the run has no journal; 1 scrape could not be written and will be lost',
    ],
  ])('%s', (_, changes, message) => {
    expect(formatEvent({ ...KEPT, ...changes })).toEqual([`warning: ${message}`]);
  });
});

test.each<[RecoverRepeatedRunsEvent, string]>([
  [{ type: 'recovery_started', folder: '/home/me/runs' }, 'info: recovering runs'],
  [{ type: 'recovery_failed', message: 'cannot read a' } as RecoverRepeatedRunsEvent, 'error: cannot read a'],
  [
    { type: 'runs_active', folder: '/home/me' },
    'warning: the runs in . are still active; exporting their data so far',
  ],
  [
    { type: 'run_active', folder: '/home/me/run' },
    'warning: the run in run is still active; exporting its data so far',
  ],
  [
    { type: 'lines_invalid', path: '/a/p.jsonl', count: 1, firstLine: 4, firstMessage: 'no id' },
    'warning: skipped line 4 of p.jsonl: no id',
  ],
  [
    { type: 'lines_invalid', path: '/a/p.jsonl', count: 3, firstLine: 4, firstMessage: 'no id' },
    'warning: skipped line 4 of p.jsonl: no id, and 2 more invalid lines',
  ],
  [
    { type: 'lines_of_earlier_run', path: '/a/p.jsonl', count: 1 },
    'warning: skipped 1 line of p.jsonl from an earlier run',
  ],
  [
    { type: 'requests_missing', path: '/a/p.jsonl', isSkipped: false },
    'warning: p.jsonl does not exist; no request had ended',
  ],
  [
    { type: 'requests_missing', path: '/a/p.jsonl', isSkipped: true },
    'warning: skipped p.jsonl: not a regular file',
  ],
  [
    { type: 'scrapes_missing', count: 2 },
    'warning: 2 scrapes could not be written to the journal during the run',
  ],
])('logs the recovery event %j', (event, line) => {
  const log = createTestLog();
  logRecoverEvent(event, log, { cwd: '/home/me' });
  expect(log.lines).toEqual([line]);
});

test.each([
  ['/home/me/runs/one', 'runs/one'],
  ['/home/me', '.'],
  ['/home/you', '../you'],
])('shows the folder %s relative to the working directory', (folder, text) => {
  expect(formatFolder(folder, { cwd: '/home/me' })).toBe(text);
});
