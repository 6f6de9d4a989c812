import type { HistogramSeries, ScalarSeries, Slot } from '@org/core';
import type { ResetSeries } from '../view/parquetMetadata.ts';

/** Returns the slots of a series in the order of its columns. */
export function listSlots(series: ScalarSeries | HistogramSeries): readonly Slot[] {
  if (series.kind === 'scalar') return [series.value];
  return [series.sum, series.count, ...series.buckets.map(({ slot }) => slot)];
}

/** Creates the function that converts increases across resets to the values of the server. */
export function createRestorer(
  series: ScalarSeries | HistogramSeries,
  { base, offsets }: Pick<ResetSeries, 'base' | 'offsets'>,
): (slot: Slot, ns: bigint, increase: number) => number {
  const columns = new Map(listSlots(series).map((slot, at) => [slot, at]));
  return (slot, ns, increase) => {
    const column = columns.get(slot)!;
    const offset = offsets[countUntil(offsets, ns) - 1]?.[1][column] ?? 0;
    return increase + base[column]! - offset;
  };
}

/** Returns the number of resets at or before a time. */
function countUntil(offsets: ResetSeries['offsets'], ns: bigint): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]![0] <= ns) low = middle + 1;
    else high = middle;
  }
  return low;
}
