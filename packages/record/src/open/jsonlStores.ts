import {
  EndpointStore,
  type Family,
  inferUnit,
  type Labels,
  Layout,
  type StoreMemory,
  sortLabels,
} from '@org/core';
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
  /** Time of the first scrape whose line is missing from an incomplete file, or a time before it; absent otherwise. */
  readonly truncatedNs?: bigint;
  /** The labels of the targets that have any, by endpoint URL. */
  readonly targetLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Sentences about data that is missing from the file. */
  readonly warnings: readonly string[];
}

/** Data of the run from other files, which JSONL lacks. */
export interface JsonlSupplement {
  /** Values of `_info` metrics by endpoint URL. They are the same in all scrapes. */
  readonly constants?: ReadonlyMap<string, readonly ConstantSeries[]>;
  /** Times of all scrapes by endpoint URL, ascending. Those without a line had an unchanged body. */
  readonly scrapeTimes?: ReadonlyMap<string, readonly bigint[]> | undefined;
  /** Number of scrapes by endpoint URL, if it is known. */
  readonly scrapeCounts?: ReadonlyMap<string, number>;
  /** Number of lines by endpoint URL, if it is known. With fewer lines, the file is incomplete. */
  readonly lineCounts?: ReadonlyMap<string, number>;
}

/** A series with the same value in all scrapes. */
export interface ConstantSeries {
  readonly family: Family;
  readonly labels: Labels;
  readonly value: number;
}

/**
 * Reads the samples of a JSONL export into stores.
 *
 * @throws FormatError for an invalid line other than an incomplete last line, and a file system error if the input
 * cannot be read
 */
export async function readJsonlStores(
  input: Input,
  findFamily: FamilyLookup,
  memory: StoreMemory | undefined,
  { constants, scrapeTimes, scrapeCounts, lineCounts }: JsonlSupplement = {},
): Promise<JsonlSamples> {
  const builders = new Map<string, StoreBuilder>();
  let firstNs: bigint | undefined;
  let lastNs: bigint | undefined;
  const profilingScrapesNs = new Map<string, Set<bigint>>();
  let isTagged = false;
  const warnings: string[] = [];
  const targetLabels = new Map<string, Readonly<Record<string, string>>>();
  const onIncompleteLine = (line: number): void => {
    warnings.push(`line ${line} of the JSONL export is incomplete, probably because the writer was killed`);
  };
  for await (const record of readRecords(input, { onIncompleteLine })) {
    const { endpoint_url: url, timestamp_ns: ns } = record;
    const builder =
      builders.get(url) ?? new StoreBuilder(findFamily, memory, constants?.get(url), scrapeTimes?.get(url));
    builders.set(url, builder);
    builder.append(record);
    if (record.target_labels) targetLabels.set(url, record.target_labels);
    firstNs = firstNs === undefined || ns < firstNs ? ns : firstNs;
    lastNs = lastNs === undefined || ns > lastNs ? ns : lastNs;
    const tags = profilingScrapesNs.get(url) ?? new Set();
    profilingScrapesNs.set(url, tags);
    const phase = readPhase(record);
    isTagged ||= phase !== undefined;
    if (phase === 'profiling') tags.add(ns);
  }
  const truncatedNs: bigint[] = [];
  const firstTaggedNs = findFirst([...profilingScrapesNs.values()].flatMap(tags => [...tags]));
  for (const [url, count] of lineCounts ?? []) {
    if (builders.has(url) || count === 0) continue;
    warnings.push(formatMissing(count, url));
    truncatedNs.push(0n);
  }
  for (const [url, builder] of builders) {
    const missing = (lineCounts?.get(url) ?? 0) - builder.lineCount;
    if (missing > 0) {
      warnings.push(formatMissing(missing, url));
      truncatedNs.push(builder.lastNs);
    } else builder.appendRemaining();
    const unknown = (scrapeCounts?.get(url) ?? 0) - builder.store.frameCount;
    if (missing <= 0 && unknown > 0) warnings.push(formatUnknownTimes(unknown, url));
    const tags = profilingScrapesNs.get(url)!;
    const startNs = findFirst([...tags]) ?? firstTaggedNs;
    for (const ns of builder.unchangedNs) if (startNs !== undefined && ns >= startNs) tags.add(ns);
  }
  const stores = new Map([...builders].map(([url, { store }]) => [url, store]));
  const firstTruncatedNs = findFirst(truncatedNs);
  return {
    stores,
    firstNs,
    lastNs,
    profilingScrapesNs: isTagged ? profilingScrapesNs : undefined,
    ...(firstTruncatedNs === undefined ? {} : { truncatedNs: firstTruncatedNs }),
    targetLabels,
    warnings,
  };
}

function formatUnknownTimes(count: number, url: string): string {
  const scrapes = count === 1 ? '1 scrape' : `${count} scrapes`;
  return `${scrapes} of ${url} had an unchanged body, and the JSONL export does not contain their times: averages and percentiles of gauges, and timeslices, differ from those of all scrapes`;
}

function formatMissing(count: number, url: string): string {
  return `${count} ${count === 1 ? 'scrape' : 'scrapes'} of ${url} ${count === 1 ? 'is' : 'are'} missing from the JSONL export`;
}

/** Returns the earliest of the times; undefined if there are none. */
export function findFirst(times: readonly bigint[]): bigint | undefined {
  return [...times].sort((a, b) => (a < b ? -1 : 1))[0];
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
  /** Times of the scrapes without a line. */
  readonly unchangedNs: bigint[] = [];
  readonly #layout = new Layout();
  readonly #findFamily: FamilyLookup;
  readonly #families = new Map<string, Family>();
  readonly #constants: readonly (readonly [slot: number, value: number])[];
  readonly #scrapeTimes: readonly bigint[];
  #nextScrape = 0;
  #lineCount = 0;
  #lastNs = 0n;
  #values: [slot: number, value: number][] = [];
  #lastValues: Float64Array | undefined;

  constructor(
    findFamily: FamilyLookup,
    memory: StoreMemory | undefined,
    constants: readonly ConstantSeries[] = [],
    scrapeTimes: readonly bigint[] = [],
  ) {
    this.#findFamily = findFamily;
    this.#scrapeTimes = scrapeTimes;
    this.store = new EndpointStore(this.#layout, memory);
    this.#constants = constants.map(({ family, labels, value }) => [
      this.#layout.scalar(family, labels).value,
      value,
    ]);
  }

  get lineCount(): number {
    return this.#lineCount;
  }

  /** Time of the last line. */
  get lastNs(): bigint {
    return this.#lastNs;
  }

  append({ timestamp_ns, endpoint_latency_ns, metrics }: ServerMetricsRecord): void {
    this.#appendUnchanged(timestamp_ns);
    if (this.#scrapeTimes[this.#nextScrape] === timestamp_ns) this.#nextScrape++;
    this.#lineCount++;
    this.#lastNs = timestamp_ns;
    this.#values = [...this.#constants.map(([slot, value]): [number, number] => [slot, value])];
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
    this.#lastValues = values;
  }

  /** Appends the scrapes after the last line. */
  appendRemaining(): void {
    this.#appendUnchanged(undefined);
  }

  /** Appends the scrapes between the last line and a time, whose values are those of the last line. */
  #appendUnchanged(untilNs: bigint | undefined): void {
    for (; this.#nextScrape < this.#scrapeTimes.length; this.#nextScrape++) {
      const timestampNs = this.#scrapeTimes[this.#nextScrape]!;
      if (untilNs !== undefined && timestampNs >= untilNs) return;
      if (!this.#lastValues) continue;
      this.store.append({ timestampNs, latencyNs: 0, changed: false, values: this.#lastValues });
      this.unchangedNs.push(timestampNs);
    }
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
