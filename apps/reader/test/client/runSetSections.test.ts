import { expect, test } from 'vitest';
import { createEstimateCell, findOptimalVariations } from '../../client/runSetSections.ts';

const createVariation = (rate: number, latency?: number) => ({
  estimates: {
    request_throughput_avg: { mean: rate, half: null },
    ...(latency !== undefined && { latency: { mean: latency, half: null } }),
  },
});

test('finds the variations that are Pareto-optimal in throughput and latency', () => {
  const [low, high, worse, unknown] = [
    createVariation(1, 10),
    createVariation(5, 50),
    createVariation(4, 60),
    createVariation(9),
  ];
  expect([...findOptimalVariations([low!, high!, worse!, unknown!], 'latency')]).toEqual([low, high]);
});

test.each([
  [null, '', null],
  [{ mean: 0.5, half: null }, '500 ms', 0.5],
  [{ mean: 0.5, half: 0.02 }, '500 ms ± 20 ms', 0.5],
])('formats the estimate %j', (estimate, text, sort) => {
  expect(createEstimateCell(estimate, 'seconds')).toEqual({ text, sort });
});
