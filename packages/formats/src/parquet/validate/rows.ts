import { FIXED_COLUMNS, VALUE_COLUMNS } from '../columns.ts';
import {
  type DoubleValues,
  getDoubles,
  getInt64s,
  getTexts,
  type Int64Values,
  type RowBatch,
  type TextValues,
} from '../read/batch.ts';
import type { ParquetColumn } from '../read/schema.ts';
import { METRIC_TYPES } from '../series.ts';
import { type Findings, locateCell } from './findings.ts';
import { getText, IdentityTracker, NEW_SERIES, SAME } from './identity.ts';
import type { MetadataSummary } from './metadata.ts';
import { MetricChecker } from './metrics.ts';
import { Observation } from './observation.ts';
import { OrderChecker } from './order.ts';
import { listLabelColumns } from './schema.ts';
import { TimeChecker } from './time.ts';

const HISTOGRAM_COLUMNS = ['sum', 'count', 'bucket_count'] as const;

/** The columns of a batch that are needed to check rows. */
interface Rows {
  readonly firstRow: number;
  readonly timestamps: Int64Values;
  readonly endpoint: TextValues;
  readonly metric: TextValues;
  readonly type: TextValues;
  readonly bucketLe: TextValues;
  readonly value: DoubleValues;
  readonly sum: DoubleValues;
  readonly count: DoubleValues;
  readonly bucket_count: DoubleValues;
}

/** Checks rows batch by batch. Memory use does not depend on the size of the file. */
export class RowChecker {
  readonly #findings: Findings;
  readonly #identity: IdentityTracker = new IdentityTracker();
  readonly #observation: Observation;
  readonly #time: TimeChecker;
  readonly #order: OrderChecker;
  readonly #metrics: MetricChecker;
  readonly #identityColumns: readonly string[];

  constructor(columns: readonly ParquetColumn[], metadata: MetadataSummary, findings: Findings) {
    this.#findings = findings;
    this.#observation = new Observation(findings);
    this.#time = new TimeChecker(metadata, findings);
    this.#order = new OrderChecker(findings);
    this.#metrics = new MetricChecker(metadata, findings);
    const labels = listLabelColumns(columns).filter(column => column.type === 'string');
    this.#identityColumns = [
      'endpoint_url',
      'metric_name',
      'metric_type',
      ...labels.map(label => label.name),
    ];
  }

  /** Reports whether all columns that are needed to check rows exist and have the expected type. */
  static canCheck(columns: readonly ParquetColumn[]): boolean {
    const names = columns.map(column => column.name);
    if (new Set(names).size !== names.length) return false;
    return [...FIXED_COLUMNS, ...VALUE_COLUMNS].every(({ name, type }) =>
      columns.some(column => column.name === name && column.type === type),
    );
  }

  check(batch: RowBatch): void {
    const timestamps = getInt64s(batch, 'timestamp_ns');
    const rows: Rows = {
      firstRow: batch.firstRow,
      timestamps,
      endpoint: getTexts(batch, 'endpoint_url'),
      metric: getTexts(batch, 'metric_name'),
      type: getTexts(batch, 'metric_type'),
      bucketLe: getTexts(batch, 'bucket_le'),
      value: getDoubles(batch, 'value'),
      sum: getDoubles(batch, 'sum'),
      count: getDoubles(batch, 'count'),
      bucket_count: getDoubles(batch, 'bucket_count'),
    };
    this.#checkNulls(batch);
    const identity = this.#identityColumns.map(name => getTexts(batch, name));
    const starts = this.#identity.findStarts(batch.rows, identity, timestamps);
    this.#time.check(batch.firstRow, timestamps, rows.endpoint, starts);
    this.#order.check(batch.firstRow, identity, timestamps, starts);
    this.#metrics.check(batch.firstRow, batch.rows, { ...rows, unit: getTexts(batch, 'unit') });
    this.#checkTypes(rows, batch.rows, starts);
  }

  /** Checks pending rows after the last batch. */
  finish(): void {
    this.#observation.finish();
    this.#metrics.finish();
  }

  #checkNulls(batch: RowBatch): void {
    for (const { name } of FIXED_COLUMNS.filter(column => !column.nullable)) {
      const column = batch.columns.get(name)!;
      const row = column.type === 'string' ? column.codes.indexOf(-1) : (column.present?.indexOf(0) ?? -1);
      if (row < 0) continue;
      this.#findings.add('parquet-null', locateCell(batch.firstRow + row, name), 'is null; expected a value');
    }
  }

  #checkTypes(rows: Rows, length: number, starts: Uint8Array): void {
    const { type } = rows;
    const histogram = type.texts.indexOf('histogram');
    const counter = type.texts.indexOf('counter');
    const isKnownType = type.texts.map(text => (METRIC_TYPES as readonly string[]).includes(text));
    for (let row = 0; row < length; row++) {
      const code = type.codes[row]!;
      if (code < 0) continue;
      if (code === histogram) this.#checkHistogram(rows, row, starts[row]!);
      else if (isKnownType[code]) this.#checkScalar(rows, row, code === counter, starts[row]!);
      else if (starts[row] !== SAME) this.#reportUnknownType(rows, row);
    }
  }

  #reportUnknownType(rows: Rows, row: number): void {
    const type = getText(rows.type, row);
    const message = `is ${JSON.stringify(type)}; expected one of ${METRIC_TYPES.join(', ')}`;
    this.#findings.add('parquet-metric-type', locateCell(rows.firstRow + row, 'metric_type'), message, type);
  }

  #checkScalar(rows: Rows, row: number, isCounter: boolean, start: number): void {
    if (start === SAME && rows.timestamps.present?.[row] !== 0) this.#reportRepeated(rows, row);
    if (isPresent(rows.sum, row) || isPresent(rows.count, row) || isPresent(rows.bucket_count, row)) {
      this.#reportFields(rows, row, 'has a sum, count or bucket_count, which only histograms have');
    } else if (rows.bucketLe.codes[row]! >= 0) {
      this.#reportFields(rows, row, 'has a bucket_le, which only histograms have');
    }
    if (isPresent(rows.value, row)) this.#checkNumber(rows, row, 'value', isCounter);
    else this.#reportFields(rows, row, 'has no value');
  }

  #reportRepeated(rows: Rows, row: number): void {
    const subject = `${getText(rows.type, row)} ${getText(rows.metric, row)}`;
    const message = `${subject} has the same endpoint, labels and timestamp as the previous row`;
    this.#findings.add('parquet-row-repeated', locateCell(rows.firstRow + row), message);
  }

  #checkHistogram(rows: Rows, row: number, start: number): void {
    if (isPresent(rows.value, row))
      this.#reportFields(rows, row, 'has a value, which histograms do not have');
    const isComplete =
      rows.bucketLe.codes[row]! >= 0 && isPresent(rows.count, row) && isPresent(rows.bucket_count, row);
    if (!isComplete) {
      this.#reportFields(rows, row, 'needs sum, count, bucket_le and bucket_count');
      return;
    }
    for (const column of HISTOGRAM_COLUMNS)
      if (isPresent(rows[column], row)) this.#checkNumber(rows, row, column, column !== 'sum');
    // Without a timestamp, it is unknown which buckets belong together.
    if (rows.timestamps.present?.[row] === 0) return;
    // A server may expose no sum.
    const sum = isPresent(rows.sum, row) ? rows.sum.values[row]! : 0;
    const count = rows.count.values[row]!;
    if (start === NEW_SERIES) this.#observation.beginSeries(getText(rows.metric, row) ?? '');
    if (start !== SAME) this.#observation.beginTimestamp(sum, count);
    const le = getText(rows.bucketLe, row)!;
    this.#observation.add(rows.firstRow + row, le, rows.bucket_count.values[row]!, sum, count);
  }

  #checkNumber(
    rows: Rows,
    row: number,
    column: 'value' | (typeof HISTOGRAM_COLUMNS)[number],
    isDelta: boolean,
  ): void {
    const number = rows[column].values[row]!;
    // x - x is 0 for every finite number and NaN for all others.
    if (number - number !== 0) {
      const message = `of ${getText(rows.metric, row)} is ${number}; expected a finite number`;
      this.#findings.add('parquet-number', locateCell(rows.firstRow + row, column), message, String(number));
    } else if (isDelta && number < 0) {
      const message = `of ${getText(rows.metric, row)} is ${number}; expected 0 or more, because deltas are clamped`;
      this.#findings.add('parquet-negative', locateCell(rows.firstRow + row, column), message, number);
    }
  }

  #reportFields(rows: Rows, row: number, problem: string): void {
    const subject = `${getText(rows.type, row)} ${getText(rows.metric, row)}`;
    this.#findings.add('parquet-fields', locateCell(rows.firstRow + row), `${subject} ${problem}`);
  }
}

function isPresent({ present }: DoubleValues, row: number): boolean {
  return present === undefined || present[row] === 1;
}
