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
import { type ExportView, listExportedMetrics, type ViewMetric } from './exportView.ts';
import { listPhases, type RunPhases } from './phases.ts';

/** Maximum number of frames of an endpoint to decompress at a time. */
const MAX_BATCH_FRAMES = 64;
/** Maximum number of values to decompress at a time. */
const MAX_BATCH_VALUES = 1 << 20;

/** Options of the lines of the JSONL export. */
export interface JsonlOptions {
  /** False to omit the labels of targets, which AIPerf's lines do not have; true by default. */
  readonly hasTargetLabels?: boolean;
  /**
   * Returns the time up to which the scrapes of an endpoint are omitted, in nanoseconds since 1970; undefined to include all
   * scrapes.
   */
  readonly after?: (endpointUrl: string) => bigint | undefined;
}

/**
 * Yields the lines of server_metrics_export.jsonl in chronological order: one per scrape, warm-up included,
 * with raw values. Scrapes whose body was unchanged, `_info` families and summaries are omitted.
 */
export function* generateServerMetricsRecords(
  view: ExportView,
  options: JsonlOptions = {},
): Generator<ServerMetricsRecord> {
  const exported = listExportedMetrics(view).filter(({ name }) => !name.endsWith('_info'));
  yield* mergeByTime(
    view.record.endpoints.map(endpoint =>
      generateEndpointRecords(endpoint, groupSeriesByMetric(endpoint, exported), view.record, options),
    ),
  );
}

/** The series of one metric on one endpoint. */
interface MetricSeries {
  readonly name: string;
  readonly series: readonly Series[];
}

function groupSeriesByMetric(endpoint: EndpointRecord, metrics: readonly ViewMetric[]): MetricSeries[] {
  return metrics.map(({ name, series }) => ({
    name,
    series: series.filter(entry => entry.endpoint.record === endpoint).map(entry => entry.series),
  }));
}

function* generateEndpointRecords(
  endpoint: EndpointRecord,
  metrics: readonly MetricSeries[],
  record: RunRecord,
  { hasTargetLabels = true, after = () => undefined }: JsonlOptions,
): Generator<ServerMetricsRecord> {
  const { store, url, labels } = endpoint;
  const target = hasTargetLabels && labels ? { target_labels: labels } : {};
  const tagger = new PhaseTagger(endpoint, record);
  const { originNs, offsetsNs } = store.timeline();
  const latencies = store.latenciesNs();
  const changed = store.changed();
  const reader = new FrameReader(store, metrics);
  const afterNs = after(url);
  const first = afterNs === undefined ? 0 : upperBound(offsetsNs, Number(afterNs - originNs));
  for (let frame = first; frame < store.frameCount; frame++) {
    if (changed[frame] === 0) continue;
    const samples = reader.readSamples(frame);
    if (samples.length === 0) continue;
    const timestamp = originNs + BigInt(offsetsNs[frame]!);
    const latency = BigInt(Math.round(latencies[frame]!));
    yield {
      endpoint_url: url,
      timestamp_ns: timestamp,
      endpoint_latency_ns: latency,
      metrics: Object.fromEntries(samples),
      request_sent_ns: timestamp - latency,
      first_byte_ns: timestamp,
      ...tagger.describe(timestamp),
      ...target,
    };
  }
}

type PhaseTags = Pick<
  ServerMetricsRecord,
  'benchmark_phase' | 'phase_index' | 'profiling_index' | 'phase_name' | 'phase_kind'
>;

/**
 * Determines the phase that each scrape belongs to. As in AIPerf, scrapes after the end of profiling belong to it. The
 * scrape that increases of counters are measured from does not.
 */
class PhaseTagger {
  readonly #endpoint: EndpointRecord;
  readonly #phases: RunPhases;

  constructor(endpoint: EndpointRecord, record: RunRecord) {
    this.#endpoint = endpoint;
    this.#phases = listPhases(record);
  }

  /** Returns the tags of a scrape; none if it belongs to no phase. */
  describe(ns: bigint): PhaseTags {
    const { warmup } = this.#phases;
    if (this.#isProfiling(ns)) return { ...tagPhase('profiling', warmup ? 1 : 0), profiling_index: 0 };
    return warmup && ns >= warmup.startNs ? tagPhase('warmup', 0) : {};
  }

  #isProfiling(ns: bigint): boolean {
    const { profilingScrapesNs, boundaries = {} } = this.#endpoint;
    if (profilingScrapesNs) return profilingScrapesNs.has(ns);
    const { profiling } = this.#phases;
    return profiling !== undefined && ns >= profiling.startNs && ns !== boundaries.baseline_ns;
  }
}

function tagPhase(phase: 'profiling' | 'warmup', index: number): PhaseTags {
  return { benchmark_phase: phase, phase_index: index, phase_name: phase, phase_kind: phase };
}

/** Reads the frames of a store in ascending order, decompressing a batch of frames at a time. */
class FrameReader {
  readonly #store: EndpointStore;
  readonly #metrics: readonly { readonly name: string; readonly readers: readonly SeriesReader[] }[];
  readonly #batchFrames: number;
  /** The scalar values of the batch: one row per scalar series, with one value per frame. */
  readonly #values: Float64Array;
  readonly #scalars: readonly ScalarReader[];
  readonly #histograms: readonly HistogramReader[];
  #batchStart = 0;
  #batchEnd = 0;

  constructor(store: EndpointStore, metrics: readonly MetricSeries[]) {
    this.#store = store;
    this.#batchFrames = computeBatchFrames(store.layout.slotCount);
    const scalars: ScalarReader[] = [];
    const histograms: HistogramReader[] = [];
    this.#metrics = metrics.map(({ name, series }) => ({
      name,
      readers: series.flatMap((entry): SeriesReader[] => {
        if (entry.kind === 'summary') return [];
        const labels = entry.labels.length === 0 ? {} : { labels: Object.fromEntries(entry.labels) };
        if (entry.kind === 'scalar') scalars.push({ series: entry, labels, row: scalars.length });
        else histograms.push({ series: entry, labels, samples: undefined });
        return [(entry.kind === 'scalar' ? scalars.at(-1) : histograms.at(-1))!];
      }),
    }));
    this.#scalars = scalars;
    this.#histograms = histograms;
    this.#values = new Float64Array(scalars.length * this.#batchFrames);
  }

  /** Returns the samples of a frame by metric name. */
  readSamples(frame: number): [string, RecordSample[]][] {
    if (frame >= this.#batchEnd) this.#loadBatch(frame);
    const samplesByMetric: [string, RecordSample[]][] = [];
    const timeNs = this.#store.timeline().offsetsNs[frame]!;
    for (const { name, readers } of this.#metrics) {
      const samples: RecordSample[] = [];
      for (const reader of readers) {
        const sample =
          'samples' in reader ? toHistogramSample(reader, timeNs) : this.#readScalar(reader, frame);
        if (sample) samples.push(sample);
      }
      if (samples.length > 0) samplesByMetric.push([name, samples]);
    }
    return samplesByMetric;
  }

  #loadBatch(start: number): void {
    const end = Math.min(this.#store.frameCount, start + this.#batchFrames);
    for (const { series, row } of this.#scalars)
      this.#values.set(this.#store.column(series.value, start, end), row * this.#batchFrames);
    for (const reader of this.#histograms)
      reader.samples = this.#store.histogramSamples(reader.series, start, end);
    this.#batchStart = start;
    this.#batchEnd = end;
  }

  #readScalar({ row, labels }: ScalarReader, frame: number): RecordSample | undefined {
    const value = this.#values[row * this.#batchFrames + frame - this.#batchStart]!;
    return Number.isNaN(value) ? undefined : { ...labels, value };
  }
}

type OptionalLabels = { readonly labels?: Record<string, string> };
interface ScalarReader {
  readonly series: ScalarSeries;
  readonly labels: OptionalLabels;
  /** Row of the series in the scalar values of the batch. */
  readonly row: number;
}
interface HistogramReader {
  readonly series: HistogramSeries;
  readonly labels: OptionalLabels;
  /** Samples of the current batch; undefined before the first one is loaded. */
  samples: HistogramSamples | undefined;
}
type SeriesReader = ScalarReader | HistogramReader;

function toHistogramSample({ samples, labels }: HistogramReader, timeNs: number): RecordSample | undefined {
  const { timesNs, sums, counts, bounds, cumulative } = samples!;
  const row = upperBound(timesNs, timeNs) - 1;
  if (timesNs[row] !== timeNs) return undefined;
  const buckets = Object.fromEntries(bounds.map(({ text }, bound) => [text, cumulative[bound]![row]!]));
  const sum = sums[row]!;
  return { ...labels, buckets, ...(Number.isNaN(sum) ? {} : { sum }), count: counts[row]! };
}

function computeBatchFrames(slots: number): number {
  return Math.max(1, Math.min(MAX_BATCH_FRAMES, Math.floor(MAX_BATCH_VALUES / Math.max(1, slots))));
}

function* mergeByTime(streams: Generator<ServerMetricsRecord>[]): Generator<ServerMetricsRecord> {
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
