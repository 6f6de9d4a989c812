import type { ServerMetricsDocument } from '@org/formats';
import type { MetadataEntry, ParquetMetadataInput } from '@org/formats/parquet';
import type { RunRecord } from '../runRecord.ts';
import { type ExportView, listExportedMetrics, type ViewMetric } from './exportView.ts';

/** The AIPerf metadata of a run's Parquet export, and the label names of its series. */
export interface ParquetDescription
  extends Omit<ParquetMetadataInput, 'labelColumns' | 'exportTime' | 'hostname'> {
  /** Names of the labels of all series, with repetitions. */
  readonly labelNames: readonly string[];
  /** Names of the labels of all targets, with repetitions. */
  readonly targetLabelNames: readonly string[];
}

/** Describes a run for the metadata and the columns of its Parquet export. */
export function describeParquetExport(view: ExportView): ParquetDescription {
  const { record } = view;
  const metrics = listExportedMetrics(view);
  return {
    version: record.version,
    benchmarkId: record.benchmarkId,
    timeFilterStartNs: record.period.startNs,
    timeFilterEndNs: record.period.endNs,
    endpointUrls: record.endpoints.filter(({ store }) => store.frameCount > 0).map(({ url }) => url),
    metricTypeCounts: countByType(metrics),
    modelNames: findModelNames(record),
    ...readLoad(record),
    inputConfig: record.inputConfig,
    labelNames: metrics.flatMap(({ series }) =>
      series.flatMap(entry => entry.series.labels.map(([name]) => name)),
    ),
    targetLabelNames: record.endpoints.flatMap(({ labels = {} }) => Object.keys(labels)),
  };
}

/** Counts the series of each type, which AIPerf calls metrics. */
function countByType(metrics: readonly ViewMetric[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, series } of metrics) counts[type] = (counts[type] ?? 0) + series.length;
  return counts;
}

/** Returns the load of the profiling phase; nothing for runs without a load of their own. */
function readLoad({ inputConfig }: RunRecord): Pick<ParquetDescription, 'concurrency' | 'requestRate'> {
  const { phases } = inputConfig as { readonly phases?: unknown };
  if (!Array.isArray(phases)) return {};
  const profiling = phases.find(phase => phase?.name === 'profiling') ?? {};
  return {
    ...(typeof profiling.concurrency === 'number' ? { concurrency: profiling.concurrency } : {}),
    ...(typeof profiling.rate === 'number' ? { requestRate: profiling.rate } : {}),
  };
}

/** Finds the model names that servers report in their labels. */
function findModelNames({ endpoints }: RunRecord): string[] {
  const names = new Set<string>();
  for (const { store } of endpoints) {
    for (const { labels } of store.layout.series) {
      for (const [label, value] of labels) if (label === 'model_name' || label === 'model') names.add(value);
    }
  }
  return [...names].sort();
}

/** Key of the Servelens metadata in a Parquet export. */
const METADATA_KEY = 'servelens.run';

/**
 * Data of a run that the rows of its Parquet export do not contain, so that the run can be exported again
 * from this file alone.
 */
export interface RunMetadata {
  /** The `summary` of the JSON export. */
  readonly summary: ServerMetricsDocument['summary'];
  /**
   * The most frequent timestamp of reference samples, by endpoint URL; null if most series have no reference
   * sample.
   */
  readonly references: Readonly<Record<string, bigint | null>>;
  /**
   * The series whose reference sample has another timestamp, as inclusive ranges of positions in the file.
   * `reference_ns` is null for series that count from their first sample in the period.
   */
  readonly others: readonly {
    readonly reference_ns: bigint | null;
    readonly series: readonly (readonly [first: number, last: number])[];
  }[];
  /**
   * The number of series whose values cannot be restored: counters that behave like gauges and fell below their
   * reference sample, whose negative deltas are clamped to 0, and series with more resets than are recorded here.
   */
  readonly clamped: number;
  /** Series that were created in the run and count from 0, as inclusive ranges of positions in the file. */
  readonly created?: readonly (readonly [first: number, last: number])[];
  /** Series that were reset. Their rows contain the increase across resets. */
  readonly resets?: readonly ResetSeries[];
  /** The definitions of servers that the user added, as JSON text, so that no text in them is read as a bigint. */
  readonly server_definitions?: string;
}

/** The values of a series that was reset, in the order of its columns: value; or sum, count and buckets. */
export interface ResetSeries {
  /** Position of the series in the file. */
  readonly series: number;
  /** Values of the server that the first row counts from. */
  readonly base: readonly number[];
  /** First sample after each reset, with the differences between rows plus `base` and values of the server. */
  readonly offsets: readonly (readonly [at_ns: bigint, values: readonly number[]])[];
}

/** Maximum number of values in `resets`, which limits the size of the metadata. */
const MAX_RESET_VALUES = 200_000;

/** Collects the reference sample of each series while the rows are written. */
export class ReferenceCollector {
  readonly #countsByUrl = new Map<string, Map<bigint | null, number>>();
  readonly #series: { readonly url: string; readonly referenceNs: bigint | null }[] = [];
  #clamped = 0;
  readonly #created: [number, number][] = [];
  readonly #resets: ResetSeries[] = [];
  #resetValues = 0;

  /** Adds the next series of the file. */
  add(
    url: string,
    referenceNs: bigint | null,
    isClamped: boolean,
    {
      isCreated = false,
      reset,
    }: { isCreated?: boolean; reset?: Omit<ResetSeries, 'series'> | undefined } = {},
  ): void {
    const position = this.#series.length;
    if (isCreated) addToRanges(this.#created, position);
    if (reset) this.#addReset({ series: position, ...reset });
    const counts = this.#countsByUrl.get(url) ?? new Map<bigint | null, number>();
    this.#countsByUrl.set(url, counts.set(referenceNs, (counts.get(referenceNs) ?? 0) + 1));
    this.#series.push({ url, referenceNs });
    if (isClamped) this.#clamped++;
  }

  #addReset(reset: ResetSeries): void {
    this.#resetValues += reset.base.length * (1 + reset.offsets.length);
    if (this.#resetValues > MAX_RESET_VALUES) this.#clamped++;
    else this.#resets.push(reset);
  }

  /** Returns the metadata entry of all series added so far. `definitions` are those of servers that the user added. */
  toMetadata(summary: RunMetadata['summary'], definitions: readonly unknown[] = []): MetadataEntry {
    const references: Record<string, bigint | null> = Object.fromEntries(
      [...this.#countsByUrl].map(([url, counts]) => [url, findMostFrequent(counts)]),
    );
    const others = new Map<bigint | null, [number, number][]>();
    this.#series.forEach(({ url, referenceNs }, position) => {
      if (referenceNs === references[url]) return;
      const ranges = others.get(referenceNs) ?? [];
      addToRanges(ranges, position);
      others.set(referenceNs, ranges);
    });
    return stringifyRunMetadata({
      summary,
      references,
      others: [...others].map(([reference_ns, series]) => ({ reference_ns, series })),
      clamped: this.#clamped,
      ...(this.#created.length > 0 ? { created: this.#created } : {}),
      ...(this.#resets.length > 0 ? { resets: this.#resets } : {}),
      ...(definitions.length === 0 ? {} : { server_definitions: JSON.stringify(definitions) }),
    });
  }
}

/** Adds a position after all positions of the ranges. */
function addToRanges(ranges: [number, number][], position: number): void {
  const last = ranges.at(-1);
  if (last?.[1] === position - 1) last[1] = position;
  else ranges.push([position, position]);
}

function findMostFrequent(counts: ReadonlyMap<bigint | null, number>): bigint | null {
  return [...counts].sort((a, b) => b[1] - a[1])[0]![0];
}

/** Writes bigints as text, such as `"123n"`: timestamps have 19 digits, more than a double can represent. */
function stringifyRunMetadata(metadata: RunMetadata): MetadataEntry {
  return [
    METADATA_KEY,
    JSON.stringify(metadata, (_, item) => (typeof item === 'bigint' ? `${item}n` : item)),
  ];
}

/** Parses the Servelens metadata of a Parquet file. Returns undefined if it is missing or malformed. */
export function parseRunMetadata(metadata: ReadonlyMap<string, string>): RunMetadata | undefined {
  const text = metadata.get(METADATA_KEY);
  if (text === undefined) return undefined;
  try {
    const parsed = JSON.parse(text, (_, item) =>
      typeof item === 'string' && /^-?\d{1,20}n$/.test(item) ? BigInt(item.slice(0, -1)) : item,
    ) as Partial<RunMetadata>;
    const isComplete = parsed.summary?.endpoint_info && parsed.references && Array.isArray(parsed.others);
    return isComplete ? (parsed as RunMetadata) : undefined;
  } catch {
    return undefined;
  }
}
