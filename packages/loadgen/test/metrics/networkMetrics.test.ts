import { expect, test } from 'vitest';
import { Distribution } from '../../src/metrics/distribution.ts';
import { subtractRoundTrip } from '../../src/metrics/networkMetrics.ts';

/** Metrics with these latencies, of which at most `maxExact` are stored. */
function createMetrics(latencies: Readonly<Record<string, readonly number[]>>, maxExact?: number) {
  return {
    getDistribution: (tag: string) => {
      if (latencies[tag] === undefined) return undefined;
      const distribution = new Distribution(maxExact);
      for (const value of latencies[tag]) distribution.add(value);
      return distribution;
    },
  };
}

test('subtracts the round trip from latencies that begin with the request', () => {
  const metrics = createMetrics({ request_latency: [10, 20, 30], inter_token_latency: [5] });
  const blocks = subtractRoundTrip(metrics, 4);
  expect(Object.keys(blocks)).toEqual(['network_adjusted_request_latency', 'network_rtt']);
  expect(blocks.network_adjusted_request_latency).toMatchObject({
    unit: 'ms',
    avg: 16,
    min: 6,
    max: 26,
    std: 10,
    count: 3,
  });
  expect(blocks.network_rtt).toEqual({ unit: 'ms', avg: 4 });
});

test('counts a latency below the round trip as 0', () => {
  const blocks = subtractRoundTrip(createMetrics({ time_to_first_token: [2, 6] }), 4);
  expect(blocks.network_adjusted_time_to_first_token).toMatchObject({ avg: 1, min: 0, max: 2 });
});

test('shifts the statistics of values that are not stored', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 + index);
  const exact = subtractRoundTrip(createMetrics({ request_latency: values }), 50);
  const estimated = subtractRoundTrip(createMetrics({ request_latency: values }, 10), 50);
  const [a, b] = [exact, estimated].map(blocks => blocks.network_adjusted_request_latency!);
  expect(b).toMatchObject({ percentile_method: 't-digest', min: a!.min, max: a!.max, sum: a!.sum });
  expect(b!.avg).toBeCloseTo(a!.avg!, 9);
  expect(b!.std).toBeCloseTo(a!.std!, 9);
});

test.each([0, Number.NaN])('a round trip of %d adds no metrics', roundTripMs => {
  expect(subtractRoundTrip(createMetrics({ request_latency: [1] }), roundTripMs)).toEqual({});
});
