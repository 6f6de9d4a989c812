import type { ProfileAggregate } from '@org/formats';
import type { RepeatPlan } from '@org/run';
import { expect, test } from 'vitest';
import { printAggregates, warnOfMissingAggregates } from '../../src/screens/aggregates.ts';
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
  printAggregates({ aggregates: new Map(), files: FILES }, { folder: '/home/me/runs', io, log });
  expect(io.out.join('')).toBe('\n  runs/aggregate/a.json  2 KiB\n  runs  all runs\n');
  expect(log.lines).toEqual(['error: cannot write a.csv: the disk is full']);
});

test.each([
  [1, [0, 1], []],
  [2, [0, 1], []],
  [
    2,
    [0],
    ['warning: no aggregate for concurrency_2: a confidence interval needs at least 2 successful runs'],
  ],
])(
  'warns about repeated variations without an aggregate: %d runs, aggregates of variations %j',
  (runs, aggregatedVariations, lines) => {
    const log = createTestLog();
    const plan = {
      isSweep: true,
      variations: [
        { index: 0, label: 'concurrency_1' },
        { index: 1, label: 'concurrency_2' },
      ],
      repetition: { runs },
    } as unknown as RepeatPlan;
    warnOfMissingAggregates(
      plan,
      new Map(aggregatedVariations.map(index => [index, {} as ProfileAggregate])),
      log,
    );
    expect(log.lines).toEqual(lines);
  },
);
