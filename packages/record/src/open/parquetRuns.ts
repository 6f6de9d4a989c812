import {
  getInt64s,
  getTexts,
  RESERVED_COLUMNS,
  type RowBatch,
  type ServerMetricsParquetReader,
  type TextValues,
} from '@org/formats/parquet';
import { parseBound } from './jsonlStores.ts';

/** The identity and description of a series. */
export interface RowSeries {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly description: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
}

/** Consecutive rows of one series within one batch. */
export interface RowRun {
  /** Position of the series in the file, starting at 0. */
  readonly position: number;
  readonly series: RowSeries;
  readonly batch: RowBatch;
  /** Rows [from, to) of the batch. */
  readonly from: number;
  readonly to: number;
}

const IDENTITY = ['endpoint_url', 'metric_name', 'metric_type', 'unit', 'description'] as const;

/**
 * Yields the rows of a Parquet export, grouped into runs of one series, in file order. A series ends where the identity
 * columns change, or where its timestamps go backwards: then a second series with the same columns follows, which differs
 * only in a label that has no column.
 */
export async function* readRowRuns(
  reader: ServerMetricsParquetReader,
  values: readonly string[],
): AsyncGenerator<RowRun> {
  const labels = reader.columns
    .filter(({ name, type }) => type === 'string' && !RESERVED_COLUMNS.includes(name))
    .map(({ name }) => name);
  const columns = [...IDENTITY, 'timestamp_ns', 'bucket_le', ...labels, ...values];
  let position = -1;
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
      const bound = readText(bounds, row);
      if (!isSame) {
        const series = readSeries(texts, labels, row);
        const key = JSON.stringify(series);
        if (key !== known?.key || startsOver(lastNs, lastBound, times[row]!, bound)) {
          if (known && row > from) yield { position, series: known.series, batch, from, to: row };
          from = row;
          position++;
          known = { key, series };
        }
      } else if (startsOver(lastNs, lastBound, times[row]!, bound)) {
        yield { position, series: known!.series, batch, from, to: row };
        from = row;
        position++;
      }
      lastNs = times[row]!;
      lastBound = bound;
    }
    if (known && batch.rows > from) yield { position, series: known.series, batch, from, to: batch.rows };
  }
}

/** Within a series, timestamps ascend, and rows with the same timestamp have ascending bucket bounds. */
function startsOver(
  lastNs: bigint | undefined,
  lastBound: string | null,
  ns: bigint,
  bound: string | null,
): boolean {
  if (lastNs === undefined || ns > lastNs) return false;
  return ns < lastNs || bound === null || lastBound === null || parseBound(bound) <= parseBound(lastBound);
}

function readSeries(texts: readonly TextValues[], labels: readonly string[], row: number): RowSeries {
  const [url, name, type, unit, description, ...values] = texts.map(column => readText(column, row));
  return {
    url: url!,
    name: name!,
    type: type!,
    unit: unit ?? null,
    description: description ?? '',
    labels: values.flatMap((value, at) => (value === null ? [] : [[labels[at]!, value!] as const])),
  };
}

/** Returns the text of a row; null if the cell is empty. */
export function readText({ codes, texts }: TextValues, row: number): string | null {
  const code = codes[row]!;
  return code < 0 ? null : texts[code]!;
}
