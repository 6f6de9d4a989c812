import {
  type EndpointStore,
  type HistogramSamples,
  type HistogramSeries,
  type ScalarSeries,
  type Series,
  upperBound,
} from '@org/core';
import type { RecordSample, ServerMetricsRecord } from '@org/formats';
import type { EndpointRecord, RunRecord } from '../runRecord.ts';
import { metricsOf, type PlacedMetric } from './metrics.ts';

/** So many frames of an endpoint are laid out at a time, and fewer where that would be more values than these. */
const FRAMES_AT_ONCE = 64;
const VALUES_AT_ONCE = 1 << 20;

/**
 * The scrapes of a run as lines of server_metrics_export.jsonl, in order of time: raw values, warm-up included, bodies that
 * changed nothing left out, `_info` families and summaries left out (seed 002; reference A12).
 */
export function* serverMetricsRecords(record: RunRecord): Generator<ServerMetricsRecord> {
  const metrics = metricsOf(record).filter(
    metric => metric.type !== 'summary' && !metric.name.endsWith('_info'),
  );
  const streams = record.endpoints.map(endpoint => recordsOf(endpoint, seriesOf(endpoint, metrics)));
  yield* inOrderOfTime(streams);
}

/** The series of one metric of one endpoint. */
interface NamedSeries {
  readonly name: string;
  readonly series: readonly Series[];
}

function seriesOf(endpoint: EndpointRecord, metrics: readonly PlacedMetric[]): NamedSeries[] {
  return metrics.map(({ name, series }) => ({
    name,
    series: series.filter(placed => placed.endpoint === endpoint).map(placed => placed.series),
  }));
}

function* recordsOf(endpoint: EndpointRecord, all: readonly NamedSeries[]): Generator<ServerMetricsRecord> {
  const { store, url } = endpoint;
  const { originNs, offsetsNs } = store.timeline();
  const latencies = store.latenciesNs();
  const changed = store.changed();
  const scrapes = new Scrapes(store, all);
  for (let frame = 0; frame < store.frameCount; frame++) {
    if (changed[frame] === 0) continue;
    const metrics = scrapes.metricsAt(frame);
    if (metrics.length === 0) continue;
    const timestamp = originNs + BigInt(offsetsNs[frame]!);
    const latency = BigInt(Math.round(latencies[frame]!));
    yield {
      endpoint_url: url,
      timestamp_ns: timestamp,
      endpoint_latency_ns: latency,
      metrics: Object.fromEntries(metrics),
      request_sent_ns: timestamp - latency,
      first_byte_ns: timestamp,
    };
  }
}

/** What an endpoint said, scrape by scrape: some frames at a time are laid out, all values of them in one array. */
class Scrapes {
  readonly #store: EndpointStore;
  readonly #metrics: readonly { readonly name: string; readonly readers: readonly Reader[] }[];
  readonly #step: number;
  readonly #values: Float64Array;
  readonly #scalars: readonly ScalarReader[];
  readonly #histograms: readonly HistogramReader[];
  #from = 0;
  #to = 0;

  constructor(store: EndpointStore, all: readonly NamedSeries[]) {
    this.#store = store;
    this.#step = framesAtOnce(store.layout.slotCount);
    const scalars: ScalarReader[] = [];
    const histograms: HistogramReader[] = [];
    this.#metrics = all.map(({ name, series }) => ({
      name,
      readers: series.flatMap((one): Reader[] => {
        if (one.kind === 'summary') return [];
        const labels = one.labels.length === 0 ? {} : { labels: Object.fromEntries(one.labels) };
        if (one.kind === 'scalar') scalars.push({ series: one, labels, at: scalars.length });
        else histograms.push({ series: one, labels, samples: undefined });
        return [(one.kind === 'scalar' ? scalars.at(-1) : histograms.at(-1))!];
      }),
    }));
    this.#scalars = scalars;
    this.#histograms = histograms;
    this.#values = new Float64Array(scalars.length * this.#step);
  }

  /** The samples of a frame by name of metric; frames ascend. */
  metricsAt(frame: number): [string, RecordSample[]][] {
    if (frame >= this.#to) this.#load(frame);
    const found: [string, RecordSample[]][] = [];
    const timeNs = this.#store.timeline().offsetsNs[frame]!;
    for (const { name, readers } of this.#metrics) {
      const samples: RecordSample[] = [];
      for (const reader of readers) {
        const sample =
          'samples' in reader ? histogramSample(reader, timeNs) : this.#scalarSample(reader, frame);
        if (sample) samples.push(sample);
      }
      if (samples.length > 0) found.push([name, samples]);
    }
    return found;
  }

  #load(from: number): void {
    const to = Math.min(this.#store.frameCount, from + this.#step);
    for (const { series, at } of this.#scalars)
      this.#values.set(this.#store.column(series.value, from, to), at * this.#step);
    for (const reader of this.#histograms)
      reader.samples = this.#store.histogramSamples(reader.series, from, to);
    this.#from = from;
    this.#to = to;
  }

  #scalarSample({ at, labels }: ScalarReader, frame: number): RecordSample | undefined {
    const value = this.#values[at * this.#step + frame - this.#from]!;
    return Number.isNaN(value) ? undefined : { ...labels, value };
  }
}

type Labelled = { readonly labels?: Record<string, string> };
interface ScalarReader {
  readonly series: ScalarSeries;
  readonly labels: Labelled;
  /** Its place among the scalars. */
  readonly at: number;
}
interface HistogramReader {
  readonly series: HistogramSeries;
  readonly labels: Labelled;
  /** Of the frames that are laid out. */
  samples: HistogramSamples | undefined;
}
type Reader = ScalarReader | HistogramReader;

function histogramSample({ samples, labels }: HistogramReader, timeNs: number): RecordSample | undefined {
  const { timesNs, sums, counts, bounds, cumulative } = samples!;
  const row = upperBound(timesNs, timeNs) - 1;
  if (timesNs[row] !== timeNs) return undefined;
  const buckets = Object.fromEntries(bounds.map(({ text }, bound) => [text, cumulative[bound]![row]!]));
  return { ...labels, buckets, sum: sums[row]!, count: counts[row]! };
}

function framesAtOnce(slots: number): number {
  return Math.max(1, Math.min(FRAMES_AT_ONCE, Math.floor(VALUES_AT_ONCE / Math.max(1, slots))));
}

function* inOrderOfTime(streams: Generator<ServerMetricsRecord>[]): Generator<ServerMetricsRecord> {
  const heads = streams.map(stream => ({ stream, next: stream.next() }));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (!first || head.next.value.timestamp_ns < (first.next.value as ServerMetricsRecord).timestamp_ns)
        first = head;
    }
    if (!first) return;
    yield first.next.value as ServerMetricsRecord;
    first.next = first.stream.next();
  }
}
