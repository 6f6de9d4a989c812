import { ParquetError } from '../error.ts';
import { type FileLayout, readLayout } from './layout.ts';
import type { Source } from './source.ts';

const MAGIC = 'PAR1';
/** The footer of 5,000 row groups with 30 columns has about 15 MB. */
const MAX_FOOTER_BYTES = 1 << 26;
/** Even constant metrics need a byte for a few hundred rows, because timestamps and buckets differ. */
const MAX_ROWS_PER_BYTE = 1024;

/** @throws {ParquetError} if the source is not a Parquet file or its footer is corrupt */
export async function readFooter(source: Source): Promise<FileLayout> {
  const { size } = source;
  if (size < 12) throw new ParquetError('magic', `not a Parquet file: ${size} bytes, expected at least 12`);
  const head = Buffer.from(await source.read(0, 4)).toString('latin1');
  const tail = Buffer.from(await source.read(size - 8, 8));
  const end = tail.toString('latin1', 4);
  if (head !== MAGIC || end !== MAGIC) {
    throw new ParquetError(
      'magic',
      `not a Parquet file, or truncated: it starts with ${JSON.stringify(head)} and ends with ${JSON.stringify(end)}, expected "${MAGIC}"`,
    );
  }
  const length = tail.readUInt32LE(0);
  if (length > size - 12) {
    throw new ParquetError(
      'footer',
      `the footer states a length of ${length} bytes in a file of ${size} bytes`,
    );
  }
  if (length > MAX_FOOTER_BYTES) {
    throw new ParquetError('limit', `the footer has ${length} bytes; the limit is ${MAX_FOOTER_BYTES}`);
  }
  const layout = readLayout(await source.read(size - 8 - length, length), size);
  if (layout.rows > size * MAX_ROWS_PER_BYTE) {
    throw new ParquetError(
      'limit',
      `the file states ${layout.rows} rows, which cannot fit into its ${size} bytes`,
    );
  }
  return layout;
}
