import { type EndpointStore, type HistogramSeries, Random } from '@org/core';
import { CpuClock } from './usage.ts';

/** Time of one access, ns of processor time. */
export interface ReadingCost {
  /** One value of a random slot in a random frame. */
  readonly oneValueNs: number;
  /** The newest value of a random slot, which is not compressed yet. */
  readonly newestValueNs: number;
  /** Per value, when a random slot is read from beginning to end. */
  readonly columnNsPerValue: number;
  /** Per value of a bucket, count or sum, when a random histogram is read from beginning to end. */
  readonly histogramNsPerValue: number;
}

/** How long the store takes to give back what it holds. */
export function readingCost(store: EndpointStore): ReadingCost {
  const random = new Random(3).fork('reading');
  const below = (count: number) => Math.floor(random.next() * count);
  const { layout, frameCount } = store;
  const histograms = layout.series.filter((series): series is HistogramSeries => series.kind === 'histogram');
  const any = () => histograms[below(histograms.length)]!;
  return {
    oneValueNs: timeOf(20_000, () => {
      const frame = below(frameCount);
      return store.column(below(layout.slotCount), frame, frame + 1).length;
    }),
    newestValueNs: timeOf(20_000, () => {
      return store.column(below(layout.slotCount), frameCount - 1, frameCount).length;
    }),
    columnNsPerValue: timeOf(500, () => store.column(below(layout.slotCount)).length),
    histogramNsPerValue: timeOf(100, () => {
      const { timesNs, cumulative } = store.histogramSamples(any());
      return timesNs.length * (cumulative.length + 2);
    }),
  };
}

/** ns per value, where each turn says how many values it read. A tenth as many turns go before, to be compiled. */
function timeOf(turns: number, read: () => number): number {
  for (let turn = 0; turn < turns / 10; turn++) read();
  const clock = new CpuClock();
  let values = 0;
  clock.measure(() => {
    for (let turn = 0; turn < turns; turn++) values += read();
  });
  return (clock.cpuS * 1e9) / values;
}
