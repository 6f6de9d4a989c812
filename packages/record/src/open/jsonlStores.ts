import { EndpointStore, type Family, inferUnit, Layout, type StoreMemory, sortLabels } from '@org/core';
import type { RecordSample, ServerMetricsDocument, ServerMetricsRecord } from '@org/formats';
import { readRecords } from '@org/formats/read';

type Metrics = ServerMetricsDocument['metrics'];

/**
 * Reads the samples of a JSONL export into stores, by endpoint URL. JSONL has no types, units or HELP texts: these come from
 * `metrics`, the metrics of the JSON export of the same run.
 */
export async function readJsonlStores(
  path: string,
  metrics: Metrics,
  memory: StoreMemory,
): Promise<Map<string, EndpointStore>> {
  const builders = new Map<string, StoreBuilder>();
  const families = new Map<string, Family>();
  for await (const record of readRecords(path)) {
    const builder = builders.get(record.endpoint_url) ?? new StoreBuilder(metrics, families, memory);
    builders.set(record.endpoint_url, builder);
    builder.append(record);
  }
  return new Map([...builders].map(([url, { store }]) => [url, store]));
}

class StoreBuilder {
  readonly store: EndpointStore;
  readonly #layout = new Layout();
  readonly #metrics: Metrics;
  readonly #families: Map<string, Family>;
  #values: [slot: number, value: number][] = [];

  constructor(metrics: Metrics, families: Map<string, Family>, memory: StoreMemory) {
    this.#metrics = metrics;
    this.#families = families;
    this.store = new EndpointStore(this.#layout, memory);
  }

  append({ timestamp_ns, endpoint_latency_ns, metrics }: ServerMetricsRecord): void {
    this.#values = [];
    for (const [name, samples] of Object.entries(metrics))
      for (const sample of samples) this.#addSample(name, sample);
    const values = new Float64Array(this.#layout.slotCount).fill(Number.NaN);
    for (const [slot, value] of this.#values) values[slot] = value;
    this.store.append({
      timestampNs: timestamp_ns,
      latencyNs: Number(endpoint_latency_ns),
      changed: true,
      values,
    });
  }

  #addSample(name: string, sample: RecordSample): void {
    const labels = sortLabels(Object.entries(sample.labels ?? {}));
    const isHistogram = 'buckets' in sample;
    const family = this.#family(name, isHistogram);
    if (!isHistogram) {
      this.#values.push([this.#layout.scalar(family, labels).value, sample.value]);
      return;
    }
    const series = this.#layout.histogram(family, labels);
    this.#values.push([series.sum, sample.sum], [series.count, sample.count]);
    for (const [text, count] of Object.entries(sample.buckets))
      this.#values.push([this.#layout.bucket(series, parseBound(text), text), count]);
  }

  /** A metric without samples in the profiling period is missing from the JSON export, so its type is unknown. */
  #family(name: string, isHistogram: boolean): Family {
    const key = `${isHistogram} ${name}`;
    const known = this.#families.get(key);
    if (known) return known;
    const metric = Object.hasOwn(this.#metrics, name) ? this.#metrics[name] : undefined;
    const fits = metric !== undefined && (metric.type === 'histogram') === isHistogram;
    const type = fits ? metric.type : isHistogram ? 'histogram' : 'unknown';
    const family = toFamily(name, type, fits ? metric.description : '', fits ? (metric.unit ?? null) : null);
    this.#families.set(key, family);
    return family;
  }
}

/** Returns a family that is exported with this unit: the unit is declared only where it would not be inferred anyway. */
export function toFamily(name: string, type: Family['type'], help: string, unit: string | null): Family {
  const family = { name, type, help };
  return unit === null || inferUnit(name, help) === unit ? family : { ...family, declaredUnit: unit };
}

/** Parses a bucket's upper bound. */
export function parseBound(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}
