import { PARQUET_LIBRARY_VERSION } from '../metadata.ts';

/** Parquet cannot be written because the package that does it is not installed. */
export class ParquetLibraryError extends Error {
  override readonly name = 'ParquetLibraryError';
}

/** `@dsnp/parquetjs@1.8.8`, as package managers want it. */
const WANTED = PARQUET_LIBRARY_VERSION.replace(' ', '@');

/**
 * Loads what needs `@dsnp/parquetjs`, an optional peer: with all that it brings it has 42 MB, half of it an S3 client, which those
 * who read and validate Parquet do without.
 *
 * @throws ParquetLibraryError when it is not there
 */
export async function withLibrary<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ParquetLibraryError(
      `cannot write Parquet: the package @dsnp/parquetjs is not installed beside @org/formats; install it with npm install ${WANTED} (reading and validating Parquet do without)`,
      { cause: error },
    );
  }
}

function isMissing(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes('@dsnp/parquetjs');
}
