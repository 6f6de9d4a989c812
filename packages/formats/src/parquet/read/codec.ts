import * as zlib from 'node:zlib';
import { ParquetError } from '../error.ts';
import { CODECS } from './footer.ts';
import { snappyUncompress } from './snappy.ts';

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/**
 * Decompresses a page to `size` bytes.
 *
 * @throws {ParquetError} if the page is corrupt or does not have `size` bytes, or if the codec is not
 * UNCOMPRESSED, SNAPPY, GZIP, BROTLI or, in Node versions that support it, ZSTD
 */
export function uncompress(codec: number, bytes: Uint8Array, size: number): Uint8Array {
  const name = CODECS[codec];
  // Pages without values can be empty, and decompressors reject empty input.
  if (size === 0 && bytes.length === 0) return bytes;
  const unpacked =
    name === 'SNAPPY' ? snappyUncompress(bytes, size) : uncompressOther(name, codec, bytes, size);
  if (unpacked.length !== size) {
    throw new ParquetError('page', `a page has ${unpacked.length} bytes, but its header states ${size}`);
  }
  return unpacked;
}

function uncompressOther(
  name: (typeof CODECS)[number] | undefined,
  codec: number,
  bytes: Uint8Array,
  size: number,
): Uint8Array {
  if (name === 'UNCOMPRESSED') return bytes;
  if (name === 'GZIP') return uncompressWith(zlib.gunzipSync, name, bytes, size);
  if (name === 'BROTLI') return uncompressWith(zlib.brotliDecompressSync, name, bytes, size);
  // Available since Node 22.15, but not declared in the types, which are for Node 20.
  const zstd = (zlib as { zstdDecompressSync?: Decompress }).zstdDecompressSync;
  if (name === 'ZSTD' && zstd) return uncompressWith(zstd, name, bytes, size);
  const reason = name === 'ZSTD' ? 'requires Node 22.15 or newer' : 'not supported';
  throw new ParquetError(
    'unsupported',
    `compression ${name ?? `codec ${codec}`}: ${reason}; expected SNAPPY, GZIP, BROTLI or UNCOMPRESSED`,
  );
}

function uncompressWith(decompress: Decompress, name: string, bytes: Uint8Array, size: number): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  try {
    return decompress(bytes, { maxOutputLength: size });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ParquetError('page', `cannot decompress ${bytes.length} bytes of ${name}: ${reason}`, {
      cause,
    });
  }
}
