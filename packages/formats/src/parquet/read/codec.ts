import * as zlib from 'node:zlib';
import { ParquetError } from '../error.ts';
import { CODECS } from './layout.ts';
import { snappyUncompress } from './snappy.ts';

type Zlib = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/**
 * Unpacks a page body that must have `size` bytes.
 *
 * @throws {ParquetError} when it has not, or the codec is not one of UNCOMPRESSED, SNAPPY, GZIP, BROTLI and, with a Node
 * that has it, ZSTD
 */
export function uncompress(codec: number, bytes: Uint8Array, size: number): Uint8Array {
  const name = CODECS[codec];
  // Pages without a value may have no bytes at all, which no codec unpacks.
  if (size === 0 && bytes.length === 0) return bytes;
  const unpacked = name === 'SNAPPY' ? snappyUncompress(bytes, size) : other(name, codec, bytes, size);
  if (unpacked.length !== size) {
    throw new ParquetError('page', `a page has ${unpacked.length} bytes and says ${size}`);
  }
  return unpacked;
}

function other(
  name: (typeof CODECS)[number] | undefined,
  codec: number,
  bytes: Uint8Array,
  size: number,
): Uint8Array {
  if (name === 'UNCOMPRESSED') return bytes;
  if (name === 'GZIP') return unzip(zlib.gunzipSync, name, bytes, size);
  if (name === 'BROTLI') return unzip(zlib.brotliDecompressSync, name, bytes, size);
  // Node has it from 22.15 on; the types are those of Node 20.
  const zstd = (zlib as { zstdDecompressSync?: Zlib }).zstdDecompressSync;
  if (name === 'ZSTD' && zstd) return unzip(zstd, name, bytes, size);
  const needed = name === 'ZSTD' ? 'this Node cannot unpack ZSTD, from 22.15 on it can' : 'not supported';
  throw new ParquetError(
    'unsupported',
    `pages are packed with ${name ?? `codec ${codec}`}: ${needed}; SNAPPY, GZIP, BROTLI and UNCOMPRESSED are accepted`,
  );
}

function unzip(method: Zlib, name: string, bytes: Uint8Array, size: number): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  try {
    return method(bytes, { maxOutputLength: size });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ParquetError('page', `cannot unpack ${bytes.length} bytes of ${name}: ${reason}`, { cause });
  }
}
