import { isReserved } from '../columns.ts';
import type { ParquetWriterOptions } from './contract.ts';

/** Codes of a dictionary have 24 bits at most, and the reader of a row group must hold it. */
const MAX_ROW_GROUP_ROWS = 1 << 22;

/** @throws {RangeError} as `openServerMetricsParquet` does */
export function checkOptions({ labelColumns, rowGroupRows }: ParquetWriterOptions): void {
  const taken = labelColumns.find(isReserved);
  if (taken !== undefined) {
    throw new RangeError(`label column ${JSON.stringify(taken)} has a reserved name; leave it out`);
  }
  const twice = labelColumns.find((name, i) => labelColumns.indexOf(name) !== i);
  if (twice !== undefined) throw new RangeError(`label column ${JSON.stringify(twice)} is there twice`);
  if (rowGroupRows === undefined) return;
  if (!Number.isInteger(rowGroupRows) || rowGroupRows < 1 || rowGroupRows > MAX_ROW_GROUP_ROWS) {
    throw new RangeError(
      `rowGroupRows is ${rowGroupRows}; an integer from 1 to ${MAX_ROW_GROUP_ROWS} is accepted`,
    );
  }
}
