import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { headLength, longestText, type Source } from './byteSource.ts';
import { UnreadableError } from './errors.ts';
import { streamSource } from './streamSource.ts';

/**
 * Opens a file, a folder, or what can be read once only, such as a pipe.
 *
 * @throws the file system's error when it cannot be read
 */
export async function openFile(location: string | URL): Promise<Source> {
  const path = typeof location === 'string' ? location : fileURLToPath(location);
  const found = await stat(path);
  if (found.isDirectory()) return folderSource(path);
  if (!found.isFile()) return await streamSource(path, createReadStream(path));
  return {
    name: path,
    file: path,
    head: await headOf(path),
    bytes: () => wholeFile(path, found.size),
    stream: () => createReadStream(path, { highWaterMark: 1 << 18 }),
  };
}

function folderSource(path: string): Source {
  const refuse = (): never => {
    throw new UnreadableError(`cannot read ${path}: it is a directory`);
  };
  return { name: path, file: undefined, folder: path, head: new Uint8Array(), bytes: refuse, stream: refuse };
}

async function headOf(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(headLength), 0, headLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function wholeFile(path: string, size: number): Promise<Uint8Array> {
  if (size <= longestText) return await readFile(path);
  throw new UnreadableError(
    `cannot read ${path}: its ${size} bytes are more than the ${longestText} that a string can hold; only JSON lines and Parquet are read in pieces`,
  );
}
