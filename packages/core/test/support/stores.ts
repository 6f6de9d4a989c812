import type { FamilyType } from '../../src/layout/layout.ts';
import {
  type HistogramSeries,
  Layout,
  type ScalarSeries,
  type SummarySeries,
} from '../../src/layout/layout.ts';
import { EndpointStore } from '../../src/store/endpointStore.ts';

/** The timestamp of second 0 in these stores, in nanoseconds since 1970. */
export const ORIGIN_NS = 1_765_793_061_967_310_848n;
/** One second, in ns. */
export const SECOND = 1e9;

/** A frame of one scalar series: time in seconds, and value; `null` for a scrape without the series. */
export type Scrape = readonly [seconds: number, value: number | null];

/** A frame of one histogram: seconds, sum, cumulative buckets; the last bucket equals the count. */
export type HistogramScrape = readonly [seconds: number, sum: number | null, ...buckets: (number | null)[]];

/** Creates a store with one gauge, counter or unknown. Offsets are relative to the first frame. */
export function createScalarStore(
  type: FamilyType,
  scrapes: readonly Scrape[],
): { store: EndpointStore; series: ScalarSeries } {
  const layout = new Layout();
  const series = layout.scalar({ name: 'some', type, help: '' }, []);
  const store = new EndpointStore(layout);
  for (const [seconds, value] of scrapes) appendFrame(store, seconds, [value ?? Number.NaN]);
  return { store, series };
}

/** Creates a store with one histogram; the last bound is +Inf. */
export function createHistogramStore(
  bounds: readonly number[],
  scrapes: readonly HistogramScrape[],
): { store: EndpointStore; series: HistogramSeries } {
  const layout = new Layout();
  const series = layout.histogram({ name: 'some', type: 'histogram', help: '' }, []);
  for (const le of [...bounds, Infinity]) layout.bucket(series, le, le === Infinity ? '+Inf' : String(le));
  const store = new EndpointStore(layout);
  for (const [seconds, sum, ...buckets] of scrapes) {
    appendFrame(
      store,
      seconds,
      [sum, buckets.at(-1), ...buckets].map(value => value ?? Number.NaN),
    );
  }
  return { store, series };
}

/** Creates a store with one summary. A scrape contains its time in seconds, the sum, the count and the quantiles. */
export function createSummaryStore(
  quantiles: readonly number[],
  scrapes: readonly (readonly number[])[],
): { store: EndpointStore; series: SummarySeries } {
  const layout = new Layout();
  const series = layout.summary({ name: 'some', type: 'summary', help: '' }, []);
  for (const quantile of quantiles) layout.quantile(series, quantile, String(quantile));
  const store = new EndpointStore(layout);
  for (const [seconds, ...values] of scrapes) appendFrame(store, seconds!, values);
  return { store, series };
}

/** Appends a frame at `seconds` after the origin, with the values of all slots. */
export function appendFrame(
  store: EndpointStore,
  seconds: number,
  values: readonly number[],
  changed = true,
): void {
  const timestampNs = ORIGIN_NS + BigInt(Math.round(seconds * SECOND));
  store.append({ timestampNs, latencyNs: 1e6, changed, values: Float64Array.from(values) });
}

/** Creates a period from its start and end, in seconds since the first frame. */
export function createPeriod(start: number, end: number): { startNs: number; endNs: number } {
  return { startNs: start * SECOND, endNs: end * SECOND };
}
