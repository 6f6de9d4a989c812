import { EndpointStore, type Family, inferUnit, Layout, type StoreMemory, sortLabels } from '@org/core';
import type { RecordSample, ServerMetricsDocument, ServerMetricsRecord } from '@org/formats';
import { readRecords, type Source } from '@org/formats/read';

/** Supplies what JSONL lacks: the type, unit and HELP text of a metric. */
export type FamilyLookup = (name: string, isHistogram: boolean) => Family;

/** Samples read from a JSONL export. Times are ns since 1970. */
export interface JsonlSamples {
  /** By endpoint URL. */
  readonly stores: ReadonlyMap<string, EndpointStore>;
  /** The first and the last scrape; undefined if there are no lines. */
  readonly firstNs: bigint | undefined;
  readonly lastNs: bigint | undefined;
  /** The first scrape that is tagged with the profiling phase, as newer AIPerf versions do. */
  readonly profilingNs: bigint | undefined;
}

/**
 * Reads the samples of a JSONL export into stores.
 *
 * @throws FormatError for an invalid line, and a file system error if the input cannot be read
 */
export async function readJsonlStores(
  input: string | Source,
  findFamily: FamilyLookup,
  memory: StoreMemory | undefined,
): Promise<JsonlSamples> {
  const builders = new Map<string, StoreBuilder>();
  let firstNs: bigint | undefined;
  let lastNs: bigint | undefined;
  let profilingNs: bigint | undefined;
  for await (const record of readRecords(input)) {
    const { endpoint_url: url, timestamp_ns: ns } = record;
    const builder = builders.get(url) ?? new StoreBuilder(findFamily, memory);
    builders.set(url, builder);
    builder.append(record);
    firstNs = firstNs === undefined || ns < firstNs ? ns : firstNs;
    lastNs = lastNs === undefined || ns > lastNs ? ns : lastNs;
    if (isProfiling(record)) profilingNs = profilingNs === undefined || ns < profilingNs ? ns : profilingNs;
  }
  const stores = new Map([...builders].map(([url, { store }]) => [url, store]));
  return { stores, firstNs, lastNs, profilingNs };
}

function isProfiling(record: ServerMetricsRecord): boolean {
  return (record as { readonly benchmark_phase?: unknown }).benchmark_phase === 'profiling';
}

type Metrics = ServerMetricsDocument['metrics'];

/** Creates a lookup in the metrics of the JSON export of the same run. */
export function createFamilyLookup(metrics: Metrics): FamilyLookup {
  return (name, isHistogram) => {
    // A metric without samples in the profiling period is missing from the JSON export, so its type is unknown.
    const metric = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
    const fits = metric !== undefined && (metric.type === 'histogram') === isHistogram;
    const type = fits ? metric.type : isHistogram ? 'histogram' : 'unknown';
    return toFamily(name, type, fits ? metric.description : '', fits ? (metric.unit ?? null) : null);
  };
}

/** Creates a lookup without a JSON export: recognizes histograms, and counters by `isCounter`; other types are unknown. */
export function createNameLookup(isCounter: (name: string) => boolean): FamilyLookup {
  return (name, isHistogram) => ({
    name,
    type: isHistogram ? 'histogram' : isCounter(name) ? 'counter' : 'unknown',
    help: '',
  });
}

class StoreBuilder {
  readonly store: EndpointStore;
  readonly #layout = new Layout();
  readonly #findFamily: FamilyLookup;
  readonly #families = new Map<string, Family>();
  #values: [slot: number, value: number][] = [];

  constructor(findFamily: FamilyLookup, memory: StoreMemory | undefined) {
    this.#findFamily = findFamily;
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
    const family = this.#getFamily(name, isHistogram);
    if (!isHistogram) {
      this.#values.push([this.#layout.scalar(family, labels).value, sample.value]);
      return;
    }
    const series = this.#layout.histogram(family, labels);
    this.#values.push([series.sum, sample.sum], [series.count, sample.count]);
    for (const [text, count] of Object.entries(sample.buckets))
      this.#values.push([this.#layout.bucket(series, parseBound(text), text), count]);
  }

  #getFamily(name: string, isHistogram: boolean): Family {
    const key = `${isHistogram} ${name}`;
    const known = this.#families.get(key) ?? this.#findFamily(name, isHistogram);
    this.#families.set(key, known);
    return known;
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
