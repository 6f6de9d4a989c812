import { expect, test } from 'vitest';
import { createCounter, createMetric, healthyInfo, URL_A, URL_B } from '../documents.ts';
import { findById, HEALTHY_METRICS, type Metrics } from './runs.ts';

/** Creates the delays of Dynamo's event loop: their number above 10 ms, and in total. */
const createDelays = (late: number, total: number, unit = 'seconds'): Metrics => ({
  dynamo_frontend_event_loop_delay_seconds: createMetric(
    'histogram',
    [
      {
        endpoint_url: URL_A,
        stats: { count: total, sum: total * 0.0072, avg: 0.0072 },
        buckets: { '0.001': 0, '0.01': total - late, '0.1': total, '+Inf': total },
      },
    ],
    unit,
  ),
});

test('an event loop that is often late is at its limit', () => {
  // The figures of a real page of Dynamo 1.6.1 on a machine without idle cores.
  expect(findById('frontend-limit', createDelays(579, 3671))!.evidence[0]!.text).toBe(
    'its event loop was more than 10 ms late in 15.8% of the measurements, 7.2 ms on average',
  );
});

test.each<[string, Metrics]>([
  ['is rarely late', createDelays(16, 7060)],
  ['was measured a few times', createDelays(30, 60)],
  ['has delays in an unknown unit', createDelays(579, 3671, 'ratio')],
])('an event loop is not at its limit if it %s', (_, metrics) => {
  expect(findById('frontend-limit', metrics)).toBeUndefined();
});

const createCpu = (seconds: number, url = URL_A): Metrics => ({
  process_cpu_seconds: createMetric('counter', [createCounter(seconds, { url })], 'seconds'),
});

test('the process of an API server that uses a whole core is at its limit', () => {
  const metrics = { ...HEALTHY_METRICS, ...createCpu(19.6) };
  expect(findById('frontend-limit', metrics)!.evidence[0]!.text).toBe(
    'its process used 98% of a core; an event loop runs on one core',
  );
});

test.each<[string, Metrics]>([
  ['uses a quarter of a core', createCpu(5)],
  ['uses several cores, so that its main thread is unknown', createCpu(60)],
  ['is not a server', createCpu(19.6, URL_B)],
])('a process is not at its limit if it %s', (_, metrics) => {
  const infos = { [URL_A]: healthyInfo, [URL_B]: healthyInfo };
  expect(findById('frontend-limit', { ...HEALTHY_METRICS, ...metrics }, infos)).toBeUndefined();
});
