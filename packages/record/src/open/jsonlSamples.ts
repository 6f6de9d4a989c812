import { EndpointStore, type Family, inferUnit, Layout, type StoreMemory, sortedLabels } from '@org/core';
import type { ServerMetricsDocument, ServerMetricsRecord } from '@org/formats';
import { readRecords } from '@org/formats/read';

type Metrics = ServerMetricsDocument['metrics'];
type RecordSample = ServerMetricsRecord['metrics'][string][number];

/** The samples of a JSONL export, by endpoint. Types, units and HELP are those of the JSON export of the same run. */
export async function jsonlStores(
  path: string,
  metrics: Metrics,
  memory: StoreMemory,
): Promise<Map<string, EndpointStore>> {
  const endpoints = new Map<string, LineStore>();
  const families = new Map<string, Family>();
  for await (const record of readRecords(path)) {
    const endpoint = endpoints.get(record.endpoint_url) ?? new LineStore(metrics, families, memory);
    endpoints.set(record.endpoint_url, endpoint);
    endpoint.append(record);
  }
  return new Map([...endpoints].map(([url, { store }]) => [url, store]));
}

class LineStore {
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
      for (const sample of samples) this.#add(name, sample);
    const values = new Float64Array(this.#layout.slotCount).fill(Number.NaN);
    for (const [slot, value] of this.#values) values[slot] = value;
    this.store.append({
      timestampNs: timestamp_ns,
      latencyNs: Number(endpoint_latency_ns),
      changed: true,
      values,
    });
  }

  #add(name: string, sample: RecordSample): void {
    const labels = sortedLabels(Object.entries(sample.labels ?? {}));
    const isHistogram = 'buckets' in sample;
    const family = this.#family(name, isHistogram);
    if (!isHistogram) {
      this.#values.push([this.#layout.scalar(family, labels).value, sample.value]);
      return;
    }
    const series = this.#layout.histogram(family, labels);
    this.#values.push([series.sum, sample.sum], [series.count, sample.count]);
    for (const [text, count] of Object.entries(sample.buckets)) {
      const le = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
      this.#values.push([this.#layout.bucket(series, le, text), count]);
    }
  }

  /** A metric that the JSON export does not have gave nothing in the profiling period: nobody says what it is. */
  #family(name: string, isHistogram: boolean): Family {
    const key = `${isHistogram} ${name}`;
    const known = this.#families.get(key);
    if (known) return known;
    const metric = Object.hasOwn(this.#metrics, name) ? this.#metrics[name] : undefined;
    const fits = metric !== undefined && (metric.type === 'histogram') === isHistogram;
    const type = fits ? metric.type : isHistogram ? 'histogram' : 'unknown';
    const family = familyOf(name, type, fits ? metric.description : '', fits ? (metric.unit ?? null) : null);
    this.#families.set(key, family);
    return family;
  }
}

/** A family that is exported under this unit: declared where it would not be inferred. */
export function familyOf(name: string, type: Family['type'], help: string, unit: string | null): Family {
  const family = { name, type, help };
  return unit === null || inferUnit(name, help) === unit ? family : { ...family, declaredUnit: unit };
}
