import {
  getInt64s,
  getTexts,
  listSeriesLabelColumns,
  type RowBatch,
  type ServerMetricsParquetReader,
  type TextValues,
} from '@org/formats/parquet';
import { parseBound } from '@org/formats/read';

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
export interface RowRange {
  /** Position of the series in the file, starting at 0. */
  readonly position: number;
  readonly series: RowSeries;
  readonly batch: RowBatch;
  /** Rows [from, to) of the batch. */
  readonly from: number;
  readonly to: number;
}

/** Columns that identify and describe a series, except for labels. */
const IDENTITY_COLUMNS = ['endpoint_url', 'metric_name', 'metric_type', 'unit', 'description'] as const;

/** A series and the last of its rows that has been read. */
interface SeriesEnd {
  readonly position: number;
  readonly series: RowSeries;
  lastNs: bigint;
  lastBound: string | null;
}

export interface RowOptions {
  /**
   * True if the rows of a series are adjacent, as in files that Servelens writes. Other programs order rows
   * by time, which spreads the rows of a series over the file.
   */
  readonly isContiguous: boolean;
}

/**
 * Yields the rows of a Parquet export in file order, as ranges of one series each. If timestamps decrease
 * although the identity columns and labels are unchanged, a new series starts, which differs only in a label
 * that has no column.
 */
export async function* readRowRanges(
  reader: ServerMetricsParquetReader,
  valueColumns: readonly string[],
  { isContiguous }: RowOptions,
): AsyncGenerator<RowRange> {
  const labels = listSeriesLabelColumns(reader);
  const columns = [...IDENTITY_COLUMNS, 'timestamp_ns', 'bucket_le', ...labels, ...valueColumns];
  const seriesEnds = new Map<string, SeriesEnd>();
  let seriesCount = 0;
  let current: SeriesEnd | undefined;
  for await (const batch of reader.batches({ columns })) {
    const texts = [...IDENTITY_COLUMNS, ...labels].map(name => getTexts(batch, name));
    const times = getInt64s(batch, 'timestamp_ns').values;
    const bounds = getTexts(batch, 'bucket_le');
    let from = 0;
    for (let row = 0; row < batch.rows; row++) {
      const isSameIdentity = row > 0 && texts.every(({ codes }) => codes[row] === codes[row - 1]);
      const ns = times[row]!;
      const bound = readText(bounds, row);
      if (!isSameIdentity || startsSeries(current!, ns, bound)) {
        const series = isSameIdentity ? current!.series : readSeries(texts, labels, row);
        const key = JSON.stringify(series);
        let end = seriesEnds.get(key);
        if (!end || (isContiguous && end !== current) || startsSeries(end, ns, bound)) {
          end = { position: seriesCount++, series, lastNs: ns, lastBound: bound };
          seriesEnds.set(key, end);
        }
        if (end !== current) {
          if (current && row > from)
            yield { position: current.position, series: current.series, batch, from, to: row };
          from = row;
          current = end;
        }
      }
      current!.lastNs = ns;
      current!.lastBound = bound;
    }
    if (current && batch.rows > from)
      yield { position: current.position, series: current.series, batch, from, to: batch.rows };
  }
}

/**
 * Reports whether a row starts a new series: within a series, timestamps ascend, and rows with the same
 * timestamp have ascending bucket bounds.
 */
function startsSeries({ lastNs, lastBound }: SeriesEnd, ns: bigint, bound: string | null): boolean {
  if (ns > lastNs) return false;
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
