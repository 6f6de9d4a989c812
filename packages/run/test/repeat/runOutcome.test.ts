import { expect, test } from 'vitest';
import {
  describeNoSuccess,
  filterSuccesses,
  isSuccess,
  listFailedRuns,
} from '../../src/repeat/runOutcome.ts';
import { createPlan, createReport, createSuccess } from './fakes.ts';

test.each([
  [0, 'no request was sent'],
  [1, 'the only request failed'],
  [3, 'all 3 requests failed'],
])('describes a run with %d failed requests', (failed, description) => {
  expect(describeNoSuccess(failed)).toBe(description);
});

test('separates successful from failed runs', () => {
  const { runs } = createPlan({ runs: 2 });
  const success = createSuccess(runs[0]!, createReport([100], 4));
  const outcomes = [{ run: runs[1]!, error: 'server went away' }, success];
  expect(outcomes.map(isSuccess)).toEqual([false, true]);
  expect(filterSuccesses(outcomes)).toEqual([success]);
  expect(listFailedRuns(outcomes, ({ label }) => label)).toEqual([
    { label: 'run_0002', error: 'server went away' },
  ]);
});
