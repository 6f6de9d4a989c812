import type { RowBatch, ServerMetricsParquetReader, TextValues } from '@org/formats/parquet';
import { getInt64s, getTexts, RESERVED_COLUMNS } from '@org/formats/parquet';

/** What tells one series from another, and what there is to say of it. */
export interface RowSeries {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly description: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
}

/** Rows of one series that follow each other in a file, all in one batch. */
export interface RowRun {
  /** Place of the series in the file. */
  readonly place: number;
  readonly series: RowSeries;
  readonly batch: RowBatch;
  /** Rows [from, to) of the batch. */
  readonly from: number;
  readonly to: number;
}

const IDENTITY = ['endpoint_url', 'metric_name', 'metric_type', 'unit', 'description'] as const;

/**
 * The rows of a Parquet export, series by series as they stand there. A series ends where another begins, or, when its rows
 * go back in time, where another of the same labels does (one told apart by a label that has no column).
 */
export async function* rowRuns(
  reader: ServerMetricsParquetReader,
  values: readonly string[],
): AsyncGenerator<RowRun> {
  const labels = reader.columns
    .filter(({ name, type }) => type === 'string' && !RESERVED_COLUMNS.includes(name))
    .map(({ name }) => name);
  const columns = [...IDENTITY, 'timestamp_ns', 'bucket_le', ...labels, ...values];
  let place = -1;
  let known: { readonly key: string; readonly series: RowSeries } | undefined;
  let lastNs: bigint | undefined;
  let lastBound: string | null = null;
  for await (const batch of reader.batches({ columns })) {
    const texts = [...IDENTITY, ...labels].map(name => getTexts(batch, name));
    const times = getInt64s(batch, 'timestamp_ns').values;
    const bounds = getTexts(batch, 'bucket_le');
    let from = 0;
    for (let row = 0; row < batch.rows; row++) {
      const isSame = row > 0 && texts.every(({ codes }) => codes[row] === codes[row - 1]);
      const bound = textAt(bounds, row);
      if (!isSame) {
        const series = seriesAt(texts, labels, row);
        const key = JSON.stringify(series);
        if (key !== known?.key || restarts(lastNs, lastBound, times[row]!, bound)) {
          if (known && row > from) yield { place, series: known.series, batch, from, to: row };
          from = row;
          place++;
          known = { key, series };
        }
      } else if (restarts(lastNs, lastBound, times[row]!, bound)) {
        yield { place, series: known!.series, batch, from, to: row };
        from = row;
        place++;
      }
      lastNs = times[row]!;
      lastBound = bound;
    }
    if (known && batch.rows > from) yield { place, series: known.series, batch, from, to: batch.rows };
  }
}

/** Within a series time rises, and of one time the bounds do. */
function restarts(
  lastNs: bigint | undefined,
  lastBound: string | null,
  ns: bigint,
  bound: string | null,
): boolean {
  if (lastNs === undefined || ns > lastNs) return false;
  return ns < lastNs || bound === null || lastBound === null || boundOf(bound) <= boundOf(lastBound);
}

/** A bound as a number. */
export function boundOf(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}

function seriesAt(texts: readonly TextValues[], labels: readonly string[], row: number): RowSeries {
  const [url, name, type, unit, description, ...values] = texts.map(column => textAt(column, row));
  return {
    url: url!,
    name: name!,
    type: type!,
    unit: unit ?? null,
    description: description ?? '',
    labels: values.flatMap((value, at) => (value === null ? [] : [[labels[at]!, value!] as const])),
  };
}

/** The text of a row; null when it has none. */
export function textAt({ codes, texts }: TextValues, row: number): string | null {
  const code = codes[row]!;
  return code < 0 ? null : texts[code]!;
}
