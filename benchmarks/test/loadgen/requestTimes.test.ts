import { expect, test } from 'vitest';
import { computeTruthTimes, computeWireTimes, isWithinTolerance } from '../../src/loadgen/requestTimes.ts';

test('computes the times of the simulator from the arrival of the request', () => {
  const truth = { id: 1, receivedNs: 100, firstWrittenNs: 300, lastWrittenNs: 700, outputTokens: 5 };
  expect(computeTruthTimes(truth)).toEqual({ ttft: 200, itl: 100, latency: 600 });
  expect(computeTruthTimes({ ...truth, lastWrittenNs: 300, outputTokens: 1 })).toMatchObject({ itl: 0 });
});

test('computes the times of captured packets from the given start', () => {
  const exchange = { connectNs: 10n, sentNs: 20n, requestedNs: 20n, tokensNs: [120n, 150n, 180n] };
  expect(computeWireTimes(exchange, 10n)).toEqual({ ttft: 110, itl: 30, latency: 170 });
});

test.each([
  [5e6, 5.9e6, true],
  [5e6, 6.1e6, false],
  [1e9, 1.009e9, true],
  [1e9, 1.02e9, false],
])('reports whether %d ns is within the tolerance of %d ns: %s', (measured, actual, expected) => {
  expect(isWithinTolerance(measured, actual)).toBe(expected);
});
