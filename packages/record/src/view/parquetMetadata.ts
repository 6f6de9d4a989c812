import type { ServerMetricsDocument } from '@org/formats';
import type { MetadataEntry, ParquetMetadataInput } from '@org/formats/parquet';
import type { RunRecord } from '../runRecord.ts';
import { type ExportView, listExportedMetrics, type ViewMetric } from './exportView.ts';

/** The facts about a run in AIPerf's metadata of a Parquet export, and the labels of its series. */
export interface ParquetDescription
  extends Omit<ParquetMetadataInput, 'labelColumns' | 'exportTime' | 'hostname'> {
  /** Names of the labels of all series, with repetitions. */
  readonly labelNames: readonly string[];
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
    inputConfig: record.inputConfig,
    labelNames: metrics.flatMap(({ series }) =>
      series.flatMap(entry => entry.series.labels.map(([name]) => name)),
    ),
  };
}

function countByType(metrics: readonly ViewMetric[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of metrics) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
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

/** The key of Servelens' own metadata in a Parquet export. */
const KEY = 'servelens.run';

/** The facts about a run that the rows of its Parquet export lack. With them, the file alone is enough to export the run again. */
export interface RunMetadata {
  /** The `summary` of the JSON export. */
  readonly summary: ServerMetricsDocument['summary'];
  /** The time of the reference sample of most series, by endpoint URL; null if most series have none. */
  readonly references: Readonly<Record<string, bigint | null>>;
  /**
   * The series with another reference sample, as ranges of positions in the file. `reference_ns` is null for series that
   * count from their first sample in the period.
   */
  readonly others: readonly {
    readonly reference_ns: bigint | null;
    readonly series: readonly (readonly [first: number, last: number])[];
  }[];
  /** The number of series that were reset in the period, whose negative deltas are clamped to 0. */
  readonly clamped: number;
}

/** Collects the reference sample of each series while the rows are written. */
export class ReferenceCollector {
  readonly #countsByUrl = new Map<string, Map<bigint | null, number>>();
  readonly #series: { readonly url: string; readonly referenceNs: bigint | null }[] = [];
  #clamped = 0;

  /** Adds the next series of the file. */
  add(url: string, referenceNs: bigint | null, isClamped: boolean): void {
    const counts = this.#countsByUrl.get(url) ?? new Map<bigint | null, number>();
    this.#countsByUrl.set(url, counts.set(referenceNs, (counts.get(referenceNs) ?? 0) + 1));
    this.#series.push({ url, referenceNs });
    if (isClamped) this.#clamped++;
  }

  /** Returns the metadata entry of all series added so far. */
  toMetadata(summary: RunMetadata['summary']): MetadataEntry {
    const references: Record<string, bigint | null> = Object.fromEntries(
      [...this.#countsByUrl].map(([url, counts]) => [url, findMostFrequent(counts)]),
    );
    const others = new Map<bigint | null, [number, number][]>();
    this.#series.forEach(({ url, referenceNs }, position) => {
      if (referenceNs === references[url]) return;
      const ranges = others.get(referenceNs) ?? [];
      const last = ranges.at(-1);
      if (last?.[1] === position - 1) last[1] = position;
      else others.set(referenceNs, [...ranges, [position, position]]);
    });
    return stringifyRunMetadata({
      summary,
      references,
      others: [...others].map(([reference_ns, series]) => ({ reference_ns, series })),
      clamped: this.#clamped,
    });
  }
}

function findMostFrequent(counts: ReadonlyMap<bigint | null, number>): bigint | null {
  return [...counts].sort((a, b) => b[1] - a[1])[0]![0];
}

/** Timestamps have 19 digits, more than a double can represent, so they are written as text: `"123n"`. */
function stringifyRunMetadata(metadata: RunMetadata): MetadataEntry {
  return [KEY, JSON.stringify(metadata, (_, item) => (typeof item === 'bigint' ? `${item}n` : item))];
}

/** Parses Servelens' metadata of a Parquet file; undefined if the file has none or has it in an unknown shape. */
export function parseRunMetadata(metadata: ReadonlyMap<string, string>): RunMetadata | undefined {
  const text = metadata.get(KEY);
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
