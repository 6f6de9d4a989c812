import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, resolvePlan } from '../../src/plan/runPlan.ts';

test('fills in the defaults of a plan', () => {
  expect(resolvePlan({ folder: 'a', targets: [] })).toEqual({
    folder: 'a',
    targets: [],
    settings: DEFAULT_SETTINGS,
    exports: {
      formats: ['json', 'csv', 'parquet'],
      compatibility: 'servelens',
      parquetPartition: false,
      percentileMethod: 'moments',
    },
    storage: { memoryLimit: 2 ** 30, keepJournal: false },
  });
});

test('keeps the values of a plan, including fields that only collect plans have', () => {
  const plan = {
    folder: 'a',
    targets: [],
    warmupSeconds: 3,
    settings: { intervalMs: 50 },
    exports: { formats: ['jsonl'], sliceSeconds: 2 },
    storage: { keepJournal: true },
  } as const;
  expect(resolvePlan(plan)).toMatchObject({
    warmupSeconds: 3,
    settings: { intervalMs: 50, flushMs: DEFAULT_SETTINGS.flushMs },
    exports: { formats: ['jsonl'], sliceSeconds: 2, percentileMethod: 'moments' },
    storage: { keepJournal: true, memoryLimit: 2 ** 30 },
  });
});
