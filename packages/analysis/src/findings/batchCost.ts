import { formatNumber, formatValue } from '@org/core';
import { mean, sum } from '../math.ts';
import { readObservations, readSliceObservations, type SliceObservations } from '../servers/observations.ts';
import type { Engine } from '../servers/servingSystem.ts';

/** A slice counts as a smaller batch up to this share of the full batch. */
const MAX_SMALLER_BATCH = 0.7;
/** Minimum number of slices with a smaller batch, so that a single slow token does not decide. */
const MIN_SLICES = 3;

/**
 * Describes what larger batches cost, as far as the run shows it: the mean time between tokens at the full batch, and
 * at smaller batches of the same run. Returns undefined if the engine does not measure the time between tokens.
 */
export function describeBatchCost(engine: Engine): string | undefined {
  const series = engine.series('interTokenLatency');
  const all = readObservations(series);
  if (!all || !engine.running) return undefined;
  const { max, slices } = engine.running;
  const levels = new Map(slices.map(({ startNs, value }) => [startNs, value]));
  const byBatch = readSliceObservations(series).flatMap(slice => {
    const batch = levels.get(slice.startNs);
    return batch === undefined ? [] : [{ ...slice, batch }];
  });
  const smaller = byBatch.filter(({ batch }) => batch <= MAX_SMALLER_BATCH * max);
  const full = byBatch.filter(({ batch }) => batch > MAX_SMALLER_BATCH * max);
  if (smaller.length < MIN_SLICES || full.length < MIN_SLICES)
    return `each token takes ${formatValue(all.mean, all.unit)} at this batch size; how much longer it takes in larger batches is not known from this run`;
  const [low, high] = [computeMean(smaller), computeMean(full)];
  const batch = mean(smaller.map(entry => entry.batch));
  return `each token took ${formatValue(high, all.unit)} in full batches and ${formatValue(low, all.unit)} with ${formatNumber(batch)} running requests`;
}

function computeMean(slices: readonly SliceObservations[]): number {
  const total = sum(slices.map(({ count, mean: average }) => count * average));
  return total / sum(slices.map(({ count }) => count));
}
