import { ParquetError } from '../error.ts';
import { type FileLayout, readLayout } from './layout.ts';
import type { Source } from './source.ts';

const MAGIC = 'PAR1';
/** 5,000 row groups with 30 columns have a footer of about 15 MB. */
const MAX_FOOTER = 1 << 26;
/** Even a file of constants needs a byte for some hundred rows: its timestamps and buckets differ. */
const MAX_ROWS_PER_BYTE = 1024;

/** @throws {ParquetError} when it is not a Parquet file or its footer is broken */
export async function readFooter(source: Source): Promise<FileLayout> {
  const { size } = source;
  if (size < 12)
    throw new ParquetError('magic', `a file of ${size} bytes is no Parquet file; 12 are the least`);
  const head = Buffer.from(await source.read(0, 4)).toString('latin1');
  const tail = Buffer.from(await source.read(size - 8, 8));
  const end = tail.toString('latin1', 4);
  if (head !== MAGIC || end !== MAGIC) {
    throw new ParquetError(
      'magic',
      `a Parquet file begins and ends with ${MAGIC}; this one has ${JSON.stringify(head)} and ${JSON.stringify(end)}, so it is another kind of file or was cut off`,
    );
  }
  const length = tail.readUInt32LE(0);
  if (length > size - 12) {
    throw new ParquetError('footer', `the footer says it has ${length} bytes in a file of ${size}`);
  }
  if (length > MAX_FOOTER) {
    throw new ParquetError('limit', `a footer of ${length} bytes; ${MAX_FOOTER} at most are read`);
  }
  const layout = readLayout(await source.read(size - 8 - length, length), size);
  if (layout.rows > size * MAX_ROWS_PER_BYTE) {
    throw new ParquetError(
      'limit',
      `a file of ${size} bytes cannot hold the ${layout.rows} rows that it claims`,
    );
  }
  return layout;
}
