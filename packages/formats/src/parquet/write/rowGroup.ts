import type { ByteSink } from '../bytes.ts';
import {
  type Column,
  compareCodePoints,
  FIXED_COLUMNS,
  isReserved,
  listColumns,
  VALUE_COLUMNS,
} from '../columns.ts';
import { countRows, type SeriesChunk } from '../series.ts';
import { ColumnBuffer } from './columnBuffer.ts';
import type { ColumnChunkEncoder } from './columnChunk.ts';
import { NULL_CODE } from './runs.ts';
import { int64, parquet } from './thrift.ts';

/**
 * Maximum total length of the distinct strings of a column, in UTF-16 code units; if it is exceeded, the row
 * group ends. Readers keep dictionaries in memory, and some limit them to 10 MB.
 */
const MAX_DICTIONARY_TEXT = 1 << 22;

/** The rows of the current row group, by column. */
export class RowGroupBuffer {
  rows = 0;
  readonly #columns: readonly ColumnBuffer[];
  /** The columns that are written to the file. */
  readonly #writtenColumns: readonly ColumnBuffer[];
  readonly #metricIndex: number;
  readonly #labelColumns: readonly string[];
  #lastMetric = '';
  #isSorted = true;

  constructor(labelColumns: readonly string[], columns: readonly Column[] = listColumns(labelColumns)) {
    const names = columns.map(column => column.name);
    this.#labelColumns = labelColumns;
    this.#columns = listColumns(labelColumns).map(
      column => new ColumnBuffer(columns.find(({ name }) => name === column.name) ?? column),
    );
    this.#writtenColumns = this.#columns.filter(({ column }) => names.includes(column.name));
    this.#metricIndex = names.indexOf('metric_name');
  }

  /**
   * Returns the values of the label columns for a series.
   *
   * @throws {RangeError} if a label has no column
   */
  listLabelValues(chunk: SeriesChunk): (string | null)[] {
    const values = new Map(chunk.labels.filter(([name]) => !isReserved(name)));
    const row = this.#labelColumns.map(name => {
      const value = values.get(name);
      values.delete(name);
      return value ?? null;
    });
    for (const name of values.keys()) {
      throw new RangeError(
        `cannot write series ${chunk.metricName} of ${chunk.endpointUrl}: label ${JSON.stringify(name)} is not in labelColumns`,
      );
    }
    return row;
  }

  /**
   * Reports whether to end the row group before `chunk`. It ends if it is at least half full and the chunk
   * either belongs to another metric, so that readers can skip row groups by metric, or would be split, which
   * would store its timestamps twice.
   */
  endsBefore(chunk: SeriesChunk, rowGroupRows: number): boolean {
    if (this.rows * 2 < rowGroupRows) return false;
    return chunk.metricName !== this.#lastMetric || this.rows + countRows(chunk) > rowGroupRows;
  }

  /** Reports whether the row group must end: it has `rowGroupRows` rows, or too much distinct text. */
  isFull(rowGroupRows: number): boolean {
    return (
      this.rows >= rowGroupRows || this.#columns.some(column => column.texts.textLength > MAX_DICTIONARY_TEXT)
    );
  }

  /** Adds the rows of the timestamps with index `from` to `to` - 1. */
  push(chunk: SeriesChunk, labels: readonly (string | null)[], from: number, to: number): void {
    const perTimestamp = chunk.histogram ? chunk.histogram.bounds.length : 1;
    const rows = (to - from) * perTimestamp;
    if (this.rows > 0 && compareCodePoints(this.#lastMetric, chunk.metricName) > 0) this.#isSorted = false;
    this.#lastMetric = chunk.metricName;
    const texts = [
      chunk.endpointUrl,
      chunk.metricName,
      chunk.metricType,
      chunk.unit,
      chunk.description || null,
    ];
    texts.forEach((text, i) => {
      this.#columns[i]!.pushText(text, rows);
    });
    this.#columns[texts.length]!.pushWords(chunk.timestampsNs, from, to, perTimestamp);
    labels.forEach((label, i) => {
      this.#columns[FIXED_COLUMNS.length + i]!.pushText(label, rows);
    });
    this.#pushValues(chunk, from, to);
    this.rows += rows;
  }

  #pushValues(chunk: SeriesChunk, from: number, to: number): void {
    const [value, sum, count, bucketLe, bucketCount] = this.#columns.slice(-VALUE_COLUMNS.length) as [
      ColumnBuffer,
      ColumnBuffer,
      ColumnBuffer,
      ColumnBuffer,
      ColumnBuffer,
    ];
    if (chunk.values) {
      value.pushWords(chunk.values, from, to, 1);
      for (const column of [sum, count, bucketLe, bucketCount]) column.runs.push(NULL_CODE, to - from);
    } else if (chunk.histogram) {
      const perTimestamp = chunk.histogram.bounds.length;
      value.runs.push(NULL_CODE, (to - from) * perTimestamp);
      if (chunk.histogram.sums) sum.pushWords(chunk.histogram.sums, from, to, perTimestamp);
      else sum.runs.push(NULL_CODE, (to - from) * perTimestamp);
      count.pushWords(chunk.histogram.counts, from, to, perTimestamp);
      bucketLe.pushBounds(chunk.histogram.bounds, to - from);
      bucketCount.pushBuckets(chunk.histogram.bucketCounts, from, to);
    }
  }

  encode(encoder: ColumnChunkEncoder, out: ByteSink, offset: number, ordinal: number): parquet.RowGroup {
    const start = offset + out.length;
    const columns = this.#writtenColumns.map(column => encoder.encode(column, out, offset));
    const sumSizes = (size: 'total_uncompressed_size' | 'total_compressed_size'): number =>
      columns.reduce((sum, column) => sum + Number(column.meta_data![size]), 0);
    return new parquet.RowGroup({
      columns,
      total_byte_size: int64(sumSizes('total_uncompressed_size')),
      num_rows: int64(this.rows),
      file_offset: int64(start),
      total_compressed_size: int64(sumSizes('total_compressed_size')),
      ...(this.#isSorted &&
        this.#metricIndex >= 0 && { sorting_columns: [createAscendingOrder(this.#metricIndex)] }),
      // The field has 16 bits, so it is omitted for later row groups.
      ...(ordinal < 1 << 15 && { ordinal }),
    });
  }

  clear(): void {
    this.rows = 0;
    this.#isSorted = true;
    for (const column of this.#columns) column.clear();
  }
}

function createAscendingOrder(column_idx: number): parquet.SortingColumn {
  return new parquet.SortingColumn({ column_idx, descending: false, nulls_first: false });
}
