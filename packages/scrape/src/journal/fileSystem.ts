import { close, fsync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/**
 * The file operations of a journal. On failure, methods throw or reject with the system error of `node:fs`.
 */
export interface JournalFileSystem {
  /** Creates a file for writing. Fails if it exists. */
  create(path: string): number;
  /**
   * Writes the bytes from `start` to `end` at a position of the file. Returns the number of bytes written,
   * which may be less than requested.
   */
  write(file: number, bytes: Uint8Array, start: number, end: number, position: number): number;
  truncate(file: number, length: number): void;
  /** Resolves when all written bytes are on disk. */
  sync(file: number): Promise<void>;
  /** Resolves when the directory entry of a new file is on disk. */
  syncFolder(path: string): Promise<void>;
  close(file: number): Promise<void>;
  remove(path: string): void;
}

const fsyncAsync = promisify(fsync);
const closeAsync = promisify(close);

/**
 * Error codes of file systems that do not support fsync, such as some network and user-space file systems.
 * These errors are ignored.
 */
const SYNC_UNSUPPORTED_CODES: ReadonlySet<string | undefined> = new Set([
  'EINVAL',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
]);

/** The file system of the operating system. */
export const nodeFileSystem: JournalFileSystem = {
  create: path => openSync(path, 'wx'),
  write: (file, bytes, start, end, position) => writeSync(file, bytes, start, end - start, position),
  truncate: ftruncateSync,
  async sync(file) {
    try {
      await fsyncAsync(file);
    } catch (error) {
      if (!SYNC_UNSUPPORTED_CODES.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  },
  async syncFolder(path) {
    // Without a sync of its directory, a new file may be missing after a power failure. Windows cannot open
    // directories.
    const folder = await open(dirname(path)).catch(() => undefined);
    await folder?.sync().catch(() => {});
    await folder?.close();
  },
  close: closeAsync,
  remove: unlinkSync,
};
