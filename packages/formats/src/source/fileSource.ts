import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HEAD_BYTES, MAX_TEXT_BYTES, type Source, UnreadableError } from './source.ts';
import { openStreamSource } from './streamSource.ts';

/**
 * Opens a file, a folder, or a special file that can be read only once, such as a named pipe.
 *
 * @throws an error of the file system if the path cannot be read
 */
export async function openFile(location: string | URL): Promise<Source> {
  const path = typeof location === 'string' ? location : fileURLToPath(location);
  const stats = await stat(path);
  if (stats.isDirectory()) return createFolderSource(path);
  if (!stats.isFile()) return await openStreamSource(path, createReadStream(path));
  return {
    name: path,
    file: path,
    head: await readHead(path),
    bytes: () => readWholeFile(path, stats.size),
    stream: () => createReadStream(path, { highWaterMark: 1 << 18 }),
  };
}

/** Creates the source of a folder, whose bytes cannot be read. */
function createFolderSource(path: string): Source {
  const refuse = (): never => {
    throw new UnreadableError(`cannot read ${path}: is a folder, not a file`);
  };
  return { name: path, file: undefined, folder: path, head: new Uint8Array(), bytes: refuse, stream: refuse };
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readWholeFile(path: string, size: number): Promise<Uint8Array> {
  if (size <= MAX_TEXT_BYTES) return await readFile(path);
  throw new UnreadableError(
    `cannot read ${path}: ${size} bytes, more than the ${MAX_TEXT_BYTES} that a string can hold; only JSON lines and Parquet are read in chunks`,
  );
}
