import { type Run, type RunFamily, type RunSeries, type RunSlice, readScrapeInterval } from '@org/analysis';
import type { ReadIssues } from '../readIssues.ts';
import { formatLabels, SampleHistories } from './sampleHistory.ts';
import { findSampleSource, type RunningData, type SampleSource } from './sampleSource.ts';
import type { Axis } from './timeAxis.ts';
import { createTrace, LevelTrace, ObservationTrace, RateTrace, type Trace, type TraceKind } from './trace.ts';
import { tryRead } from './tryRead.ts';

/** The maximum number of bins. Runs with many endpoints have fewer bins, to limit the size of the page. */
const MAX_BINS = 200;
const MAX_BINS_WITH_MANY_ENDPOINTS = 100;
/** Runs with more endpoints than this have at most MAX_BINS_WITH_MANY_ENDPOINTS bins. */
const MANY_ENDPOINTS = 12;
/** The minimum number of scrapes per bin, so that rates do not depend on single scrapes. */
const MIN_SCRAPES_PER_BIN = 2;
/** The number of scrapes per bin that are read from a large file. */
const READ_SCRAPES_PER_BIN = 4;
/** The scrape interval if it is unknown. */
const DEFAULT_INTERVAL_SECONDS = 0.333;
/** The mean number of requests in a slice, for percentiles, and the maximum number of slices. */
const REQUESTS_PER_SLICE = 20;
const MAX_SLICES = 60;

/** The kind of a trace by the type of its metric. */
const KINDS: Readonly<Record<string, TraceKind>> = {
  gauge: 'level',
  unknown: 'level',
  counter: 'rate',
  histogram: 'observations',
};

/** Returns the kind of trace that draws a metric; undefined for types that are not drawn over time. */
export function getTraceKind({ type }: Pick<RunFamily, 'type'>): TraceKind | undefined {
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

/** The traces of one series. */
interface SeriesTraces {
  readonly endpoint: string;
  readonly trace: Trace;
  /** The observations in wider bins, for percentiles; only for histograms. */
  readonly slices?: ObservationTrace;
}

/** Metrics of a run over time, in bins. */
export class RunTraces {
  /** Description of the source, such as `timeslices`. */
  readonly description: string;
  /** Start of the axis (0 s), as Unix time in nanoseconds. */
  readonly startNs: bigint;
  readonly axis: Axis;
  /** The axis of percentiles, whose bins contain more observations. */
  readonly sliceAxis: Axis;
  readonly #byName = new Map<string, Map<string, SeriesTraces>>();

  constructor(description: string, startNs: bigint, axis: Axis, sliceAxis: Axis) {
    this.description = description;
    this.startNs = startNs;
    this.axis = axis;
    this.sliceAxis = sliceAxis;
  }

  /** Returns a time in seconds on the axis. */
  toSeconds(ns: bigint): number {
    return Number(ns - this.startNs) / 1e9;
  }

  /** Returns the traces of a series, created by `create` if there are none. */
  getOrCreate(
    name: string,
    endpoint: string,
    labels: string,
    create: () => Omit<SeriesTraces, 'endpoint'>,
  ): SeriesTraces {
    const traces = this.#byName.get(name) ?? new Map<string, SeriesTraces>();
    this.#byName.set(name, traces);
    const key = toKey(endpoint, labels);
    const found = traces.get(key) ?? { endpoint, ...create() };
    traces.set(key, found);
    return found;
  }

  /** Returns the traces of a series; undefined if it has no data over time. */
  find({
    name,
    endpoint,
    labels,
  }: Pick<RunSeries, 'name' | 'endpoint' | 'labels'>): SeriesTraces | undefined {
    return this.#byName.get(name)?.get(toKey(endpoint, formatLabels(Object.entries(labels))));
  }

  /** Returns the traces of all series of a metric. */
  list(name: string): readonly SeriesTraces[] {
    return [...(this.#byName.get(name)?.values() ?? [])];
  }
}

function toKey(endpoint: string, labels: string): string {
  return `${endpoint}\n${labels}`;
}

/**
 * Reads metrics over time: from all scrapes, from the samples of the profiling period, or from timeslices. Returns
 * undefined if the run has none of them.
 *
 * @param requests number of requests of the run, which determines the width of slices
 * @param running the samples of a run that has not ended; otherwise, they are read from its exports
 */
export async function readRunTraces(
  run: Run,
  families: readonly RunFamily[],
  requests: number,
  issues: ReadIssues,
  running?: RunningData,
): Promise<RunTraces | undefined> {
  const source = families.length === 0 ? undefined : await findSampleSource(run, issues, running);
  const sampled =
    source && (await tryRead(source.file, issues, () => readSamples(run, families, requests, source)));
  return sampled ?? convertSlices(families) ?? createEmptyTraces(run, requests, running);
}

/** Creates an axis without traces, for requests only. Returns undefined if the time range of the run is unknown. */
function createEmptyTraces(run: Run, requests: number, running?: RunningData): RunTraces | undefined {
  const { startNs, seconds } = run.times;
  const hasRequests = run.files.requests !== undefined || running?.requests !== undefined;
  if (!hasRequests || startNs === undefined || !seconds) return undefined;
  return new RunTraces(
    'requests',
    startNs,
    createAxis(seconds, run),
    createSliceAxis(seconds, run, requests),
  );
}

async function readSamples(
  run: Run,
  families: readonly RunFamily[],
  requests: number,
  source: SampleSource,
): Promise<RunTraces> {
  const axis = createAxis(source.seconds, run);
  const sliceAxis = createSliceAxis(source.seconds, run, requests);
  const spacing = { neededSeconds: axis.width / READ_SCRAPES_PER_BIN, scrapeSeconds: readInterval(run) };
  const traces = new RunTraces(source.describe(spacing), source.startNs, axis, sliceAxis);
  const kinds = new Map(families.map(family => [family.name, getTraceKind(family)!]));
  const endpointNames = new Map(run.endpoints.map(({ url, name }) => [url, name]));
  const histories = new SampleHistories(run, source.startNs, source.areRaw);
  for (const { series } of families) histories.addCreated(series, readInterval(run));
  const samples = source.readSamples(new Set(kinds.keys()), spacing);
  for await (const { name, endpointUrl, labels, sample } of samples) {
    const endpoint = endpointNames.get(endpointUrl) ?? endpointUrl;
    const { trace, slices } = traces.getOrCreate(name, endpoint, labels, () => {
      const history = histories.get(name, endpointUrl, labels);
      const kind = kinds.get(name)!;
      return {
        trace: createTrace(kind, axis, history),
        ...(kind === 'observations' && { slices: new ObservationTrace(sliceAxis, history, true) }),
      };
    });
    trace.add(sample);
    slices?.add(sample);
  }
  return traces;
}

function createAxis(seconds: number, run: Run): Axis {
  const maxBins = run.endpoints.length > MANY_ENDPOINTS ? MAX_BINS_WITH_MANY_ENDPOINTS : MAX_BINS;
  const minWidth = readInterval(run) * MIN_SCRAPES_PER_BIN;
  const bins = Math.max(1, Math.min(maxBins, Math.floor(seconds / minWidth)));
  return { bins, width: seconds / bins };
}

function createSliceAxis(seconds: number, run: Run, requests: number): Axis {
  const minWidth = readInterval(run) * MIN_SCRAPES_PER_BIN;
  const most = Math.max(1, Math.min(MAX_SLICES, Math.floor(seconds / minWidth)));
  const bins = Math.max(1, Math.min(most, Math.round(requests / REQUESTS_PER_SLICE)));
  return { bins, width: seconds / bins };
}

/** Reads the scrape interval of a run, in seconds: the configured one, or the usual one of its endpoints. */
function readInterval(run: Run): number {
  const configured = run.inputConfig.collection_interval;
  if (typeof configured === 'number' && configured > 0) return configured;
  const intervals = run.endpoints
    .flatMap(endpoint => readScrapeInterval(endpoint) ?? [])
    .sort((a, b) => a - b);
  return intervals[intervals.length >>> 1] ?? DEFAULT_INTERVAL_SECONDS;
}

/** Creates traces from the timeslices of the JSON export, with at most one bin per timeslice. */
function convertSlices(families: readonly RunFamily[]): RunTraces | undefined {
  const range = findSliceRange(families);
  if (!range) return undefined;
  const { startNs, endNs, first } = range;
  const sliceWidth = Number(first.end_ns - first.start_ns) / 1e9;
  if (!(sliceWidth > 0)) return undefined;
  const count = Math.max(1, Math.ceil(Number(endNs - startNs) / 1e9 / sliceWidth - 1e-6));
  const [axis, sliceAxis] = [
    widenBins(count, sliceWidth, MAX_BINS),
    widenBins(count, sliceWidth, MAX_SLICES),
  ];
  const traces = new RunTraces('timeslices', startNs, axis, sliceAxis);
  for (const family of families) {
    const kind = getTraceKind(family)!;
    for (const series of family.series) {
      const labels = formatLabels(Object.entries(series.labels));
      const { trace, slices } = traces.getOrCreate(family.name, series.endpoint, labels, () => ({
        trace: createTrace(kind, axis),
        ...(kind === 'observations' && { slices: new ObservationTrace(sliceAxis, {}, true) }),
      }));
      addSlices(trace, series, startNs);
      if (slices) addSlices(slices, series, startNs);
    }
  }
  return traces;
}

/** The times of the timeslices of a run, and its first timeslice. */
interface SliceRange {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly first: RunSlice;
}

/** Finds the times of all timeslices, one series at a time. Returns undefined without timeslices. */
function findSliceRange(families: readonly RunFamily[]): SliceRange | undefined {
  let range: { startNs: bigint; endNs: bigint; readonly first: RunSlice } | undefined;
  for (const { series } of families)
    for (const { slices } of series)
      for (const slice of slices) {
        range ??= { startNs: slice.start_ns, endNs: slice.end_ns, first: slice };
        if (slice.start_ns < range.startNs) range.startNs = slice.start_ns;
        if (slice.end_ns > range.endNs) range.endNs = slice.end_ns;
      }
  return range;
}

/** Creates an axis whose bins contain whole timeslices. */
function widenBins(count: number, width: number, most: number): Axis {
  const perBin = Math.ceil(count / most);
  return { bins: Math.ceil(count / perBin), width: perBin * width };
}

function addSlices(trace: Trace, { slices }: RunSeries, startNs: bigint): void {
  for (const { start_ns, end_ns, avg, total, count, count_rate, sum = 0, buckets } of slices) {
    const from = Number(start_ns - startNs) / 1e9;
    const to = Number(end_ns - startNs) / 1e9;
    if (trace instanceof LevelTrace && avg !== undefined) trace.add({ seconds: (from + to) / 2, value: avg });
    else if (trace instanceof RateTrace && total !== undefined) trace.addIncrease(from, to, total);
    else if (trace instanceof ObservationTrace && count !== undefined) {
      // Scaled to the observations without sampling artefacts.
      const scale = count_rate !== undefined && count > 0 ? (count_rate * (to - from)) / count : 1;
      const histogram = {
        seconds: to,
        count: scale * count,
        sum: scale * sum,
        buckets: new Map(Object.entries(buckets ?? {}).map(([le, value]) => [le, scale * value])),
      };
      trace.addIncrease(from, histogram, { count: 0, sum: 0, buckets: new Map() });
    }
  }
}
