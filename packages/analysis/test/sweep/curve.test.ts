import { expect, test } from 'vitest';
import { type CurveVariation, computeThroughputLatencyCurves } from '../../src/sweep/curve.ts';

function createVariation(parameters: Record<string, number>, rate: number, latency?: number): CurveVariation {
  return {
    name: Object.values(parameters).join('/'),
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, String(value)])),
    estimates: {
      rate: { mean: rate, half: 0.5 },
      ...(latency === undefined ? {} : { latency: { mean: latency, half: null } }),
    },
  };
}

test('orders points by variation, not by throughput', () => {
  const variations = [
    createVariation({ concurrency: 1 }, 8, 100),
    createVariation({ concurrency: 2 }, 15, 120),
    createVariation({ concurrency: 4 }, 14, 300),
  ];
  const [curve, ...others] = computeThroughputLatencyCurves(variations, 'rate', 'latency');
  expect(others).toEqual([]);
  expect(curve!.name).toBe('');
  expect(curve!.points.map(({ x, y, isPareto }) => [x, y, isPareto])).toEqual([
    [8, 100, true],
    [15, 120, true],
    [14, 300, false],
  ]);
  expect(curve!.points[0]).toMatchObject({ xHalf: 0.5, yHalf: null });
});

test('creates a curve for each value of the parameter with fewer values', () => {
  const variations = [16, 64].flatMap(osl =>
    [1, 2, 4].map(concurrency => createVariation({ concurrency, osl }, concurrency, osl)),
  );
  const curves = computeThroughputLatencyCurves(variations, 'rate', 'latency');
  expect(curves.map(({ name, points }) => [name, points.length])).toEqual([
    ['osl 16', 3],
    ['osl 64', 3],
  ]);
  expect(curves[1]!.points.map(({ isPareto }) => isPareto)).toEqual([false, false, false]);
});

test('omits a variation without one of the metrics', () => {
  const curves = computeThroughputLatencyCurves([createVariation({ concurrency: 1 }, 8)], 'rate', 'latency');
  expect(curves).toEqual([]);
});
