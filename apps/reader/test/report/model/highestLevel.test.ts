import { expect, test } from 'vitest';
import { createGauge, createMetric, URL_B } from '../../../../../packages/analysis/test/documents.ts';
import { findHighestLevel } from '../../../src/report/model/highestLevel.ts';
import { createMetricRun } from '../../support/reportedRuns.ts';

const RUN = createMetricRun({
  'vllm:num_requests_waiting': createMetric('gauge', [
    createGauge(1, { max: 7 }),
    createGauge(1, { max: 2, url: URL_B }),
  ]),
  'vllm:kv_cache_usage_perc': createMetric('gauge', [createGauge(0.1, { max: 0.5 })]),
});

test.each<[string, Parameters<typeof findHighestLevel>[1], (number | null)[], number | undefined]>([
  ['a sample that the mean of a bin hides', 'waiting', [1, null, 4], 7],
  ['the sum of several servers', 'waiting', [1, 8.5], 8.5],
  ['cache usage in percent', 'kvCacheUsage', [10, 20], 50],
  ['only known values', 'running', [], undefined],
])('is the highest of the chart and of the samples: %s', (_, role, course, expected) => {
  expect(findHighestLevel(RUN, role, course)).toBe(expected);
});
