import type { Run, RunSeries } from '@org/analysis';
import { isSourceError } from '@org/formats/read';
import type { TimeChart, Timeline } from '../document.ts';
import { findKeyFamilies, type KeyFamily } from '../keyFamilies.ts';
import type { ReadIssues } from '../readIssues.ts';
import { buildClientCharts } from './clientCharts.ts';
import { buildHeatmap } from './heatmap.ts';
import { SampleHistories } from './sampleHistory.ts';
import { findSampleSource, type SampleSource } from './sampleSource.ts';
import { type Axis, roundValue } from './timeAxis.ts';
import { createTrace, LevelTrace, ObservationTrace, RateTrace, type Trace } from './trace.ts';

/** The maximum number of bins. Runs with many endpoints have fewer bins, to limit the size of the page. */
const MAX_BINS = 600;
const MAX_BINS_WITH_MANY_ENDPOINTS = 240;
/** Runs with more endpoints than this have at most MAX_BINS_WITH_MANY_ENDPOINTS bins. */
const MANY_ENDPOINTS = 12;
/** The minimum number of scrapes per bin, so that rates do not depend on single scrapes. */
const MIN_SCRAPES_PER_BIN = 2;
/** The scrape interval if the export does not contain it. */
const DEFAULT_INTERVAL_SECONDS = 0.333;

/** The traces of a metric, by endpoint and labels. */
type Traces = Map<string, Map<string, Trace>>;

/**
 * Builds the timeline: charts of the client's requests and of the key metrics of servers. Returns undefined if the run
 * contains no data over time.
 */
export async function buildTimeline(run: Run, issues: ReadIssues): Promise<Timeline | undefined> {
  const families = findKeyFamilies(run);
  const source = families.length === 0 ? undefined : await findSampleSource(run, issues);
  const sampledRun = source && (await tryRead(source.file, issues, () => readTraces(run, families, source)));
  const tracedRun = sampledRun ?? convertSlices(families) ?? createRunWithoutTraces(run);
  if (!tracedRun) return undefined;
  const { requests } = run.files;
  const client =
    requests === undefined
      ? []
      : await tryRead(requests, issues, () =>
          buildClientCharts(requests, tracedRun.startNs, tracedRun.axis, issues),
        );
  const timeline = assembleTimeline(run, families, tracedRun, client ?? []);
  return timeline.charts.length === 0 ? undefined : timeline;
}

/** Runs `read`. If the file is malformed or cannot be read, adds an issue and returns undefined, so that the next source is used. */
async function tryRead<T>(file: string, issues: ReadIssues, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isKnown = error instanceof Error && (error.name === 'ParquetError' || error.name === 'FormatError');
    if (!isKnown && !isSourceError(error)) throw error;
    issues.add(file, error.message);
    return undefined;
  }
}

/**
 * Creates an axis without traces, for charts of the client's requests only. Returns undefined if the run
 * contains no requests or its time range is unknown.
 */
function createRunWithoutTraces(run: Run): TracedRun | undefined {
  const { startNs, seconds } = run.times;
  if (run.files.requests === undefined || startNs === undefined || !seconds) return undefined;
  return { description: 'requests', startNs, axis: createAxis(seconds, run), traces: new Map() };
}

/** The traces of the key metrics, with their axis. */
interface TracedRun {
  /** Description of the source, such as `timeslices`. */
  readonly description: string;
  /** Start of the axis (0 s), as Unix time in nanoseconds. */
  readonly startNs: bigint;
  readonly axis: Axis;
  readonly traces: ReadonlyMap<string, Traces>;
}

async function readTraces(
  run: Run,
  families: readonly KeyFamily[],
  source: SampleSource,
): Promise<TracedRun> {
  const axis = createAxis(source.seconds, run);
  const kinds = new Map(families.map(({ family, kind }) => [family.name, kind]));
  const traces = new Map(families.map(({ family }): [string, Traces] => [family.name, new Map()]));
  const endpointNames = new Map(run.endpoints.map(({ url, name }) => [url, name]));
  const histories = new SampleHistories(run, source.startNs, source.areRaw);
  for (const { family } of families) histories.addCreated(family.series, readInterval(run));
  for await (const { name, endpointUrl, labels, sample } of source.readSamples(new Set(kinds.keys()))) {
    const endpoint = endpointNames.get(endpointUrl) ?? endpointUrl;
    const create = (): Trace => createTrace(kinds.get(name)!, axis, histories.get(name, endpointUrl, labels));
    getTrace(traces.get(name)!, endpoint, labels, create).add(sample);
  }
  return { description: source.description, startNs: source.startNs, axis, traces };
}

function createAxis(seconds: number, run: Run): Axis {
  const maxBins = run.endpoints.length > MANY_ENDPOINTS ? MAX_BINS_WITH_MANY_ENDPOINTS : MAX_BINS;
  const minWidth = readInterval(run) * MIN_SCRAPES_PER_BIN;
  const bins = Math.max(1, Math.min(maxBins, Math.floor(seconds / minWidth)));
  return { bins, width: seconds / bins };
}

/** Reads the scrape interval of a run, in seconds. */
function readInterval(run: Run): number {
  const configured = run.inputConfig.collection_interval;
  return typeof configured === 'number' && configured > 0 ? configured : DEFAULT_INTERVAL_SECONDS;
}

/**
 * Creates traces from the timeslices of the JSON export, with one bin per timeslice. The axis starts with the
 * first timeslice. Returns undefined if there are no timeslices.
 */
function convertSlices(families: readonly KeyFamily[]): TracedRun | undefined {
  const allSlices = families.flatMap(({ family }) => family.series.flatMap(({ slices }) => slices));
  if (allSlices.length === 0) return undefined;
  let { start_ns: startNs, end_ns: endNs } = allSlices[0]!;
  for (const { start_ns, end_ns } of allSlices) {
    if (start_ns < startNs) startNs = start_ns;
    if (end_ns > endNs) endNs = end_ns;
  }
  const width = Number(allSlices[0]!.end_ns - allSlices[0]!.start_ns) / 1e9;
  if (!(width > 0)) return undefined;
  const bins = Math.max(1, Math.ceil(Number(endNs - startNs) / 1e9 / width - 1e-6));
  const axis = { bins, width };
  const traces = new Map<string, Traces>();
  for (const { family, kind } of families) {
    const familyTraces: Traces = new Map();
    for (const series of family.series) {
      const labels = JSON.stringify(series.labels);
      addSlices(
        getTrace(familyTraces, series.endpoint, labels, () => createTrace(kind, axis)),
        series,
        startNs,
      );
    }
    traces.set(family.name, familyTraces);
  }
  return { description: 'timeslices', startNs, axis, traces };
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

function getTrace(traces: Traces, endpoint: string, labels: string, create: () => Trace): Trace {
  let endpointTraces = traces.get(endpoint);
  if (!endpointTraces) {
    endpointTraces = new Map();
    traces.set(endpoint, endpointTraces);
  }
  let trace = endpointTraces.get(labels);
  if (!trace) {
    trace = create();
    endpointTraces.set(labels, trace);
  }
  return trace;
}

function assembleTimeline(
  run: Run,
  families: readonly KeyFamily[],
  tracedRun: TracedRun,
  client: readonly TimeChart[],
): Timeline {
  const { description, startNs, axis, traces } = tracedRun;
  const { profilingStartNs, profilingEndNs } = run.times;
  const drawnFamilies = families.filter(({ family }) => (traces.get(family.name)?.size ?? 0) > 0);
  const toSeconds = (ns: bigint): number => roundValue(Number(ns - startNs) / 1e9);
  return {
    source: description,
    seconds: Array.from({ length: axis.bins }, (_, bin) => roundValue((bin + 0.5) * axis.width)),
    binSeconds: roundValue(axis.width),
    start: new Date(Number(startNs / 1_000_000n)).toISOString(),
    ...(profilingStartNs !== undefined &&
      profilingEndNs !== undefined && {
        profiling: [toSeconds(profilingStartNs), toSeconds(profilingEndNs)] as const,
      }),
    marks: listMarks(run).map(({ ns, text }) => ({ seconds: toSeconds(ns), text })),
    charts: [...client, ...drawnFamilies.map(entry => buildChart(entry, traces.get(entry.family.name)!))],
    heatmaps: drawnFamilies.flatMap(entry => buildHeatmap(entry, traces.get(entry.family.name)!, axis)),
  };
}

/** A mark recorded with `servelens mark`. */
interface Mark {
  readonly ns: bigint;
  readonly text: string;
}

function listMarks({ view }: Run): Mark[] {
  const marks = (
    view.summary as { readonly marks?: readonly Readonly<Record<string, unknown>>[] } | undefined
  )?.marks;
  return (marks ?? []).flatMap(mark => {
    const ns = mark.time_ns ?? mark.timestamp_ns;
    return typeof ns === 'bigint'
      ? [{ ns, text: String(mark.text ?? mark.note ?? mark.kind ?? 'mark') }]
      : [];
  });
}

function buildChart({ family, meaning, kind, combined }: KeyFamily, traces: Traces): TimeChart {
  const endpoints = [...traces].map(([name, endpointTraces]) => ({
    name,
    values: combineTraces([...endpointTraces.values()], combined),
  }));
  const all = combineTraces(
    [...traces.values()].flatMap(endpointTraces => [...endpointTraces.values()]),
    combined,
  );
  return {
    name: family.name,
    meaning,
    unit: family.unit,
    unitSuffix: kind === 'rate' ? '/s' : '',
    combined,
    all,
    ...(endpoints.length > 1 && { endpoints }),
  };
}

/**
 * Combines traces into one value per bin; null if no trace has a value. Histograms are combined into the mean
 * of their observations.
 */
function combineTraces(traces: readonly Trace[], operation: KeyFamily['combined']): (number | null)[] {
  const observationTraces = traces.filter(trace => trace instanceof ObservationTrace);
  if (observationTraces.length > 0) return computeMeans(observationTraces);
  const values = traces.map(trace => trace.values());
  return (values[0] ?? []).map((_, bin) => {
    const binValues = values.flatMap(value => (value[bin] === null ? [] : [value[bin]!]));
    if (binValues.length === 0) return null;
    return roundValue(
      operation === 'max' ? Math.max(...binValues) : binValues.reduce((sum, value) => sum + value, 0),
    );
  });
}

/** Computes the mean of the observations of all traces in each bin, which is not the mean of the trace means. */
function computeMeans(traces: readonly ObservationTrace[]): (number | null)[] {
  return Array.from(traces[0]!.counts, (_, bin) => {
    let count = 0;
    let sum = 0;
    for (const trace of traces) {
      count += trace.counts[bin]!;
      sum += trace.sums[bin]!;
    }
    return count > 0 ? roundValue(sum / count) : null;
  });
}
