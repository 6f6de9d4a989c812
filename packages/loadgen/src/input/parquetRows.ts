import { describeSystemError } from '@org/core';
import { InputError } from './inputError.ts';
import type { Fields } from './inputFile.ts';

/** The rows of a Parquet file, and the names of all columns of the file. */
export interface ParquetRows {
  readonly rows: readonly Fields[];
  readonly columns: readonly string[];
}

/**
 * Reads columns of a Parquet file. `selectColumns` returns the columns to read, and may throw an `InputError`. Rejects with an
 * `InputError` if the file cannot be read.
 */
export async function readParquetRows(
  path: string,
  selectColumns: (columns: readonly string[]) => readonly string[],
): Promise<ParquetRows> {
  // Most runs read no Parquet files.
  const [parquet, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const file = await parquet.asyncBufferFromFile(path);
  try {
    const metadata = await parquet.parquetMetadataAsync(file);
    const columns = parquet.parquetSchema(metadata).children.map(({ element }) => element.name);
    const names = [...selectColumns(columns)];
    const rows = await parquet.parquetReadObjects({ file, metadata, columns: names, compressors });
    return { rows: rows as Fields[], columns };
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${path} cannot be read as Parquet: ${describeSystemError(error)}`);
  }
}
