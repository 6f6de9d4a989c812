import {
  getDoubles,
  getInt64s,
  getTexts,
  METRIC_TYPES,
  RESERVED_COLUMNS,
  type RowBatch,
  readServerMetricsParquet,
  type ServerMetricsParquetReader,
  type TextValues,
} from '@org/formats/parquet';
import type { ServerMetricsView, Source } from '@org/formats/read';
import { RunError } from './runError.ts';
import { computeView, type SampledType, SeriesSamples } from './sampledRun.ts';

/** The maximum number of rows that fit into memory. */
const MAX_ROWS = 20_000_000;

/**
 * Reads server metrics from a Parquet export and computes their statistics. Its values are differences from the
 * start of the profiling period, so rates count from that start, while the JSON of the same run counts from the
 * scrape before it.
 *
 * @param file the file's name, for messages
 * @throws RunError for more rows than fit into memory, ParquetError for a broken file
 */
export async function readParquetRun(file: string, source: Source): Promise<ServerMetricsView> {
  // Parquet is read from its end, so a pipe has to be read completely.
  const reader = await readServerMetricsParquet(source.file ?? (await source.bytes()));
  try {
    if (reader.rows > MAX_ROWS)
      throw new RunError(
        `${JSON.stringify(file)} has ${reader.rows} rows, more than the maximum of ${MAX_ROWS}; name the JSON or CSV of the run, or use query`,
      );
    return await computeRunView(reader, file);
  } finally {
    await reader.close();
  }
}

async function computeRunView(reader: ServerMetricsParquetReader, file: string): Promise<ServerMetricsView> {
  const meta = (key: string): string | undefined => reader.metadata.get(`aiperf.${key}`);
  const start = parseNanoseconds(meta('time_filter_start_ns'));
  const end = parseNanoseconds(meta('time_filter_end_ns'));
  const found = new ParquetSamples(reader, file);
  for await (const batch of reader.batches()) found.add(batch, start);
  const { firstNs, lastNs } = found;
  if (firstNs === undefined || lastNs === undefined)
    throw new RunError(`${JSON.stringify(file)} contains no rows`);
  const originNs = found.originNs!;
  const period = {
    startNs: start === undefined ? firstNs : Number(start - originNs),
    // The final scrape takes place some ms after the end of the period.
    endNs: Math.max(lastNs, end === undefined ? lastNs : Number(end - originNs)),
  };
  return computeView(
    {
      originNs,
      period,
      isRelative: true,
      benchmarkId: meta('benchmark_id') ?? null,
      version: meta('version') ?? null,
      endpoints: parseStrings(meta('endpoint_urls')) ?? found.endpoints(),
      inputConfig: parseObject(meta('input_config')),
    },
    found.series(),
  );
}

class ParquetSamples {
  originNs: bigint | undefined;
  firstNs: number | undefined;
  lastNs: number | undefined;
  readonly #labels: readonly string[];
  readonly #file: string;
  readonly #series = new Map<string, SeriesSamples>();

  constructor(reader: ServerMetricsParquetReader, file: string) {
    const reserved = new Set<string>(RESERVED_COLUMNS);
    this.#file = file;
    this.#labels = reader.columns
      .filter(({ name, type }) => type === 'string' && !reserved.has(name))
      .map(({ name }) => name);
  }

  series(): Iterable<SeriesSamples> {
    return this.#series.values();
  }

  endpoints(): string[] {
    return [...new Set([...this.#series.values()].map(({ series }) => series.endpointUrl))];
  }

  /**
   * Adds a batch of rows. Rows of a series are adjacent in our files and ordered by time in AIPerf's, so series
   * are found by key.
   */
  add(batch: RowBatch, start: bigint | undefined): void {
    const columns = readColumns(batch, this.#labels);
    this.originNs ??= start ?? columns.times[0];
    for (let row = 0; row < batch.rows; row++) {
      const samples = this.#seriesAt(columns, row);
      const timeNs = Number(columns.times[row]! - this.originNs!);
      this.firstNs = Math.min(this.firstNs ?? timeNs, timeNs);
      this.lastNs = Math.max(this.lastNs ?? timeNs, timeNs);
      if (samples.series.type !== 'histogram') samples.add(timeNs, columns.values[row]!);
      else {
        const le = textAt(columns.bounds, row);
        if (le !== undefined)
          samples.addBucket(timeNs, columns.counts[row]!, columns.sums[row]!, le, columns.bucketCounts[row]!);
      }
    }
  }

  #seriesAt(columns: Columns, row: number): SeriesSamples {
    let key = '';
    for (const column of columns.identity) key += `${textAt(column, row) ?? ''}\u0000`;
    let samples = this.#series.get(key);
    if (!samples) {
      samples = new SeriesSamples({
        name: textAt(columns.name, row) ?? '',
        type: this.#typeAt(columns, row),
        unit: textAt(columns.unit, row) ?? null,
        description: textAt(columns.description, row) ?? '',
        endpointUrl: textAt(columns.endpoint, row) ?? '',
        labels: Object.fromEntries(
          columns.labels.flatMap(([label, column]) => {
            const value = textAt(column, row);
            return value === undefined ? [] : [[label, value]];
          }),
        ),
      });
      this.#series.set(key, samples);
    }
    return samples;
  }

  #typeAt(columns: Columns, row: number): SampledType {
    const type = textAt(columns.type, row);
    const known = METRIC_TYPES.find(one => one === type);
    if (known) return known;
    throw new RunError(
      `cannot read ${JSON.stringify(this.#file)}: metric_type is ${JSON.stringify(type)}; expected ${METRIC_TYPES.join(', ')}`,
    );
  }
}

interface Columns {
  readonly endpoint: TextValues;
  readonly name: TextValues;
  readonly type: TextValues;
  readonly unit: TextValues | undefined;
  readonly description: TextValues;
  readonly labels: readonly (readonly [string, TextValues])[];
  /** The columns that identify a series. */
  readonly identity: readonly TextValues[];
  readonly times: BigInt64Array;
  readonly values: Float64Array;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  readonly bounds: TextValues;
  readonly bucketCounts: Float64Array;
}

function readColumns(batch: RowBatch, labelNames: readonly string[]): Columns {
  const [endpoint, name, type] = [
    getTexts(batch, 'endpoint_url'),
    getTexts(batch, 'metric_name'),
    getTexts(batch, 'metric_type'),
  ];
  const labels = labelNames.map(label => [label, getTexts(batch, label)] as const);
  return {
    endpoint,
    name,
    type,
    unit: batch.columns.has('unit') ? getTexts(batch, 'unit') : undefined,
    description: getTexts(batch, 'description'),
    labels,
    identity: [endpoint, name, type, ...labels.map(([, column]) => column)],
    times: getInt64s(batch, 'timestamp_ns').values,
    values: getDoubles(batch, 'value').values,
    sums: getDoubles(batch, 'sum').values,
    counts: getDoubles(batch, 'count').values,
    bounds: getTexts(batch, 'bucket_le'),
    bucketCounts: getDoubles(batch, 'bucket_count').values,
  };
}

function textAt(column: TextValues | undefined, row: number): string | undefined {
  const code = column?.codes[row] ?? -1;
  return code < 0 ? undefined : column!.texts[code];
}

function parseNanoseconds(digits: string | undefined): bigint | undefined {
  return digits !== undefined && /^\d{1,19}$/.test(digits) ? BigInt(digits) : undefined;
}

function parseStrings(json: string | undefined): string[] | undefined {
  const value = parseJson(json);
  return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : undefined;
}

function parseObject(json: string | undefined): Readonly<Record<string, unknown>> {
  const value = parseJson(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Parses metadata; invalid JSON counts as missing, since the rows matter more. */
function parseJson(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
