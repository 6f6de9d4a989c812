import { inferUnit } from '@org/core';
import type { RecordSample, ServerMetricsRecord } from '@org/formats';
import { readRecords, type ServerMetricsView, type Source, sortBounds } from '@org/formats/read';
import { SERVERS } from '@org/servers';
import { RunError } from './runError.ts';
import { computeView, type SampledType, SeriesSamples } from './sampledRun.ts';

/** Key metrics that are counters. JSONL has no types, so other metrics are read as gauges. */
const COUNTERS: ReadonlySet<string> = new Set(
  SERVERS.flatMap(({ watched }) =>
    watched.filter(({ stat }) => stat === 'rate' || stat === 'total').map(({ name }) => name),
  ),
);

/** The limits of raw records, as a note for readers. */
export const RECORDS_NOTE: string =
  'read from raw scrapes, which lack types and the profiling period: metrics other than key metrics are treated as gauges, and the warm-up is included';

/**
 * Reads server metrics from raw records (JSONL) and computes their statistics: of the profiling phase if
 * records name their phase, as newer AIPerf versions do (`benchmark_phase`), otherwise of all scrapes,
 * including the warm-up.
 *
 * @throws RunError if there are no records, FormatError for an invalid line
 */
export async function readRecordsRun(file: string, source: Source): Promise<ServerMetricsView> {
  const found = new RecordSamples();
  for await (const record of readRecords(source)) found.add(record);
  return found.view(file);
}

class RecordSamples {
  readonly #series = new Map<string, SeriesSamples>();
  readonly #endpoints = new Set<string>();
  #originNs: bigint | undefined;
  #profilingNs: number | undefined;
  #firstNs = Number.POSITIVE_INFINITY;
  #lastNs = Number.NEGATIVE_INFINITY;

  add(record: ServerMetricsRecord): void {
    const { endpoint_url: endpointUrl, timestamp_ns: time, metrics } = record;
    this.#originNs ??= time;
    const timeNs = Number(time - this.#originNs);
    this.#endpoints.add(endpointUrl);
    this.#firstNs = Math.min(this.#firstNs, timeNs);
    this.#lastNs = Math.max(this.#lastNs, timeNs);
    if ((record as { readonly benchmark_phase?: unknown }).benchmark_phase === 'profiling')
      this.#profilingNs = Math.min(this.#profilingNs ?? timeNs, timeNs);
    for (const [name, samples] of Object.entries(metrics))
      for (const sample of samples) this.#addSample(name, endpointUrl, sample, timeNs);
  }

  #addSample(name: string, endpointUrl: string, sample: RecordSample, timeNs: number): void {
    const type: SampledType = 'buckets' in sample ? 'histogram' : COUNTERS.has(name) ? 'counter' : 'unknown';
    const series = this.#seriesOf(name, endpointUrl, type, sample.labels ?? {});
    if (!('buckets' in sample)) series.add(timeNs, sample.value);
    else
      for (const le of sortBounds(sample.buckets))
        series.addBucket(timeNs, sample.count, sample.sum, le, sample.buckets[le]!);
  }

  #seriesOf(
    name: string,
    endpointUrl: string,
    type: SampledType,
    labels: Readonly<Record<string, string>>,
  ): SeriesSamples {
    const key = JSON.stringify([name, type, endpointUrl, Object.entries(labels).sort()]);
    let samples = this.#series.get(key);
    if (!samples) {
      samples = new SeriesSamples({
        name,
        type,
        unit: inferUnit(name, ''),
        description: '',
        endpointUrl,
        labels,
      });
      this.#series.set(key, samples);
    }
    return samples;
  }

  view(file: string): ServerMetricsView {
    if (this.#originNs === undefined) throw new RunError(`${JSON.stringify(file)} contains no records`);
    const period = { startNs: this.#profilingNs ?? this.#firstNs, endNs: this.#lastNs };
    return computeView(
      {
        originNs: this.#originNs,
        period,
        isRelative: false,
        benchmarkId: null,
        version: null,
        endpoints: [...this.#endpoints],
        inputConfig: {},
      },
      this.#series.values(),
    );
  }
}
