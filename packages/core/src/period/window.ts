import type { HistogramSeries, ScalarSeries, SummarySeries } from '../layout/layout.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { HistogramSamples, ScalarSamples, SummarySamples } from '../store/samples.ts';
import { lowerBound, type Timeline, upperBound } from '../store/timeline.ts';
import type { Period, PeriodEdges } from './period.ts';

/**
 * What the statistics of one series in one period are made of.
 *
 * Row 0 of the samples is the base of all differences: the reference, which is the series' last sample strictly
 * before the period, or, without one, its first sample in the period. DESIGN decision 4.
 */
export interface Window<S> {
  readonly samples: S;
  readonly hasReference: boolean;
}

/** Why a series' figures are what they are: what they were computed from. Times in ns since the timeline's origin. */
export interface WindowSummary {
  /** Time of the reference sample; null when the first sample in the period stands in for it. */
  readonly referenceNs: number | null;
  readonly firstNs: number;
  readonly lastNs: number;
  /** How many samples lie in the period. */
  readonly samples: number;
}

/**
 * The period as one endpoint's samples bound it. DESIGN decision 4; later scrapes do not count.
 *
 * It ends with the scrape that was made to close it, for which `edges` has a time, or else with the first one after its end.
 * A baseline that came when the period had begun, from an endpoint too slow for the barrier, has the period begin right behind
 * it: what came before is none of it. One that came before the start is the last sample there, and needs no mention.
 */
export function effectivePeriod(timeline: Timeline, period: Period, edges: PeriodEdges = {}): Period {
  const { baselineNs = Number.NEGATIVE_INFINITY, closingNs = Number.NEGATIVE_INFINITY } = edges;
  const following = timeline.offsetsNs[upperBound(timeline.offsetsNs, period.endNs)];
  const endNs = closingNs > period.endNs ? closingNs : (following ?? period.endNs);
  const isLate = baselineNs >= period.startNs && baselineNs < period.endNs;
  return { startNs: isLate ? baselineNs + 1 : period.startNs, endNs };
}

/** The samples of a scalar series in the period with their reference; null when the period has none. */
export function scalarWindow(
  store: EndpointStore,
  series: ScalarSeries,
  period: Period,
): Window<ScalarSamples> | null {
  return windowOf(store, period, (from, to) => store.scalarSamples(series, from, to));
}

/** The samples of a histogram in the period with their reference; null when the period has none. */
export function histogramWindow(
  store: EndpointStore,
  series: HistogramSeries,
  period: Period,
): Window<HistogramSamples> | null {
  return windowOf(store, period, (from, to) => store.histogramSamples(series, from, to));
}

/** The samples of a summary in the period with their reference; null when the period has none. */
export function summaryWindow(
  store: EndpointStore,
  series: SummarySeries,
  period: Period,
): Window<SummarySamples> | null {
  return windowOf(store, period, (from, to) => store.summarySamples(series, from, to));
}

/** What a window consists of. */
export function windowSummary(window: Window<{ readonly timesNs: Float64Array }>): WindowSummary {
  const { timesNs } = window.samples;
  const first = window.hasReference ? 1 : 0;
  return {
    referenceNs: window.hasReference ? timesNs[0]! : null,
    firstNs: timesNs[first]!,
    lastNs: timesNs.at(-1)!,
    samples: timesNs.length - first,
  };
}

type Read<S> = (from: number, to: number) => S;

function windowOf<S extends { readonly timesNs: Float64Array }>(
  store: EndpointStore,
  period: Period,
  read: Read<S>,
): Window<S> | null {
  const { offsetsNs } = store.timeline();
  const start = lowerBound(offsetsNs, period.startNs);
  const end = upperBound(offsetsNs, period.endNs);
  const reference = lastSampleFrame(offsetsNs, start, read);
  // Between the reference and the period the series has no sample: the reference adds exactly one row.
  const samples = read(reference ?? start, end);
  const hasReference = reference !== null;
  return samples.timesNs.length > (hasReference ? 1 : 0) ? { samples, hasReference } : null;
}

/** The frame of the last sample before a frame. Looks back in growing steps: mostly it is the frame before. */
function lastSampleFrame<S extends { readonly timesNs: Float64Array }>(
  offsetsNs: Float64Array,
  before: number,
  read: Read<S>,
): number | null {
  for (let to = before, step = 1; to > 0; step *= 8) {
    const from = Math.max(0, to - step);
    const time = read(from, to).timesNs.at(-1);
    if (time !== undefined) return frameAt(offsetsNs, time, from, to, read);
    to = from;
  }
  return null;
}

/** The last frame of [from, to) that holds a sample of that time. */
function frameAt<S extends { readonly timesNs: Float64Array }>(
  offsetsNs: Float64Array,
  time: number,
  from: number,
  to: number,
  read: Read<S>,
): number {
  let frame = Math.min(to, upperBound(offsetsNs, time)) - 1;
  while (frame > from && read(frame, frame + 1).timesNs.length === 0) frame--;
  return frame;
}
