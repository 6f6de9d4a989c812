import { describeSystemError } from '../systemError.ts';
import { AtomicFile } from './atomicFile.ts';

/** Content of a file: text, bytes, or an iterable whose chunks are written as they are generated. */
export type Content =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/** Reason why a file could not be written. */
export type WriteFailure = 'disk_full' | 'quota_exceeded' | 'not_permitted' | 'no_folder' | 'failed';

/** Result of an atomic write: the complete file, or the reason why nothing was changed. */
export type WriteResult = { readonly ok: true; readonly path: string; readonly bytes: number } | FailedWrite;

/** A failed write. */
export interface FailedWrite {
  readonly ok: false;
  readonly path: string;
  readonly reason: WriteFailure;
  /** Message for the user: the file, the reason and what to do. */
  readonly message: string;
  readonly cause: unknown;
}

/** Chunks are collected up to this size before they are written, to save system calls. */
const BUFFER_BYTES = 1 << 20;

/**
 * Writes a file atomically; see `AtomicFile`. File system errors are returned, not thrown. Errors thrown by
 * the content iterable are rethrown.
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

/** Converts a file system error to a failed write. Returns undefined for any other error. */
export function describeWriteError(path: string, error: unknown): FailedWrite | undefined {
  if (!isSystemError(error)) return undefined;
  const reason = classifyError(error);
  const message = `cannot write ${path}: ${REASON_TEXTS[reason](error)}`;
  return { ok: false, path, reason, message, cause: error };
}

async function write(path: string, content: Content): Promise<number> {
  const file = await AtomicFile.open(path);
  try {
    await writeChunks(file, content);
    await file.commit();
    return file.length;
  } catch (error) {
    await file.abort();
    throw error;
  }
}

async function writeChunks(file: AtomicFile, content: Content): Promise<void> {
  const chunks = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  let pending: Uint8Array[] = [];
  let length = 0;
  const flushPending = async (): Promise<void> => {
    const bytes = Buffer.concat(pending);
    pending = [];
    length = 0;
    await file.write(bytes);
  };
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    pending.push(bytes);
    length += bytes.length;
    if (length >= BUFFER_BYTES) await flushPending();
  }
  await flushPending();
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function classifyError({ code }: NodeJS.ErrnoException): WriteFailure {
  if (code === 'ENOSPC') return 'disk_full';
  if (code === 'EDQUOT') return 'quota_exceeded';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'not_permitted';
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'no_folder' : 'failed';
}

const REASON_TEXTS: Readonly<Record<WriteFailure, (error: NodeJS.ErrnoException) => string>> = {
  disk_full: () => 'the disk is full; free some space and export again',
  quota_exceeded: () => 'the disk quota of the user or group is exceeded; free some space and export again',
  not_permitted: describeSystemError,
  no_folder: ({ code }) =>
    code === 'ENOTDIR' ? 'part of the path is not a folder' : 'its folder does not exist',
  failed: describeSystemError,
};
