import { expect, test } from 'vitest';
import { testEventCounts } from '../../../src/compare/significance/eventCounts.ts';
import { compareRuns } from '../../../src/index.ts';
import { createCounter, createMetric } from '../../documents.ts';
import { compareRows, createTestRun } from '../runs.ts';

type Sides = readonly [readonly number[], readonly number[]];

// Expected values from scipy.stats.binomtest(k, k, share) 1.17.
test.each<[string, Sides, Sides, number | undefined]>([
  ['86 events instead of none', [[0], [86]], [[60], [60]], 2.5849394142282115e-26],
  ['no events instead of 6', [[6], [0]], [[60], [60]], 0.03125],
  ['3 events in a run of half the length', [[0], [3]], [[60], [30]], 2 / 27],
  ['1 event', [[0], [1]], [[60], [60]], 1],
  ['events in both runs', [[3], [86]], [[60], [60]], undefined],
  ['no events', [[0], [0]], [[60], [60]], undefined],
  ['events in one of two repeats', [[0], [0, 86]], [[60], [60, 60]], undefined],
])('computes the p-value of %s', (_, totals, seconds, p) => {
  const result = testEventCounts(totals, seconds);
  if (p === undefined) expect(result).toBeUndefined();
  else expect(result! / p).toBeCloseTo(1, 10);
});

const createRun = (preemptions: number) =>
  createTestRun({ 'vllm:num_preemptions': createMetric('counter', [createCounter(preemptions)]) });

test.each<[number, number, object]>([
  [0, 86, { verdict: 'worse', test: 'events', reason: null }],
  [86, 0, { verdict: 'better', test: 'events' }],
  [0, 1, { verdict: 'no evidence', test: 'events', p: 1 }],
  [0, 0, { verdict: 'unchanged', test: null, reason: null }],
])('decides on %d and %d preemptions without timeslices', (base, other, expected) => {
  expect(compareRows(createRun(base), createRun(other))[0]).toMatchObject(expected);
});

test('decides on preemptions of repeated runs', () => {
  const bases = [createRun(0), createRun(0)];
  expect(compareRuns(bases, [createRun(70), createRun(86)]).rows[0]).toMatchObject({ verdict: 'worse' });
});

test('more failed requests are worse, although the metric counts requests', () => {
  const create = (failed: number) =>
    createTestRun({
      dynamo_frontend_requests: createMetric('counter', [
        createCounter(500, { labels: { error_type: '' } }),
        createCounter(failed, { labels: { error_type: 'internal' } }),
      ]),
    });
  expect(compareRows(create(0), create(40))[0]).toMatchObject({
    labels: { error_type: 'internal' },
    better: 'lower',
    verdict: 'worse',
  });
});
