import { expect, it } from 'vitest';
import { checkRunCounts, checkRuns } from '../../src/rules/runs.ts';
import { collectFindings } from '../support/report.ts';

const VALID = {
  num_profile_runs: 3,
  num_successful_runs: 2,
  failed_runs: [{ label: 'run_0003', error: 'killed' }],
  run_labels: ['run_0001', 'run_0002'],
};

it.each([
  ['consistent counts', VALID, []],
  ['counts without a list of failed runs', { num_profile_runs: 3, num_successful_runs: 2 }, []],
  [
    'run counts that do not add up',
    { ...VALID, num_profile_runs: 4 },
    ['runs-count .metadata.num_profile_runs: is 4, but there are 2 successful and 1 failed runs'],
  ],
  [
    'a missing run label',
    { ...VALID, run_labels: ['run_0001'] },
    ['runs-count .metadata.run_labels: has length 1, but num_successful_runs is 2'],
  ],
  [
    'a run that is listed as both successful and failed',
    { ...VALID, run_labels: ['run_0001', 'run_0003'] },
    [
      'runs-repeated .metadata.run_labels: contains run_0003, which failed_runs contains as well; expected each run once',
    ],
  ],
  [
    'a successful run that is listed twice',
    { ...VALID, run_labels: ['run_0001', 'run_0001'] },
    ['runs-repeated .metadata.run_labels: contains run_0001 twice; expected each run once'],
  ],
])('checkRuns checks %s', (_, metadata, expected) => {
  expect(collectFindings(report => checkRuns(report, { metadata }))).toEqual(expected);
});

it('checkRunCounts checks the counts of any object, such as a sweep', () => {
  expect(
    collectFindings(report => checkRunCounts(report, { ...VALID, num_profile_runs: 9 }, [])),
  ).toHaveLength(1);
});
