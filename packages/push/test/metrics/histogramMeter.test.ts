import { ProfileMetrics } from '@org/loadgen';
import { expect, test } from 'vitest';
import { HistogramMeter } from '../../src/metrics/histogramMeter.ts';

const addLatency = (metrics: ProfileMetrics, value: number): void =>
  metrics.add(
    { failure: undefined, cancelled: false, startNs: 0, lastTokenNs: 1, endNs: 1 },
    { request_latency: { value, unit: 'ms' } },
  );

test('counts each value once, in the bucket whose bound is not exceeded', () => {
  const metrics = new ProfileMetrics({ streaming: true });
  const meter = new HistogramMeter([0.1, 1], 1e-3);
  const read = () => meter.read(metrics.getDistribution('request_latency'));
  expect(read()).toBeUndefined();
  for (const value of [100, 100.5]) addLatency(metrics, value);
  expect(read()).toMatchObject({ counts: [1, 1, 0], count: 2 });
  addLatency(metrics, 2500);
  expect(read()).toMatchObject({ counts: [1, 1, 1], count: 3 });
  expect(read()!.sum).toBeCloseTo(2.7005, 9);
});

test('is unknown if the run no longer stores its values', () => {
  const metrics = new ProfileMetrics({ streaming: true, maxExactValues: 2 });
  const meter = new HistogramMeter([1], 1);
  for (const value of [1, 2, 3]) addLatency(metrics, value);
  expect(meter.read(metrics.getDistribution('request_latency'))).toBeUndefined();
});
