import { expect, test } from 'vitest';
import {
  countRuns,
  filterSuccesses,
  isSuccess,
  listFailedRuns,
  sumCounts,
} from '../../src/repeat/runOutcome.ts';
import { createPlan, createReport, createSuccess } from './fakes.ts';

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

test('adds up the requests of all runs, including failed runs', () => {
  const { runs } = createPlan({ runs: 3 });
  const outcomes = [
    createSuccess(runs[0]!, createReport([100, 200], 4)),
    { run: runs[1]!, counts: { succeeded: 0, failed: 5, cancelled: 1 }, error: 'all failed' },
    { run: runs[2]!, error: 'server went away' },
  ];
  expect(sumCounts(outcomes)).toEqual({ succeeded: 2, failed: 5, cancelled: 1 });
});

test('a run that a search has ended early is neither counted nor failed', () => {
  const { runs } = createPlan({ runs: 3 });
  const outcomes = [
    createSuccess(runs[0]!, createReport([100], 4)),
    { run: runs[1]!, error: 'all failed' },
    { run: runs[2]!, error: '6 of 100 requests', endedEarly: true },
  ];
  expect(countRuns(outcomes)).toBe(2);
  expect(listFailedRuns(outcomes, ({ label }) => label)).toHaveLength(1);
});
