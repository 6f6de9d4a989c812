import type { HistogramSeries, ScalarSeries, SummarySeries } from '../layout/layout.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import type { HistogramSamples, ScalarSamples, SummarySamples } from '../store/samples.ts';
import { lowerBound, type Timeline, upperBound } from '../store/timeline.ts';

/**
 * The time range that statistics cover, both ends included, in ns since the timeline's origin. See
 * docs/decisions/0004-reference-sample-and-period.md.
 */
export interface Period {
  readonly startNs: number;
  readonly endNs: number;
  /** Times of the scrapes in the period that belong to another phase. Their samples are used only as references. */
  readonly excludedNs?: ReadonlySet<number>;
  /** True if the timeslices of a series cover the time from its first to its last sample in the period, as in AIPerf. */
  readonly isSlicedBySeries?: boolean;
}

/**
 * Times of the baseline scrape and the closing scrape of one endpoint, at the start and the end of the
 * period, in ns since the timeline's origin. A time is absent if the scrape failed.
 */
export interface PeriodEdges {
  readonly baselineNs?: number;
  readonly closingNs?: number;
}

/**
 * The samples of one series in one period.
 *
 * Row 0 is the reference sample, the base of all differences: the last sample strictly before the period or,
 * if there is none, the first sample in the period. See docs/decisions/0004-reference-sample-and-period.md.
 */
export interface Window<S> {
  readonly samples: S;
  /** True if row 0 is before the period; false if it is the first sample in the period. */
  readonly hasReference: boolean;
}

/** Time range and number of samples of a window. Times are in ns since the timeline's origin. */
export interface WindowSummary {
  /** Time of the reference sample; null if it is the first sample in the period. */
  readonly referenceNs: number | null;
  readonly firstNs: number;
  readonly lastNs: number;
  /** Number of samples in the period. */
  readonly samples: number;
}

/**
 * Returns the period that applies to one endpoint.
 *
 * The returned period ends with the closing scrape. If there is none after the end of `period`, it ends with
 * the first scrape after that end or, without such a scrape, at that end. If the baseline scrape of a slow
 * endpoint completed after the start of the period, the period starts right after that scrape.
 */
export function resolveEndpointPeriod(timeline: Timeline, period: Period, edges: PeriodEdges = {}): Period {
  const { baselineNs = Number.NEGATIVE_INFINITY, closingNs = Number.NEGATIVE_INFINITY } = edges;
  const following = timeline.offsetsNs[upperBound(timeline.offsetsNs, period.endNs)];
  const endNs = closingNs > period.endNs ? closingNs : (following ?? period.endNs);
  const isLate = baselineNs >= period.startNs && baselineNs < period.endNs;
  return { startNs: isLate ? baselineNs + 1 : period.startNs, endNs };
}

/** Reads the window of a gauge, a counter or a series of unknown type; returns null if the period has no samples. */
export function readScalarWindow(
  store: EndpointStore,
  series: ScalarSeries,
  period: Period,
): Window<ScalarSamples> | null {
  return readWindow(store, period, (from, to) => store.scalarSamples(series, from, to), pickScalarRows);
}

/** Reads the window of a histogram; returns null if the period has no samples. */
export function readHistogramWindow(
  store: EndpointStore,
  series: HistogramSeries,
  period: Period,
): Window<HistogramSamples> | null {
  return readWindow(store, period, (from, to) => store.histogramSamples(series, from, to), pickHistogramRows);
}

/** Reads the window of a summary; returns null if the period has no samples. */
export function readSummaryWindow(
  store: EndpointStore,
  series: SummarySeries,
  period: Period,
): Window<SummarySamples> | null {
  return readWindow(store, period, (from, to) => store.summarySamples(series, from, to), pickSummaryRows);
}

/** Returns the time range and the number of samples of a window. */
export function summarizeWindow(window: Window<{ readonly timesNs: Float64Array }>): WindowSummary {
  const { timesNs } = window.samples;
  const first = window.hasReference ? 1 : 0;
  return {
    referenceNs: window.hasReference ? timesNs[0]! : null,
    firstNs: timesNs[first]!,
    lastNs: timesNs.at(-1)!,
    samples: timesNs.length - first,
  };
}

/** Reads the samples in the frames [from, to). */
type ReadFrames<S> = (from: number, to: number) => S;

/** Returns the samples with these row indices. */
type PickRows<S> = (samples: S, rows: readonly number[]) => S;

function readWindow<S extends { readonly timesNs: Float64Array }>(
  store: EndpointStore,
  period: Period,
  read: ReadFrames<S>,
  pickRows: PickRows<S>,
): Window<S> | null {
  const { offsetsNs } = store.timeline();
  const start = lowerBound(offsetsNs, period.startNs);
  const end = upperBound(offsetsNs, period.endNs);
  const reference = findLastSampleFrame(offsetsNs, start, read);
  // The series has no sample between the reference and the period, so the reference adds exactly one row.
  const samples = read(reference ?? start, end);
  const hasReference = reference !== null;
  if (period.excludedNs) return excludeSamples({ samples, hasReference }, period.excludedNs, pickRows);
  return samples.timesNs.length > (hasReference ? 1 : 0) ? { samples, hasReference } : null;
}

/**
 * Removes the samples of other phases. The reference is the sample before the first one that remains, whatever its
 * phase. Returns null if no sample remains.
 */
function excludeSamples<S extends { readonly timesNs: Float64Array }>(
  { samples, hasReference }: Window<S>,
  excludedNs: ReadonlySet<number>,
  pickRows: PickRows<S>,
): Window<S> | null {
  const rows: number[] = [];
  samples.timesNs.forEach((timeNs, row) => {
    const isInPeriod = row > 0 || !hasReference;
    if (isInPeriod && !excludedNs.has(timeNs)) rows.push(row);
  });
  const [first] = rows;
  if (first === undefined) return null;
  if (first > 0) rows.unshift(first - 1);
  return { samples: pickRows(samples, rows), hasReference: first > 0 };
}

function pickScalarRows({ timesNs, values }: ScalarSamples, rows: readonly number[]): ScalarSamples {
  return { timesNs: pick(timesNs, rows), values: pick(values, rows) };
}

function pickHistogramRows(samples: HistogramSamples, rows: readonly number[]): HistogramSamples {
  const { timesNs, sums, counts, cumulative } = samples;
  return {
    ...samples,
    timesNs: pick(timesNs, rows),
    sums: pick(sums, rows),
    counts: pick(counts, rows),
    cumulative: cumulative.map(column => pick(column, rows)),
  };
}

function pickSummaryRows(samples: SummarySamples, rows: readonly number[]): SummarySamples {
  const { timesNs, sums, counts, values } = samples;
  return {
    ...samples,
    timesNs: pick(timesNs, rows),
    sums: pick(sums, rows),
    counts: pick(counts, rows),
    values: values.map(column => pick(column, rows)),
  };
}

function pick(column: Float64Array, rows: readonly number[]): Float64Array {
  return Float64Array.from(rows, row => column[row]!);
}

/**
 * Finds the frame of the last sample before a frame. Searches backward in growing steps, because it is
 * usually the previous frame.
 */
function findLastSampleFrame<S extends { readonly timesNs: Float64Array }>(
  offsetsNs: Float64Array,
  before: number,
  read: ReadFrames<S>,
): number | null {
  for (let to = before, step = 1; to > 0; step *= 8) {
    const from = Math.max(0, to - step);
    const timeNs = read(from, to).timesNs.at(-1);
    if (timeNs !== undefined) return findFrameAt(offsetsNs, timeNs, from, to, read);
    to = from;
  }
  return null;
}

/** Finds the last frame of [from, to) that has a sample at `timeNs`. */
function findFrameAt<S extends { readonly timesNs: Float64Array }>(
  offsetsNs: Float64Array,
  timeNs: number,
  from: number,
  to: number,
  read: ReadFrames<S>,
): number {
  let frame = Math.min(to, upperBound(offsetsNs, timeNs)) - 1;
  while (frame > from && read(frame, frame + 1).timesNs.length === 0) frame--;
  return frame;
}
