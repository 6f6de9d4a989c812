import { expect, test } from 'vitest';
import { searchSimulatedServer } from '../../src/search/simulatedSearch.ts';
import { computeTrueBoundary, countGrid } from '../../src/search/trueBoundary.ts';

const SEARCH = {
  loop: { requests: 200, promptTokens: 64, outputTokens: 16 },
  limitMs: 150,
  low: 4,
  high: 256,
  precision: 0.05,
};

test.each([
  { maxRunning: 16, seed: 1 },
  { maxRunning: 40, seed: 2 },
])(
  'a search finds the boundary of a server within 5%, in at most half of the runs of a grid: $maxRunning',
  ({ maxRunning, seed }) => {
    const options = { maxRunning, seed, prefixCaching: false };
    const { probes, boundary } = searchSimulatedServer(SEARCH, options);
    const estimate = boundary.estimate!;
    const truth = computeTrueBoundary(SEARCH.loop, SEARCH.limitMs, options, Math.floor(estimate * 0.8));
    expect(Math.abs(estimate / truth - 1)).toBeLessThan(0.05);
    expect(probes.length).toBeLessThanOrEqual(countGrid(SEARCH.low, SEARCH.high, SEARCH.precision) / 2);
  },
);
