import {
  type EndpointStore,
  type FamilyType,
  type HistogramSeries,
  type Layout,
  type ScalarSeries,
  type Series,
  type Slot,
  type StoreMemory,
  sortLabels,
} from '@org/core';
import {
  getDoubles,
  getInt64s,
  getTexts,
  readServerMetricsParquet,
  type TextValues,
} from '@org/formats/parquet';
import { parseBound } from '@org/formats/read';
import type { ResetSeries, RunMetadata } from '../view/parquetMetadata.ts';
import { EndpointTable } from './endpointTable.ts';
import { toFamily } from './jsonlStores.ts';
import { PositionRanges } from './positionRanges.ts';
import { createRestorer } from './resetRestorer.ts';
import { type RowOptions, type RowRange, type RowSeries, readRowRanges, readText } from './rowRanges.ts';

const VALUE_COLUMNS = ['value', 'sum', 'count', 'bucket_count'] as const;

/** Samples read from a Parquet export. */
export interface ParquetSamples {
  /** By endpoint URL. */
  readonly stores: ReadonlyMap<string, EndpointStore>;
  /**
   * Names of metrics with several series that differ only in a label without a column. Only the first of
   * these series is read.
   */
  readonly merged: readonly string[];
  /** By position in the file; undefined for a series that is merged into an earlier one. */
  readonly series: readonly (Series | undefined)[];
}

/**
 * Returns the timestamp of the reference sample of a series, by its position in the file and its endpoint;
 * null if it has none.
 */
export type FindReference = (position: number, url: string) => bigint | null;

/**
 * Creates the lookup of reference samples in a file. Without Servelens metadata, all series have the
 * reference `fallback`.
 */
export function createReferenceLookup(
  metadata: RunMetadata | undefined,
  fallback: bigint | null,
): FindReference {
  if (!metadata) return () => fallback;
  const others = new PositionRanges(
    metadata.others.flatMap(({ reference_ns, series }) =>
      series.map(range => [range, reference_ns] as const),
    ),
  );
  return (position, url) => {
    const other = others.find(position);
    return other === undefined ? (metadata.references[url] ?? null) : other;
  };
}

/** The values of the server, at the reference sample and after resets, of the series that were reset. */
export type ResetLookup = ReadonlyMap<number, ResetSeries>;

/** A Parquet file and the options for reading it. */
export interface ParquetInput extends RowOptions {
  /** A path, or the bytes of the file. */
  readonly file: string | Uint8Array;
  readonly findReference: FindReference;
  /** By position in the file. */
  readonly resets?: ResetLookup;
  readonly memory?: StoreMemory | undefined;
}

/** Maximum number of values to read in one pass if there is no memory limit. */
const MAX_PASS_VALUES = 2 ** 24;

/**
 * Reads the samples of a Parquet export into stores. The file contains deltas, so the values of counters and
 * histograms are 0 at their reference sample. The first pass finds the series and timestamps; each further
 * pass reads as many frames as fit into half of the memory limit.
 *
 * @throws ParquetError for a malformed file, and a file system error if it cannot be read
 */
export async function readParquetStores(input: ParquetInput): Promise<ParquetSamples> {
  const table = new SampleTable(input);
  await readRanges(input, [], range => table.scan(range));
  const passes = table.planPasses();
  for (let pass = 0; pass < passes; pass++) {
    table.startPass(pass, passes);
    await readRanges(input, VALUE_COLUMNS, range => table.read(range));
    table.endPass();
  }
  return {
    stores: table.stores,
    merged: [...table.merged],
    series: table.series,
  };
}

async function readRanges(
  { file, isContiguous }: ParquetInput,
  columns: readonly string[],
  handle: (range: RowRange) => void,
): Promise<void> {
  const reader = await readServerMetricsParquet(file);
  try {
    for await (const range of readRowRanges(reader, columns, { isContiguous })) handle(range);
  } finally {
    await reader.close();
  }
}

interface TableSeries {
  readonly endpoint: EndpointTable;
  readonly series: ScalarSeries | HistogramSeries;
  readonly referenceNs: bigint | null;
  readonly reset: ResetSeries | undefined;
}

/** The samples of all endpoints, read from a file in several passes. */
class SampleTable {
  readonly merged: Set<string> = new Set<string>();
  readonly #findReference: FindReference;
  readonly #resets: ResetLookup;
  readonly #memory: StoreMemory | undefined;
  readonly #endpoints = new Map<string, EndpointTable>();
  /** By position in the file; undefined for a series that is merged into an earlier one. */
  readonly #series: (TableSeries | undefined)[] = [];

  constructor({ findReference, resets, memory }: ParquetInput) {
    this.#findReference = findReference;
    this.#resets = resets ?? new Map();
    this.#memory = memory;
  }

  get series(): (Series | undefined)[] {
    return this.#series.map(entry => entry?.series);
  }

  get stores(): Map<string, EndpointStore> {
    return new Map([...this.#endpoints].map(([url, { store }]) => [url, store]));
  }

  /** Registers the series, timestamps and bucket bounds of a range. */
  scan({ position, series, batch, from, to }: RowRange): void {
    if (position === this.#series.length) this.#addSeries(position, series);
    const entry = this.#series[position];
    if (!entry) return;
    const { endpoint } = entry;
    const times = getInt64s(batch, 'timestamp_ns').values;
    for (let row = from; row < to; row++)
      if (row === from || times[row] !== times[row - 1]) endpoint.addTime(times[row]!);
    if (entry.series.kind === 'histogram')
      addBuckets(endpoint.layout, entry.series, getTexts(batch, 'bucket_le'), from, to);
  }

  /** Ends the scan. Returns the number of passes that are needed to read all frames. */
  planPasses(): number {
    let valueCount = 0;
    for (const endpoint of this.#endpoints.values()) valueCount += endpoint.indexTimes();
    // Half of the memory limit, at 8 bytes per value.
    const limit = this.#memory ? this.#memory.limit / 2 / 8 : MAX_PASS_VALUES;
    return Math.max(1, Math.ceil(valueCount / limit));
  }

  startPass(pass: number, passes: number): void {
    for (const endpoint of this.#endpoints.values()) endpoint.startPass(pass, passes);
    for (const entry of this.#series)
      entry?.endpoint.setReference(entry.series, entry.referenceNs, entry.reset?.base);
  }

  endPass(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.endPass();
  }

  read({ position, batch, from, to }: RowRange): void {
    const entry = this.#series[position];
    if (!entry) return;
    const { endpoint, series, reset } = entry;
    const restore = reset && createRestorer(series, reset);
    const times = getInt64s(batch, 'timestamp_ns').values;
    const [value, sum, count, bucket] = VALUE_COLUMNS.map(name => getDoubles(batch, name).values);
    const hasSums = getDoubles(batch, 'sum').present;
    const bounds = getTexts(batch, 'bucket_le');
    // Every pass reads all rows, so that the pass of the reference sample finds out whether there are sums.
    if (series.kind === 'histogram' && hasSums?.[from] === 0) endpoint.removeSums(series, entry.referenceNs);
    let cell = -1;
    for (let row = from; row < to; row++) {
      if (row === from || times[row] !== times[row - 1]) cell = endpoint.findCell(times[row]!);
      if (cell < 0) continue;
      const set = (slot: Slot, increase: number): void => {
        endpoint.values[cell + slot] = restore ? restore(slot, times[row]!, increase) : increase;
      };
      if (series.kind === 'scalar') set(series.value, value![row]!);
      else {
        const text = readText(bounds, row)!;
        if (hasSums?.[row] !== 0) set(series.sum, sum![row]!);
        set(series.count, count![row]!);
        set(endpoint.layout.bucket(series, parseBound(text), text), bucket![row]!);
      }
    }
  }

  #addSeries(position: number, row: RowSeries): void {
    const endpoint = this.#endpoints.get(row.url) ?? new EndpointTable(this.#memory);
    this.#endpoints.set(row.url, endpoint);
    const family = toFamily(row.name, row.type as FamilyType, row.description, row.unit);
    const labels = sortLabels(row.labels);
    const seriesCount = endpoint.layout.series.length;
    const series =
      row.type === 'histogram'
        ? endpoint.layout.histogram(family, labels)
        : endpoint.layout.scalar(family, labels);
    if (endpoint.layout.series.length === seriesCount) {
      this.merged.add(row.name);
      this.#series.push(undefined);
      return;
    }
    const isCumulative = row.type === 'counter' || row.type === 'histogram';
    const referenceNs = isCumulative ? this.#findReference(position, row.url) : null;
    if (referenceNs !== null) endpoint.addTime(referenceNs);
    this.#series.push({ endpoint, series, referenceNs, reset: this.#resets.get(position) });
  }
}

function addBuckets(
  layout: Layout,
  series: HistogramSeries,
  bounds: TextValues,
  from: number,
  to: number,
): void {
  const addedCodes = new Set<number>();
  for (let row = from; row < to; row++) {
    const code = bounds.codes[row]!;
    if (code < 0 || addedCodes.has(code)) continue;
    addedCodes.add(code);
    const text = bounds.texts[code]!;
    layout.bucket(series, parseBound(text), text);
  }
}
