import {
  EndpointStore,
  type FamilyType,
  type HistogramSeries,
  Layout,
  type ScalarSeries,
  type StoreMemory,
  sortedLabels,
} from '@org/core';
import { getDoubles, getInt64s, getTexts, readServerMetricsParquet } from '@org/formats/parquet';
import type { RunMetadata } from '../view/runMetadata.ts';
import { familyOf } from './jsonlSamples.ts';
import { boundOf, type RowRun, type RowSeries, rowRuns, textAt } from './parquetStore.ts';

const VALUES = ['value', 'sum', 'count', 'bucket_count'] as const;

/** What the samples of a Parquet export are. */
export interface ParquetSamples {
  readonly stores: ReadonlyMap<string, EndpointStore>;
  /** Series that cannot be told from another, as their labels have no column: their rows are left out. */
  readonly merged: readonly string[];
}

/** What each series counts from: by its place in the file, and by its endpoint. */
export type ReferenceOf = (place: number, url: string) => bigint | null;

/** How the references of a file are known; `fallback` is for one that does not say. */
export function referencesOf(metadata: RunMetadata | undefined, fallback: bigint): ReferenceOf {
  if (!metadata) return () => fallback;
  const others = new Map<number, bigint | null>();
  for (const { reference_ns, series } of metadata.others)
    for (const [first, last] of series)
      for (let place = first; place <= last; place++) others.set(place, reference_ns);
  return (place, url) => (others.has(place) ? others.get(place)! : (metadata.references[url] ?? null));
}

/**
 * The samples of a Parquet export as those of a run. Counters and histograms begin at 0 at what they count from, so that
 * differences are what they were. The file is read as often as it takes for the frames of each time to fit into memory.
 *
 * @throws ParquetError for a broken file, the file system's error when it cannot be read
 */
export async function parquetSamples(
  path: string,
  references: ReferenceOf,
  memory: StoreMemory,
): Promise<ParquetSamples> {
  const table = new Table(references, memory);
  await eachRun(path, [], run => table.see(run));
  table.seen();
  for (let part = 0; part < table.parts; part++) {
    table.begin(part);
    await eachRun(path, VALUES, run => table.read(run));
    table.end();
  }
  return { stores: table.stores, merged: [...table.merged] };
}

async function eachRun(path: string, values: readonly string[], see: (run: RowRun) => void): Promise<void> {
  const reader = await readServerMetricsParquet(path);
  try {
    for await (const run of rowRuns(reader, values)) see(run);
  } finally {
    await reader.close();
  }
}

/** A series of the file: undefined for one whose rows are left out. */
interface Placed {
  readonly endpoint: Endpoint;
  readonly series: ScalarSeries | HistogramSeries;
  readonly referenceNs: bigint | null;
}

class Table {
  readonly merged: Set<string> = new Set<string>();
  readonly #references: ReferenceOf;
  readonly #memory: StoreMemory;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #placed: (Placed | undefined)[] = [];
  parts = 1;

  constructor(references: ReferenceOf, memory: StoreMemory) {
    this.#references = references;
    this.#memory = memory;
  }

  get stores(): Map<string, EndpointStore> {
    return new Map([...this.#endpoints].map(([url, { store }]) => [url, store]));
  }

  /** Notes which series and times there are. */
  see({ place, series, batch, from, to }: RowRun): void {
    if (place === this.#placed.length) this.#place(place, series);
    const placed = this.#placed[place];
    if (!placed) return;
    const { endpoint } = placed;
    const times = getInt64s(batch, 'timestamp_ns').values;
    for (let row = from; row < to; row++)
      if (row === from || times[row] !== times[row - 1]) endpoint.see(times[row]!);
    if (placed.series.kind !== 'histogram') return;
    const bounds = getTexts(batch, 'bucket_le');
    const known = new Set<number>();
    for (let row = from; row < to; row++) {
      const code = bounds.codes[row]!;
      if (code < 0 || known.has(code)) continue;
      known.add(code);
      endpoint.layout.bucket(placed.series, boundOf(bounds.texts[code]!), bounds.texts[code]!);
    }
  }

  /** All has been seen: how many parts are needed so that the values of one take half of the memory. */
  seen(): void {
    let cells = 0;
    for (const endpoint of this.#endpoints.values()) cells += endpoint.seen();
    this.parts = Math.max(1, Math.ceil((8 * cells) / (this.#memory.limit / 2)));
  }

  begin(part: number): void {
    for (const endpoint of this.#endpoints.values()) endpoint.begin(part, this.parts);
    for (const placed of this.#placed) placed?.endpoint.refer(placed.series, placed.referenceNs);
  }

  end(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.end();
  }

  read({ place, batch, from, to }: RowRun): void {
    const placed = this.#placed[place];
    if (!placed) return;
    const { endpoint, series } = placed;
    const times = getInt64s(batch, 'timestamp_ns').values;
    const [value, sum, count, bucket] = VALUES.map(name => getDoubles(batch, name).values);
    const bounds = getTexts(batch, 'bucket_le');
    let cell = -1;
    for (let row = from; row < to; row++) {
      if (row === from || times[row] !== times[row - 1]) cell = endpoint.row(times[row]!);
      if (cell < 0) continue;
      if (series.kind === 'scalar') endpoint.values[cell + series.value] = value![row]!;
      else {
        const text = textAt(bounds, row)!;
        endpoint.values[cell + series.sum] = sum![row]!;
        endpoint.values[cell + series.count] = count![row]!;
        endpoint.values[cell + endpoint.layout.bucket(series, boundOf(text), text)] = bucket![row]!;
      }
    }
  }

  #place(place: number, row: RowSeries): void {
    const endpoint = this.#endpoints.get(row.url) ?? new Endpoint(this.#memory);
    this.#endpoints.set(row.url, endpoint);
    const family = familyOf(row.name, row.type as FamilyType, row.description, row.unit);
    const labels = sortedLabels(row.labels);
    const before = endpoint.layout.series.length;
    const series =
      row.type === 'histogram'
        ? endpoint.layout.histogram(family, labels)
        : endpoint.layout.scalar(family, labels);
    if (endpoint.layout.series.length === before) {
      this.merged.add(row.name);
      this.#placed.push(undefined);
      return;
    }
    const counts = row.type === 'counter' || row.type === 'histogram';
    const referenceNs = counts ? this.#references(place, row.url) : null;
    if (referenceNs !== null) endpoint.see(referenceNs);
    this.#placed.push({ endpoint, series, referenceNs });
  }
}

/** One endpoint: its layout and times, and the values of some of its frames, a row a frame. */
class Endpoint {
  readonly layout: Layout = new Layout();
  readonly store: EndpointStore;
  values: Float64Array = new Float64Array(0);
  #last: Float64Array | undefined;
  readonly #seen = new Set<bigint>();
  #times: bigint[] = [];
  readonly #rows = new Map<bigint, number>();
  #from = 0;
  #to = 0;

  constructor(memory: StoreMemory) {
    this.store = new EndpointStore(this.layout, memory);
  }

  see(ns: bigint): void {
    this.#seen.add(ns);
  }

  /** Returns how many values all frames have. */
  seen(): number {
    this.#times = [...this.#seen].sort((a, b) => (a < b ? -1 : 1));
    this.#times.forEach((ns, row) => {
      this.#rows.set(ns, row);
    });
    return this.#times.length * this.layout.slotCount;
  }

  begin(part: number, parts: number): void {
    this.#from = Math.floor((part * this.#times.length) / parts);
    this.#to = Math.floor(((part + 1) * this.#times.length) / parts);
    this.values = new Float64Array((this.#to - this.#from) * this.layout.slotCount).fill(Number.NaN);
  }

  /** Where the values of a time begin; -1 when they are of another part. */
  row(ns: bigint): number {
    const row = this.#rows.get(ns)!;
    return row < this.#from || row >= this.#to ? -1 : (row - this.#from) * this.layout.slotCount;
  }

  /** A series is 0 at what it counts from. */
  refer(series: ScalarSeries | HistogramSeries, ns: bigint | null): void {
    const cell = ns === null ? -1 : this.row(ns);
    if (cell < 0) return;
    const slots =
      series.kind === 'scalar'
        ? [series.value]
        : [series.sum, series.count, ...series.buckets.map(({ slot }) => slot)];
    for (const slot of slots) this.values[cell + slot] = 0;
  }

  /** Hands the frames to the store. A frame that is like the one before was a body that had not changed. */
  end(): void {
    const slots = this.layout.slotCount;
    for (let row = this.#from; row < this.#to; row++) {
      const start = (row - this.#from) * slots;
      const values = this.values.subarray(start, start + slots);
      const last = this.#last;
      const changed = last === undefined || values.some((value, slot) => !Object.is(value, last[slot]));
      this.store.append({ timestampNs: this.#times[row]!, latencyNs: 0, changed, values });
      this.#last = values;
    }
    this.#last = this.#last?.slice();
    this.values = new Float64Array(0);
  }
}
