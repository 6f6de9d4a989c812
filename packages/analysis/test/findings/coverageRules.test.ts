import { expect, test } from 'vitest';
import { createGauge } from '../documents.ts';
import { createGauges, findIn, HEALTHY_METRICS, type Metrics } from './runs.ts';

test.each<[string, Metrics, object]>([
  ['run-without-metrics', {}, {}],
  ['interrupted-run', HEALTHY_METRICS, { was_cancelled: true }],
  ['run-without-timeslices', createGauges({ 'vllm:num_requests_running': createGauge(20) }), {}],
])('reports %s as the only finding', (id, metrics, summary) => {
  expect(findIn(metrics, undefined, {}, summary).map(finding => finding.id)).toEqual([id]);
});
