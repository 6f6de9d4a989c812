import type { SimulatorOptions } from '@org/simulator';
import { computeMedian } from '../measure/numbers.ts';
import { type ClosedLoop, computePercentile, runClosedLoop } from './closedLoop.ts';

/** Number of simulations of each concurrency. Their median counts, because a rare slow step changes a percentile much. */
const SIMULATIONS = 11;

/**
 * Computes the concurrency at which the p95 of the time to first token reaches a limit in milliseconds, from simulations of
 * each concurrency from `from`, which must be below the limit. It is interpolated between two integers.
 */
export function computeTrueBoundary(
  loop: Omit<ClosedLoop, 'concurrency'>,
  limitMs: number,
  options: Partial<SimulatorOptions>,
  from = 1,
): number {
  let below = computeMedianPercentile({ ...loop, concurrency: from }, options);
  if (below >= limitMs) throw new Error(`concurrency ${from} already exceeds ${limitMs} ms`);
  for (let concurrency = from + 1; concurrency <= loop.requests; concurrency++) {
    const value = computeMedianPercentile({ ...loop, concurrency }, options);
    if (value >= limitMs) return concurrency - (value - limitMs) / (value - below);
    below = value;
  }
  throw new Error(`no concurrency up to ${loop.requests} exceeds ${limitMs} ms`);
}

function computeMedianPercentile(loop: ClosedLoop, options: Partial<SimulatorOptions>): number {
  const values = Array.from({ length: SIMULATIONS }, (_, index) =>
    computePercentile(runClosedLoop(loop, { ...options, seed: index + 1 }).firstTokenMs, 0.95),
  );
  return computeMedian(values);
}

/** Counts the values of a grid whose neighbors differ by at most this fraction of the higher one, or by 1. */
export function countGrid(low: number, high: number, precision: number): number {
  const values = new Set<number>([low]);
  for (let value = low; value < high; ) {
    value = Math.min(high, Math.max(value + 1, Math.floor(value / (1 - precision))));
    values.add(value);
  }
  return values.size;
}
