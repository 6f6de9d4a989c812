import { isReserved } from '../columns.ts';
import type { ParquetWriterOptions } from './contract.ts';

/** Dictionary codes have at most 24 bits, and readers hold a row group in memory. */
const MAX_ROW_GROUP_ROWS = 1 << 22;

/** @throws {RangeError} for invalid options; see `openServerMetricsParquet` */
export function checkOptions({ labelColumns, rowGroupRows }: ParquetWriterOptions): void {
  const taken = labelColumns.find(isReserved);
  if (taken !== undefined) {
    throw new RangeError(`label column ${JSON.stringify(taken)} has a reserved name; omit it`);
  }
  const twice = labelColumns.find((name, i) => labelColumns.indexOf(name) !== i);
  if (twice !== undefined) throw new RangeError(`label column ${JSON.stringify(twice)} is a duplicate`);
  if (rowGroupRows === undefined) return;
  if (!Number.isInteger(rowGroupRows) || rowGroupRows < 1 || rowGroupRows > MAX_ROW_GROUP_ROWS) {
    throw new RangeError(
      `rowGroupRows is ${rowGroupRows}; expected an integer from 1 to ${MAX_ROW_GROUP_ROWS}`,
    );
  }
}
