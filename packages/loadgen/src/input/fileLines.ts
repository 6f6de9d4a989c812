import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError } from './inputError.ts';

/** Maximum length of a line or of an object, in bytes. A device such as `/dev/zero` has no line ends. */
export const MAX_LINE_BYTES: number = 1 << 27;

/** Returns the sorted paths of the files of a folder whose names end with `suffix`; the path itself if it is a file. */
export async function listFiles(
  path: string,
  suffix: string,
  { recursive = false }: { readonly recursive?: boolean } = {},
): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive, withFileTypes: true });
  const files = entries
    .filter(entry => entry.isFile() && entry.name.endsWith(suffix))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
  if (files.length > 0) return files;
  throw new InputError(`${path} is a folder without ${suffix === '' ? '' : `${suffix} `}files`);
}

/** Reads the bytes of a file; a file whose name ends with `.gz` is decompressed. */
export function readChunks(path: string): AsyncIterable<Buffer> {
  const file = createReadStream(path);
  if (!path.endsWith('.gz')) return file as AsyncIterable<Buffer>;
  return decompress(path, file);
}

async function* decompress(path: string, file: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  try {
    // The error of a failed pipeline also reaches the loop.
    yield* pipeline(file, createGunzip(), () => undefined) as unknown as AsyncIterable<Buffer>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new InputError(`${path} is not a valid gzip file: ${(error as Error).message}`);
  }
}

/**
 * Reads a file line by line. Lines end only at line feeds; `node:readline` also ends them at U+2028, which strings of
 * JSON may contain.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let lineBytes = 0;
  for await (const chunk of readChunks(path)) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString();
      parts = [];
      lineBytes = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    lineBytes += chunk.length - from;
    if (lineBytes > MAX_LINE_BYTES) throw new InputError(`${path} has a line of more than 128 MiB`);
  }
  if (lineBytes > 0) yield Buffer.concat(parts).toString();
}
