import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What a file is made of: a text, bytes, or pieces of them that are made while they are written. */
export type Content =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/** Why a file could not be written. */
export type WriteFailure = 'disk-full' | 'not-permitted' | 'no-folder' | 'failed';

/** A file that is there, whole, or one that is as it was before. */
export type WriteResult =
  | { readonly ok: true; readonly path: string; readonly bytes: number }
  | {
      readonly ok: false;
      readonly path: string;
      readonly reason: WriteFailure;
      /** A sentence for the user: which file, why, and what to do. */
      readonly message: string;
      readonly cause: unknown;
    };

/** Pieces are gathered to about this many bytes, so that small ones do not each cost a system call. */
const bufferLength = 1 << 20;

/**
 * Writes a file so that it is never half there: under a temporary name beside it, flushed to the disk, then
 * renamed. On failure the temporary file is removed and what stood there before stays. A device or pipe
 * (`/dev/stdout`) is written to directly, a link is followed.
 *
 * @throws what the content throws while it is being made; errors of the file system are a result.
 */
export async function writeFileAtomic(path: string, content: Content): Promise<WriteResult> {
  try {
    const target = await realpath(path).catch(() => path);
    const isSpecial = await stat(target).then(
      found => !found.isFile(),
      () => false,
    );
    const bytes = isSpecial ? await writeOpened(target, 'w', content) : await replace(target, content);
    return { ok: true, path, bytes };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const reason = reasonOf(error);
    return {
      ok: false,
      path,
      reason,
      message: `cannot write ${path}: ${sentences[reason](error)}`,
      cause: error,
    };
  }
}

async function replace(path: string, content: Content): Promise<number> {
  const folder = dirname(path);
  // The name is cut so that a long one does not get too long by what is added.
  const name = `.${basename(path).slice(0, 100)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  const temporary = join(folder, name);
  try {
    const bytes = await writeOpened(temporary, 'wx', content);
    await rename(temporary, path);
    await syncFolder(folder);
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeOpened(path: string, flags: 'w' | 'wx', content: Content): Promise<number> {
  const handle = await open(path, flags);
  try {
    const bytes = await writePieces(handle, content);
    if (flags === 'wx') await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

async function writePieces(handle: FileHandle, content: Content): Promise<number> {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  let waiting: Uint8Array[] = [];
  let length = 0;
  let written = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    length = 0;
    await writeWhole(handle, bytes);
    written += bytes.length;
  };
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    waiting.push(bytes);
    length += bytes.length;
    if (length >= bufferLength) await flush();
  }
  await flush();
  return written;
}

/** A write may take only a part, as the last one on a full disk does. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let at = 0;
  while (at < bytes.length) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
}

/** Makes the new name last. Some file systems cannot flush a folder; the file itself is safe without. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function reasonOf({ code }: NodeJS.ErrnoException): WriteFailure {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'disk-full';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'not-permitted';
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'no-folder' : 'failed';
}

const sentences: Readonly<Record<WriteFailure, (error: Error) => string>> = {
  'disk-full': () => 'the disk is full; free some space and export again',
  'not-permitted': () => 'writing there is not permitted',
  'no-folder': error => `there is no folder for it (${error.message})`,
  failed: error => error.message,
};
