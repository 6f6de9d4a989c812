import { fitIsotonic } from '@org/search';
import type { SimulatorOptions } from '@org/simulator';
import { computeMedian } from '../measure/numbers.ts';
import { type ClosedLoop, computePercentile, runClosedLoop } from './closedLoop.ts';

/** Numbers of simulations of each concurrency, for a first and for the final boundary. */
const FEW = 11;
const MANY = 31;
/** Half of the width of the range in which the final boundary is computed, as a fraction of the first one. */
const HALF_WIDTH = 0.2;

/**
 * Computes the concurrency at which the p95 of the time to first token reaches a limit in milliseconds. The medians of many
 * simulations of each concurrency are fitted by an isotonic regression, because a rare slow step changes a percentile much, and
 * the zero of the fit is interpolated between two integers. `from` is a concurrency below the limit.
 */
export function computeTrueBoundary(
  loop: Omit<ClosedLoop, 'concurrency'>,
  limitMs: number,
  options: Partial<SimulatorOptions>,
  from = 1,
): number {
  const first = findFirstAbove(loop, limitMs, options, from);
  const low = Math.max(1, Math.floor(first * (1 - HALF_WIDTH)));
  const high = Math.min(loop.requests, Math.ceil(first * (1 + HALF_WIDTH)));
  const medians = Array.from({ length: high - low + 1 }, (_, step) =>
    computeMedianPercentile({ ...loop, concurrency: low + step }, options, MANY),
  );
  const fitted = fitIsotonic(medians.map(value => ({ value, weight: 1 })));
  const above = fitted.findIndex(value => value >= limitMs);
  if (above <= 0) throw new Error(`no boundary of ${limitMs} ms between concurrency ${low} and ${high}`);
  const [before, after] = [fitted[above - 1]!, fitted[above]!];
  return low + above - (after - limitMs) / (after - before);
}

/** Finds the lowest concurrency that exceeds the limit in few simulations. */
function findFirstAbove(
  loop: Omit<ClosedLoop, 'concurrency'>,
  limitMs: number,
  options: Partial<SimulatorOptions>,
  from: number,
): number {
  for (let concurrency = from; concurrency <= loop.requests; concurrency++)
    if (computeMedianPercentile({ ...loop, concurrency }, options, FEW) >= limitMs) return concurrency;
  throw new Error(`no concurrency up to ${loop.requests} exceeds ${limitMs} ms`);
}

function computeMedianPercentile(
  loop: ClosedLoop,
  options: Partial<SimulatorOptions>,
  simulations: number,
): number {
  const values = Array.from({ length: simulations }, (_, index) =>
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
