import type { ProfileAggregate } from '@org/formats';
import type { RepeatPlan } from '@org/run';
import { expect, test } from 'vitest';
import { printAggregates, warnOfMissingIntervals } from '../../src/screens/aggregates.ts';
import { createIo } from '../support/io.ts';
import { createTestLog } from '../support/log.ts';

const FILES = [
  { ok: true, path: '/home/me/runs/aggregate/a.json', bytes: 2048 },
  {
    ok: false,
    path: '/home/me/runs/aggregate/a.csv',
    reason: 'disk_full',
    message: 'cannot write a.csv: the disk is full',
    cause: undefined,
  },
] as const;

test('prints the files of repeated runs, and logs files that could not be written', () => {
  const io = createIo('/home/me');
  const log = createTestLog();
  printAggregates(
    { aggregates: new Map(), files: FILES },
    { folder: '/home/me/runs', order: 'repeated', io, log },
  );
  expect(io.out.join('')).toBe('\n  runs/aggregate/a.json  2 KiB\n  runs  all runs\n');
  expect(log.lines).toEqual(['error: cannot write a.csv: the disk is full']);
});

test.each([
  [1, { 0: 1, 1: 1 }, []],
  [2, { 0: 2, 1: 2 }, []],
  [
    2,
    { 0: 2, 1: 1 },
    ['warning: no confidence intervals for concurrency_2: 1 of at least 2 runs were successful'],
  ],
  [3, { 0: 3 }, ['warning: no confidence intervals for concurrency_2: 0 of at least 2 runs were successful']],
])(
  'warns of repeated variations without intervals: %d runs, successful runs of variations %j',
  (runs, successes, lines) => {
    const log = createTestLog();
    const plan = {
      isSweep: true,
      variations: [
        { index: 0, label: 'concurrency_1' },
        { index: 1, label: 'concurrency_2' },
      ],
      repetition: { runs },
    } as unknown as RepeatPlan;
    const aggregates = Object.entries(successes).map(([index, successfulRuns]) => {
      const metadata = { num_successful_runs: successfulRuns };
      return [Number(index), { metadata } as ProfileAggregate] as const;
    });
    warnOfMissingIntervals(plan, new Map(aggregates), log);
    expect(log.lines).toEqual(lines);
  },
);
