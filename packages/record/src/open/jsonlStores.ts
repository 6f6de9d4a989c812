import { EndpointStore, type Family, inferUnit, Layout, type StoreMemory, sortLabels } from '@org/core';
import type { RecordSample, ServerMetricsDocument, ServerMetricsRecord } from '@org/formats';
import { type Input, parseBound, readRecords } from '@org/formats/read';

/** Looks up the type, unit and HELP text of a metric, which JSONL does not contain. */
export type FamilyLookup = (name: string, isHistogram: boolean) => Family;

/** Samples read from a JSONL export. Times are Unix nanoseconds. */
export interface JsonlSamples {
  /** By endpoint URL. */
  readonly stores: ReadonlyMap<string, EndpointStore>;
  /** Times of the first and the last scrape; undefined if there are no lines. */
  readonly firstNs: bigint | undefined;
  readonly lastNs: bigint | undefined;
  /**
   * Times of the scrapes that are tagged as profiling, by endpoint URL; undefined if no scrape has a tag. AIPerf writes
   * tags since version 0.13.
   */
  readonly profilingScrapesNs: ReadonlyMap<string, ReadonlySet<bigint>> | undefined;
}

/**
 * Reads the samples of a JSONL export into stores.
 *
 * @throws FormatError for an invalid line, and a file system error if the input cannot be read
 */
export async function readJsonlStores(
  input: Input,
  findFamily: FamilyLookup,
  memory: StoreMemory | undefined,
): Promise<JsonlSamples> {
  const builders = new Map<string, StoreBuilder>();
  let firstNs: bigint | undefined;
  let lastNs: bigint | undefined;
  const profilingScrapesNs = new Map<string, Set<bigint>>();
  let isTagged = false;
  for await (const record of readRecords(input)) {
    const { endpoint_url: url, timestamp_ns: ns } = record;
    const builder = builders.get(url) ?? new StoreBuilder(findFamily, memory);
    builders.set(url, builder);
    builder.append(record);
    firstNs = firstNs === undefined || ns < firstNs ? ns : firstNs;
    lastNs = lastNs === undefined || ns > lastNs ? ns : lastNs;
    const tags = profilingScrapesNs.get(url) ?? new Set();
    profilingScrapesNs.set(url, tags);
    const phase = readPhase(record);
    isTagged ||= phase !== undefined;
    if (phase === 'profiling') tags.add(ns);
  }
  const stores = new Map([...builders].map(([url, { store }]) => [url, store]));
  return { stores, firstNs, lastNs, profilingScrapesNs: isTagged ? profilingScrapesNs : undefined };
}

/** Reads the phase that a scrape is tagged with. */
function readPhase(record: ServerMetricsRecord): string | undefined {
  return (record as { readonly benchmark_phase?: string }).benchmark_phase;
}

type Metrics = ServerMetricsDocument['metrics'];

/** Creates a lookup for a run with a JSON export, from the metrics of that export. */
export function createFamilyLookup(metrics: Metrics): FamilyLookup {
  return (name, isHistogram) => {
    // A metric without samples in the profiling period is missing from the JSON export, so its type is unknown.
    const metric = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
    const hasSameKind = metric !== undefined && (metric.type === 'histogram') === isHistogram;
    const type = hasSameKind ? metric.type : isHistogram ? 'histogram' : 'unknown';
    return toFamily(
      name,
      type,
      hasSameKind ? metric.description : '',
      hasSameKind ? (metric.unit ?? null) : null,
    );
  };
}

/**
 * Creates a lookup for a run without a JSON export. Types other than histograms and the counters of
 * `isCounter` are unknown.
 */
export function createNameLookup(isCounter: (name: string) => boolean): FamilyLookup {
  return (name, isHistogram) => ({
    name,
    type: isHistogram ? 'histogram' : isCounter(name) ? 'counter' : 'unknown',
    help: '',
  });
}

/** Builds the store of one endpoint from its JSONL lines. */
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
    this.#values.push([series.count, sample.count]);
    if (sample.sum !== undefined) this.#values.push([series.sum, sample.sum]);
    for (const [text, count] of Object.entries(sample.buckets))
      this.#values.push([this.#layout.bucket(series, parseBound(text), text), count]);
  }

  #getFamily(name: string, isHistogram: boolean): Family {
    const key = `${isHistogram} ${name}`;
    const family = this.#families.get(key) ?? this.#findFamily(name, isHistogram);
    this.#families.set(key, family);
    return family;
  }
}

/**
 * Creates a family that is exported with this unit. Declares the unit only if it cannot be inferred from the
 * name and HELP text.
 */
export function toFamily(name: string, type: Family['type'], help: string, unit: string | null): Family {
  const family = { name, type, help };
  return unit === null || inferUnit(name, help) === unit ? family : { ...family, declaredUnit: unit };
}
