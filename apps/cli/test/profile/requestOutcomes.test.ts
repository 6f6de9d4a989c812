import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Behavior, startHostileServer } from '../support/hostileServer.ts';
import { readClientExports, runProfile } from '../support/profileRun.ts';
import { findIssues } from '../support/validation.ts';

const server = await startHostileServer();

const COMMON = ['--isl', '10', '--no-server-metrics'];
const LOAD = ['--request-count', '20', '--concurrency', '2'];

/** Numbers of requests by outcome. */
interface Counts {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** Runs a load against a server with these behaviors. Returns the counts of the summary and of each export. */
async function countOutcomes(
  behaviors: readonly Behavior[],
  options: readonly string[],
): Promise<{ readonly summary: Counts; readonly exports: Record<string, Counts>; readonly folder: string }> {
  server.reset(behaviors);
  const { folder, load, document } = await runProfile(server.url, [...COMMON, ...options]);
  const { succeeded, failed, cancelled } = load.phases.at(-1)!;
  const readBlock = (tag: string): number => (document[tag] as { avg: number } | undefined)?.avg ?? 0;
  const csv = readFileSync(join(folder, 'profile_export_aiperf.csv'), 'utf8');
  const readRow = (name: string): number =>
    Number(new RegExp(`^${name}[^,]*,([\\d.]+)`, 'm').exec(csv)?.[1] ?? 0);
  const { records } = await readClientExports(folder);
  const isCancelled = records.filter(({ metadata }) => metadata.was_cancelled).length;
  const isFailed = records.filter(({ error, metadata }) => error && !metadata.was_cancelled).length;
  const errors = (document.error_summary ?? []).reduce((total, { count }) => total + count, 0);
  return {
    folder,
    summary: { succeeded, failed, cancelled },
    exports: {
      json: {
        succeeded: readBlock('request_count'),
        failed: readBlock('error_request_count'),
        cancelled: readBlock('cancelled_request_count'),
      },
      jsonl: {
        succeeded: records.length - isFailed - isCancelled,
        failed: isFailed,
        cancelled: isCancelled,
      },
      csv: {
        succeeded: readRow('Request Count'),
        failed: readRow('Error Request Count'),
        cancelled: readRow('Cancelled Request Count'),
      },
      errorSummary: { succeeded, failed: errors, cancelled },
    },
  };
}

describe('every request has one outcome, and all exports agree', () => {
  test.each<[string, readonly Behavior[], readonly string[], Partial<Counts>]>([
    ['10% errors', [...Array(9).fill('ok'), 'error500'], [], { succeeded: 18, failed: 2 }],
    ['50% errors', ['ok', 'error500'], [], { succeeded: 10, failed: 10 }],
    ['90% errors', [...Array(9).fill('error500'), 'ok'], [], { succeeded: 2, failed: 18 }],
    ['100% errors', ['error500'], [], { succeeded: 0, failed: 20 }],
    ['resets', ['ok', 'reset'], [], { succeeded: 10, failed: 10 }],
    ['empty bodies', ['ok', 'emptyBody'], [], { succeeded: 10, failed: 10 }],
    ['error bodies with status 200', ['ok', 'errorBody'], [], { succeeded: 10, failed: 10 }],
    ['429 with Retry-After', ['ok', 'error429'], [], { succeeded: 10, failed: 10 }],
    ['error events', ['ok', 'errorEvent'], ['--streaming'], { succeeded: 10, failed: 10 }],
    ['cut streams', ['ok', 'cutStream'], ['--streaming'], { succeeded: 10, failed: 10 }],
    ['timeouts', ['ok', 'hang'], ['--request-timeout-seconds', '0.2'], { succeeded: 10, failed: 10 }],
    [
      'cancelled requests',
      ['slow'],
      ['--request-cancellation-rate', '100', '--request-cancellation-delay', '0.01'],
      { succeeded: 0, failed: 0, cancelled: 20 },
    ],
    [
      'cancellations and errors',
      ['slow', 'error500'],
      ['--request-cancellation-rate', '50', '--request-cancellation-delay', '0.02'],
      {},
    ],
    [
      'embeddings without vectors',
      ['ok', 'error500'],
      ['--endpoint-type', 'embeddings'],
      { succeeded: 0, failed: 20 },
    ],
    [
      'completions',
      ['error500', 'hang'],
      ['--endpoint-type', 'completions', '--request-timeout-seconds', '0.2'],
      { succeeded: 0, failed: 20 },
    ],
    ['an open loop', ['ok', 'reset'], ['--request-rate', '200'], { succeeded: 10, failed: 10 }],
    ['worker threads', ['ok', 'error500'], ['--workers', '2'], { succeeded: 10, failed: 10 }],
    ['timeslices', ['ok', 'error500'], ['--slice-duration', '0.05'], { succeeded: 10, failed: 10 }],
  ])('%s', async (_, behaviors, options, expected) => {
    const { summary, exports, folder } = await countOutcomes(behaviors, [...LOAD, ...options]);
    const { succeeded, failed, cancelled } = summary;
    expect(succeeded + failed + cancelled).toBe(20);
    expect(summary).toMatchObject(expected);
    for (const counts of Object.values(exports)) expect(counts).toEqual(summary);
    // A request that is reset on a reused connection may be sent again; each has one id.
    expect(new Set(server.received).size).toBe(20);
    expect(await findIssues(folder)).toEqual([]);
  });

  test('requests that are cut at the end of the grace period are cancelled', async () => {
    const grace = ['--benchmark-duration', '0.4', '--benchmark-grace-period', '0.1'];
    const { summary, exports, folder } = await countOutcomes(
      ['ok', 'ok', 'ok', 'hang'],
      ['--concurrency', '3', ...grace],
    );
    expect(summary).toEqual({ succeeded: 9, failed: 0, cancelled: 3 });
    for (const counts of Object.values(exports)) expect(counts).toEqual(summary);
    expect(server.received).toHaveLength(12);
    expect(await findIssues(folder)).toEqual([]);
  });
});

test('the share of good requests covers failed requests', async () => {
  server.reset([...Array(9).fill('error500'), 'ok']);
  const { document } = await runProfile(server.url, [
    ...COMMON,
    ...LOAD,
    '--goodput',
    'request_latency:60000',
  ]);
  expect(document).toMatchObject({
    good_request_count: { avg: 2 },
    good_request_fraction: { unit: 'ratio', avg: 0.1 },
    request_error_rate: { unit: '%', avg: 90 },
  });
});
