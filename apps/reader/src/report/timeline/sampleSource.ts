import { stat } from 'node:fs/promises';
import type { Run } from '@org/analysis';
import { openInput } from '@org/analysis/files';
import type { ServerMetricsRecord } from '@org/formats';
import type { TextValues } from '@org/formats/parquet';
import { readRecords } from '@org/formats/read';
import type { ReadIssues } from '../readIssues.ts';
import { formatLabels } from './sampleHistory.ts';
import { describeThinned, isThinned, type Spacing, selectScrapes } from './spacing.ts';
import type { Sample } from './trace.ts';

/** The maximum size of a JSONL export that is read. Reading a larger file would take too long. */
const MAX_RECORDS_BYTES = 512 * 2 ** 20;
/** Minimum size of a JSONL export for reading only some of its scrapes, if it has more than the charts need. */
const MAX_COMPLETE_BYTES = 128 * 2 ** 20;
/** The maximum size of a Parquet export that is read. It is larger, because Parquet is read faster than JSONL. */
const MAX_PARQUET_BYTES = 2 ** 31;

/** A sample with its series. */
export interface SeriesSample {
  readonly name: string;
  readonly endpointUrl: string;
  /** A key for the labels, from `formatLabels`. */
  readonly labels: string;
  readonly sample: Sample;
}

/** A source of the samples of a run. */
export interface SampleSource {
  /** Describes the samples for the page, such as `all scrapes`. */
  readonly describe: (spacing: Spacing) => string;
  readonly file: string;
  /** Start of the time axis (0 s), as Unix time in nanoseconds. */
  readonly startNs: bigint;
  /** Length of the time axis, in seconds. */
  readonly seconds: number;
  /** Whether samples are values of the server, and not increases since the start of profiling. */
  readonly areRaw: boolean;
  /** Reads the samples of the named metrics, in order of time. */
  readSamples(names: ReadonlySet<string>, spacing: Spacing): AsyncIterable<SeriesSample>;
}

/**
 * Finds the best source of samples: the JSONL export, which includes the warm-up, or the Parquet export, which
 * covers only the profiling period. Returns undefined if neither is a regular file within the size limit, or if
 * the time range of the run is unknown.
 */
export async function findSampleSource(run: Run, issues: ReadIssues): Promise<SampleSource | undefined> {
  const { records, parquet } = run.files;
  const range = findAxisRange(run);
  if (!range) return undefined;
  const { startNs: axisStartNs, seconds } = range;
  const file = records ?? parquet;
  if (file !== undefined && (await isStream(file)))
    issues.addNote(
      `${file} is a pipe, which can be read only once; for charts of all samples, specify a regular file`,
    );
  if (records !== undefined && (await getFileSize(records)) <= MAX_RECORDS_BYTES) {
    const isLarge = (await getFileSize(records)) > MAX_COMPLETE_BYTES;
    return {
      describe: spacing => (isLarge && isThinned(spacing) ? describeThinned(spacing) : 'all scrapes'),
      file: records,
      startNs: axisStartNs,
      seconds,
      areRaw: true,
      readSamples: async function* (names, spacing) {
        const onIssue = issues.createCallback(records);
        const isWanted = isLarge && isThinned(spacing) ? selectScrapes(spacing) : undefined;
        const options = { onIssue, metrics: names, ...(isWanted && { isWanted }) };
        yield* convertRecords(readRecords(await openInput(records), options), axisStartNs, names);
      },
    };
  }
  if (parquet !== undefined && (await getFileSize(parquet)) <= MAX_PARQUET_BYTES)
    return {
      describe: () => 'samples of the profiling period',
      file: parquet,
      startNs: axisStartNs,
      seconds,
      areRaw: false,
      readSamples: names => readParquetSamples(parquet, axisStartNs, names),
    };
  return undefined;
}

async function getFileSize(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() ? stats.size : Number.POSITIVE_INFINITY;
}

/** Reports whether a path exists but is not a regular file, such as a pipe, which can be read only once. */
async function isStream(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && !stats.isFile();
}

/** The time range of an axis. */
export interface AxisRange {
  /** Start of the axis (0 s), as Unix time in nanoseconds. */
  readonly startNs: bigint;
  readonly seconds: number;
}

/** Returns the time range of a run; undefined if it is unknown or empty. */
export function findAxisRange({ times }: Pick<Run, 'times'>): AxisRange | undefined {
  const startNs = times.startNs ?? times.profilingStartNs;
  const endNs = times.endNs ?? times.profilingEndNs;
  if (startNs === undefined || endNs === undefined || endNs <= startNs) return undefined;
  return { startNs, seconds: Number(endNs - startNs) / 1e9 };
}

async function* convertRecords(
  records: AsyncIterable<ServerMetricsRecord>,
  startNs: bigint,
  names: ReadonlySet<string>,
): AsyncGenerator<SeriesSample> {
  for await (const record of records) yield* convertRecord(record, startNs, names);
}

/** Yields the samples of the named metrics in a scrape. */
export function* convertRecord(
  { timestamp_ns, endpoint_url: endpointUrl, metrics }: ServerMetricsRecord,
  startNs: bigint,
  names: ReadonlySet<string>,
): Generator<SeriesSample> {
  const seconds = Number(timestamp_ns - startNs) / 1e9;
  for (const [name, series] of Object.entries(metrics)) {
    if (!names.has(name)) continue;
    for (const entry of series) {
      const sample = toSample(seconds, entry);
      if (!sample) continue;
      yield { name, endpointUrl, labels: formatLabels(Object.entries(entry.labels ?? {})), sample };
    }
  }
}

/** A series of a JSONL record: a value, or a histogram. */
interface RecordSeries {
  readonly value?: number | null;
  readonly sum?: number | null;
  readonly count?: number | null;
  readonly buckets?: Readonly<Record<string, number>> | null;
}

function toSample(seconds: number, { value, sum, count, buckets }: RecordSeries): Sample | undefined {
  if (typeof value === 'number') return { seconds, value };
  if (typeof count !== 'number' || typeof sum !== 'number' || !buckets) return undefined;
  return { seconds, count, sum, buckets: new Map(Object.entries(buckets)) };
}

/** Reads samples from a Parquet export. A histogram sample has one row per bucket, and these rows are adjacent. */
async function* readParquetSamples(
  file: string,
  startNs: bigint,
  names: ReadonlySet<string>,
): AsyncGenerator<SeriesSample> {
  const { readServerMetricsParquet, getTexts, getDoubles, getInt64s, listSeriesLabelColumns } = await import(
    '@org/formats/parquet'
  );
  const reader = await readServerMetricsParquet(file);
  const labelColumns = listSeriesLabelColumns(reader);
  let openHistogram: OpenHistogram | undefined;
  for await (const batch of reader) {
    const name = getTexts(batch, 'metric_name');
    const url = getTexts(batch, 'endpoint_url');
    const le = getTexts(batch, 'bucket_le');
    const timestampNs = getInt64s(batch, 'timestamp_ns');
    const value = getDoubles(batch, 'value');
    const sum = getDoubles(batch, 'sum');
    const count = getDoubles(batch, 'count');
    const bucketCount = getDoubles(batch, 'bucket_count');
    const labels = labelColumns.map(column => [column, getTexts(batch, column)] as const);
    for (let row = 0; row < batch.rows; row++) {
      const metric = getText(name, row);
      if (metric === null || !names.has(metric)) continue;
      const seconds = Number(timestampNs.values[row]! - startNs) / 1e9;
      const labelKey = formatLabels(labels.map(([column, texts]) => [column, getText(texts, row)]));
      const identity = { name: metric, endpointUrl: getText(url, row) ?? '', labels: labelKey };
      const bound = getText(le, row);
      if (bound === null) {
        yield { ...identity, sample: { seconds, value: value.values[row]! } };
        continue;
      }
      if (openHistogram && !isSameSample(openHistogram, identity, seconds)) {
        yield finishHistogram(openHistogram);
        openHistogram = undefined;
      }
      openHistogram ??= {
        ...identity,
        seconds,
        // A histogram without sums has no mean.
        sum: sum.present?.[row] === 0 ? Number.NaN : sum.values[row]!,
        count: count.values[row]!,
        buckets: new Map(),
      };
      openHistogram.buckets.set(bound, bucketCount.values[row]!);
    }
  }
  if (openHistogram) yield finishHistogram(openHistogram);
}

/** A histogram whose buckets are being read. */
interface OpenHistogram {
  readonly name: string;
  readonly endpointUrl: string;
  readonly labels: string;
  readonly seconds: number;
  readonly sum: number;
  readonly count: number;
  readonly buckets: Map<string, number>;
}

/** Reports whether a row belongs to the same series and time as the previous rows. */
function isSameSample(
  openHistogram: OpenHistogram,
  identity: Pick<OpenHistogram, 'name' | 'endpointUrl' | 'labels'>,
  seconds: number,
): boolean {
  return (
    openHistogram.seconds === seconds &&
    openHistogram.labels === identity.labels &&
    openHistogram.name === identity.name &&
    openHistogram.endpointUrl === identity.endpointUrl
  );
}

function finishHistogram({ name, endpointUrl, labels, ...sample }: OpenHistogram): SeriesSample {
  return { name, endpointUrl, labels, sample };
}

function getText({ codes, texts }: TextValues, row: number): string | null {
  const code = codes[row]!;
  return code < 0 ? null : texts[code]!;
}
