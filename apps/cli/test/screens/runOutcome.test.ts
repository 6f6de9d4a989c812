import type { RunOutcome } from '@org/run';
import { expect, test } from 'vitest';
import { logOutcome } from '../../src/screens/runOutcome.ts';
import { createTestLog } from '../support/log.ts';

const STATISTICS = [
  ['request_throughput_avg', { value: 12.5, unit: 'requests/sec' }],
  ['request_latency_p99', { value: 250, unit: 'ms' }],
] as const;
const FIRST_TOKEN = ['time_to_first_token_p99', { value: 40, unit: 'ms' }] as const;

function createSuccess(counts: object, statistics: readonly (readonly [string, object])[] = STATISTICS) {
  return { run: {}, counts, statistics: { client: new Map(statistics) } };
}

test.each([
  [
    'the figures of a successful run',
    createSuccess({ succeeded: 10, failed: 0, cancelled: 0 }),
    ['info: run 1: 10 requests, 12.5 req/s, latency p99 250 ms'],
  ],
  [
    'failed and cancelled requests, and the first token of streamed ones',
    createSuccess({ succeeded: 8, failed: 1, cancelled: 1 }, [...STATISTICS, FIRST_TOKEN]),
    ['info: run 1: 8 requests, 1 failed, 1 cancelled, 12.5 req/s, latency p99 250 ms, TTFT p99 40 ms'],
  ],
  [
    'the error of a failed run',
    { run: {}, error: 'the server is down' },
    ['warning: run 1 failed and is excluded from aggregates: the server is down'],
  ],
  [
    'the reason of a run that was ended early',
    { run: {}, error: 'a limit failed', endedEarly: true },
    ['info: run 1: a limit failed'],
  ],
])('logs %s', (_, outcome, expected) => {
  const log = createTestLog();
  logOutcome(outcome as unknown as RunOutcome, 'run 1', log);
  expect(log.lines).toEqual(expected);
});

test('logs an error if most requests failed', () => {
  const log = createTestLog();
  logOutcome(createSuccess({ succeeded: 1, failed: 9, cancelled: 0 }) as unknown as RunOutcome, 'run 1', log);
  expect(log.lines.at(-1)).toMatch(/^error: run 1: .*9 of 10 requests failed/);
});
