import { AtomicFile } from './atomicFile.ts';

/** What a file is made of: a text, bytes, or pieces of them that are made while they are written. */
export type Content =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/** Why a file could not be written. */
export type WriteFailure = 'disk-full' | 'not-permitted' | 'no-folder' | 'failed';

/** A file that is there, whole, or one that is as it was before. */
export type WriteResult = { readonly ok: true; readonly path: string; readonly bytes: number } | FailedWrite;

/** A file that could not be written. */
export interface FailedWrite {
  readonly ok: false;
  readonly path: string;
  readonly reason: WriteFailure;
  /** A sentence for the user: which file, why, and what to do. */
  readonly message: string;
  readonly cause: unknown;
}

/** Pieces are gathered to about this many bytes, so that small ones do not each cost a system call. */
const BUFFER_BYTES = 1 << 20;

/**
 * Writes a file so that it is never half there: see `AtomicFile`.
 *
 * @throws what the content throws while it is being made; errors of the file system are a result.
 */
export async function writeFileAtomic(path: string, content: Content): Promise<WriteResult> {
  try {
    return { ok: true, path, bytes: await write(path, content) };
  } catch (error) {
    const failed = describeWriteError(path, error);
    if (!failed) throw error;
    return failed;
  }
}

/** What an error of the file system means for a file that was to be written; undefined for any other error. */
export function describeWriteError(path: string, error: unknown): FailedWrite | undefined {
  if (!isSystemError(error)) return undefined;
  const reason = reasonOf(error);
  const message = `cannot write ${path}: ${sentences[reason](error)}`;
  return { ok: false, path, reason, message, cause: error };
}

async function write(path: string, content: Content): Promise<number> {
  const file = await AtomicFile.open(path);
  try {
    await writePieces(file, content);
    await file.commit();
    return file.length;
  } catch (error) {
    await file.abort();
    throw error;
  }
}

async function writePieces(file: AtomicFile, content: Content): Promise<void> {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  let waiting: Uint8Array[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    length = 0;
    await file.write(bytes);
  };
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    waiting.push(bytes);
    length += bytes.length;
    if (length >= BUFFER_BYTES) await flush();
  }
  await flush();
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
