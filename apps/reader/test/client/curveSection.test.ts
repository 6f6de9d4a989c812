import { expect, test } from 'vitest';
import { computeAxisEnd, describeCurves, findMainLatency } from '../../client/curveSection.ts';

const createPoint = (name: string, isPareto: boolean, yHalf: number | null = null): object => ({
  name,
  x: 1,
  y: 1,
  xHalf: null,
  yHalf,
  isPareto,
});

test.each([
  [['request_latency_p99', 'time_to_first_token_p99'], 'time_to_first_token_p99'],
  [['request_latency_p50', 'request_latency_p99'], 'request_latency_p99'],
  [['request_latency_p50'], undefined],
])('finds the main latency of %j', (metrics, expected) => {
  const latencies = metrics.map(metric => ({ metric, name: metric, short: metric, unit: 'ms' }));
  expect(findMainLatency(latencies)).toBe(expected);
});

test.each([
  [
    [createPoint('c1', true), createPoint('c2', false)],
    'Filled points are Pareto-optimal with respect to the means of req/s and TTFT: c1.',
  ],
  [
    [createPoint('c1', true, 2), createPoint('c2', true, 3)],
    'Filled points are Pareto-optimal with respect to the means of req/s and TTFT: c1, c2. Error bars show confidence intervals.',
  ],
])('describes the points of a chart', (points, expected) => {
  const curves = [{ name: '', points }] as never;
  expect(describeCurves(curves, { name: 'req/s' }, { name: 'TTFT' })).toBe(expected);
});

test('ends an axis above the upper bounds of all intervals, each limited to twice its mean', () => {
  expect(
    computeAxisEnd([
      [10, 2],
      [5, null],
    ]),
  ).toBeCloseTo(12.96, 9);
  expect(computeAxisEnd([[10, 50]])).toBeCloseTo(21.6, 9);
  expect(computeAxisEnd([[0, 0]])).toBe(1);
  expect(computeAxisEnd([])).toBe(1);
});
