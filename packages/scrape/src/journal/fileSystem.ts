import { close, fsync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** The file operations of a journal. Every method throws, or rejects with, the error of `node:fs`. */
export interface JournalFileSystem {
  /** Creates a file for writing. Fails if it exists. */
  create(path: string): number;
  /**
   * Writes bytes [start, end) at a position. Returns the number of bytes written, at least one but possibly
   * not all.
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
 * Errors of file systems without fsync, such as some network and user-space file systems. They are ignored.
 */
const CANNOT_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

export const nodeFileSystem: JournalFileSystem = {
  create: path => openSync(path, 'wx'),
  write: (file, bytes, start, end, position) => writeSync(file, bytes, start, end - start, position),
  truncate: ftruncateSync,
  async sync(file) {
    try {
      await fsyncAsync(file);
    } catch (error) {
      if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  },
  async syncFolder(path) {
    // Windows cannot open directories. Elsewhere, syncing the directory makes the new file survive a power
    // failure.
    const folder = await open(dirname(path)).catch(() => undefined);
    await folder?.sync().catch(() => {});
    await folder?.close();
  },
  close: closeAsync,
  remove: unlinkSync,
};
