import { expect, test } from 'vitest';
import { compareRuns, createRunFromView, type Run } from '../../src/index.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
} from '../documents.ts';
import { createTestRun, createTokenRun, varySlices } from './runs.ts';

const withSlices = createTokenRun(1000);
const withoutSlices = createTestRun({
  'vllm:generation_tokens': createMetric('counter', [createCounter(1)]),
});
const otherWithoutSlices = createTestRun({
  'vllm:generation_tokens': createMetric('counter', [createCounter(2)]),
});
const createQueueRun = (waiting: number): Run =>
  createTestRun({
    'vllm:num_requests_waiting': createMetric('gauge', [
      createGauge(waiting, { slices: varySlices(waiting) }),
    ]),
  });
const createRepeats = (...rates: readonly number[]): Run[] => rates.map(rate => createTokenRun(rate));
const createRun = (summary: object): Run =>
  createRunFromView(
    createDocument(
      { 'vllm:generation_tokens': createMetric('counter', [createCounter(1)]) },
      { [URL_A]: healthyInfo },
      summary,
    ),
    'run1',
  );

test.each<[string, Run[], Run[], 'welch' | 'mann-whitney', RegExp]>([
  [
    'one run per side does not show run-to-run variation',
    [withSlices],
    [withSlices],
    'welch',
    /it does not include run-to-run variation/,
  ],
  [
    'requests waited in both runs',
    [createQueueRun(1.5)],
    [createQueueRun(11.84)],
    'welch',
    /requests waited in both runs \(vllm:num_requests_waiting: 1.5 and 11.8 on average\): near the capacity/,
  ],
  ['the noise is unknown', [withoutSlices], [otherWithoutSlices], 'welch', /no difference was tested/],
  [
    'the noise of one side is unknown',
    [withSlices],
    [withoutSlices],
    'welch',
    /^no difference was tested, because the noise is unknown: it requires repeated runs or at least 8 timeslices/,
  ],
  [
    'a rank test requires repeated runs',
    [withSlices],
    [withSlices],
    'mann-whitney',
    /Mann-Whitney requires several runs on each side; Welch was used instead/,
  ],
  [
    'three runs per side are too few for a rank test',
    createRepeats(1, 2, 3),
    createRepeats(11, 12, 13),
    'mann-whitney',
    /with 3 base and 3 new runs, p-values of Mann-Whitney are at least 0\.10/,
  ],
  [
    'a run was interrupted',
    [createRun({})],
    [createRun({ was_cancelled: true })],
    'welch',
    /run1 was interrupted/,
  ],
  [
    'the runs differ in length',
    [createRun({})],
    [createRun({ profiling_end_ns: START_NS + 30n * SECOND_NS })],
    'welch',
    /the runs differ in length: compare rates and means, not totals/,
  ],
])('notes that %s', (_, base, others, name, expected) => {
  expect(compareRuns(base, others, { test: name }).notes.join('\n')).toMatch(expected);
});

test('returns no notes for repeated runs of equal length', () => {
  expect(compareRuns(createRepeats(1, 2, 3), createRepeats(1, 2, 3)).notes).toEqual([]);
});
