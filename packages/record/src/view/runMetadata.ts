import type { ServerMetricsDocument } from '@org/formats';
import type { MetadataEntry } from '@org/formats/parquet';

/** The key of our own metadata in a Parquet export. */
const KEY = 'servelens.run';

/**
 * What the rows of a Parquet export do not say of their run: with it, the file alone is enough to export the run again.
 */
export interface RunMetadata {
  /** As in the JSON export. */
  readonly summary: ServerMetricsDocument['summary'];
  /** By endpoint: the time of the sample that most of its series count from; null where most have none. */
  readonly references: Readonly<Record<string, bigint | null>>;
  /** The series (by place in the file) that count from another time: null for their first sample in the period. */
  readonly others: readonly {
    readonly reference_ns: bigint | null;
    readonly series: readonly (readonly [first: number, last: number])[];
  }[];
  /** How many series have a row that would be negative, and is 0: they began again in the period. */
  readonly clamped: number;
}

/** What each series counts from, gathered while they are written. */
export class References {
  readonly #counts = new Map<string, Map<bigint | null, number>>();
  readonly #series: { readonly url: string; readonly referenceNs: bigint | null }[] = [];
  #clamped = 0;

  add(url: string, referenceNs: bigint | null, isClamped: boolean): void {
    const counts = this.#counts.get(url) ?? new Map<bigint | null, number>();
    this.#counts.set(url, counts.set(referenceNs, (counts.get(referenceNs) ?? 0) + 1));
    this.#series.push({ url, referenceNs });
    if (isClamped) this.#clamped++;
  }

  metadata(summary: RunMetadata['summary']): MetadataEntry {
    const references: Record<string, bigint | null> = Object.fromEntries(
      [...this.#counts].map(([url, counts]) => [url, [...counts].sort((a, b) => b[1] - a[1])[0]![0]]),
    );
    const others = new Map<bigint | null, [number, number][]>();
    this.#series.forEach(({ url, referenceNs }, place) => {
      if (referenceNs === references[url]) return;
      const ranges = others.get(referenceNs) ?? [];
      const last = ranges.at(-1);
      if (last?.[1] === place - 1) last[1] = place;
      else others.set(referenceNs, [...ranges, [place, place]]);
    });
    return runMetadataEntry({
      summary,
      references,
      others: [...others].map(([reference_ns, series]) => ({ reference_ns, series })),
      clamped: this.#clamped,
    });
  }
}

/** ns are 19 digits: beyond a double, so that they are written as texts. */
function runMetadataEntry(metadata: RunMetadata): MetadataEntry {
  return [KEY, JSON.stringify(metadata, (_, item) => (typeof item === 'bigint' ? `${item}n` : item))];
}

/** Our metadata of a file; undefined for one of another program, or of one that says it otherwise. */
export function runMetadataOf(metadata: ReadonlyMap<string, string>): RunMetadata | undefined {
  const text = metadata.get(KEY);
  if (text === undefined) return undefined;
  try {
    const read = JSON.parse(text, (_, item) =>
      typeof item === 'string' && /^-?\d{1,20}n$/.test(item) ? BigInt(item.slice(0, -1)) : item,
    ) as Partial<RunMetadata>;
    const isWhole = read.summary?.endpoint_info && read.references && Array.isArray(read.others);
    return isWhole ? (read as RunMetadata) : undefined;
  } catch {
    return undefined;
  }
}
