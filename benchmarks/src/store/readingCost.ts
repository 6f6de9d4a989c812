import { type EndpointStore, type HistogramSeries, Random } from '@org/core';
import { CpuClock } from '../measure/cpuClock.ts';

/** CPU times to read from a store, in nanoseconds. */
export interface ReadingCost {
  /** Time to read a value of a random slot in a random frame. */
  readonly oneValueNs: number;
  /** Time to read the newest value of a random slot, which is not compressed yet. */
  readonly newestValueNs: number;
  /** Time per value to read all values of a random slot. */
  readonly columnNsPerValue: number;
  /** Time per value to read all buckets, counts and sums of a random histogram. */
  readonly histogramNsPerValue: number;
}

/** Measures the time to read from a store. */
export function measureReading(store: EndpointStore): ReadingCost {
  const random = new Random(3).fork('reading');
  const drawIndex = (count: number) => Math.floor(random.next() * count);
  const { layout, frameCount } = store;
  const histograms = layout.series.filter((series): series is HistogramSeries => series.kind === 'histogram');
  const drawHistogram = () => histograms[drawIndex(histograms.length)]!;
  return {
    oneValueNs: measureNsPerValue(20_000, () => {
      const frame = drawIndex(frameCount);
      return store.column(drawIndex(layout.slotCount), frame, frame + 1).length;
    }),
    newestValueNs: measureNsPerValue(20_000, () => {
      return store.column(drawIndex(layout.slotCount), frameCount - 1, frameCount).length;
    }),
    columnNsPerValue: measureNsPerValue(500, () => store.column(drawIndex(layout.slotCount)).length),
    histogramNsPerValue: measureNsPerValue(100, () => {
      const { timesNs, cumulative } = store.histogramSamples(drawHistogram());
      return timesNs.length * (cumulative.length + 2);
    }),
  };
}

/**
 * Measures the CPU time per value in nanoseconds, over `rounds` rounds after a warm-up of a tenth as many
 * rounds. `read` returns the number of values that were read.
 */
function measureNsPerValue(rounds: number, read: () => number): number {
  for (let round = 0; round < rounds / 10; round++) read();
  const clock = new CpuClock();
  let values = 0;
  clock.measure(() => {
    for (let round = 0; round < rounds; round++) values += read();
  });
  return (clock.cpuS * 1e9) / values;
}
