import type { EndpointStore, Series } from '@org/core';
import type { RecordSample, ServerMetricsRecord } from '@org/formats';
import type { EndpointRecord, RunRecord } from '../run.ts';
import { metricsOf, type PlacedMetric } from './metrics.ts';

/** So many frames of an endpoint are laid out at a time, and fewer where that would be more values than these. */
const FRAMES_AT_ONCE = 64;
const VALUES_AT_ONCE = 1 << 20;

interface NamedSeries {
  readonly name: string;
  readonly series: Series;
}

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

function seriesOf(endpoint: EndpointRecord, metrics: readonly PlacedMetric[]): NamedSeries[] {
  return metrics.flatMap(({ name, series }) =>
    series.filter(placed => placed.endpoint === endpoint).map(placed => ({ name, series: placed.series })),
  );
}

function* recordsOf(endpoint: EndpointRecord, all: readonly NamedSeries[]): Generator<ServerMetricsRecord> {
  const { store, url } = endpoint;
  const { originNs, offsetsNs } = store.timeline();
  const latencies = store.latenciesNs();
  const changed = store.changed();
  const step = framesAtOnce(store.layout.slotCount);
  for (let from = 0; from < store.frameCount; from += step) {
    const to = Math.min(store.frameCount, from + step);
    const samples = sampleReaders(store, all, from, to);
    for (let frame = from; frame < to; frame++) {
      if (changed[frame] === 0) continue;
      const metrics = metricsAt(samples, frame - from);
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
}

function framesAtOnce(slots: number): number {
  return Math.max(1, Math.min(FRAMES_AT_ONCE, Math.floor(VALUES_AT_ONCE / Math.max(1, slots))));
}

interface SampleReader {
  readonly name: string;
  /** The sample of the nth frame of the piece; undefined where the series had none. */
  readonly at: (frame: number) => RecordSample | undefined;
}

function sampleReaders(
  store: EndpointStore,
  all: readonly NamedSeries[],
  from: number,
  to: number,
): SampleReader[] {
  return all.map(({ name, series }) => ({ name, at: sampleReader(store, series, from, to) }));
}

function sampleReader(store: EndpointStore, series: Series, from: number, to: number): SampleReader['at'] {
  const labels = series.labels.length === 0 ? {} : { labels: Object.fromEntries(series.labels) };
  if (series.kind === 'scalar') {
    const values = store.column(series.value, from, to);
    return frame => (Number.isNaN(values[frame]) ? undefined : { ...labels, value: values[frame]! });
  }
  if (series.kind === 'summary') return () => undefined;
  const { timesNs, sums, counts, bounds, cumulative } = store.histogramSamples(series, from, to);
  const { offsetsNs } = store.timeline();
  const rows = new Map(Array.from(timesNs, (time, row) => [time, row]));
  return frame => {
    const row = rows.get(offsetsNs[from + frame]!);
    if (row === undefined) return undefined;
    const buckets = Object.fromEntries(bounds.map(({ text }, bound) => [text, cumulative[bound]![row]!]));
    return { ...labels, buckets, sum: sums[row]!, count: counts[row]! };
  };
}

function metricsAt(samples: readonly SampleReader[], frame: number): [string, RecordSample[]][] {
  const byName = new Map<string, RecordSample[]>();
  for (const { name, at } of samples) {
    const sample = at(frame);
    if (!sample) continue;
    const known = byName.get(name);
    if (known) known.push(sample);
    else byName.set(name, [sample]);
  }
  return [...byName];
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
