import { close, fsync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** What a journal asks of the file system. Every method throws, or rejects with, the error of `node:fs`. */
export interface JournalFileSystem {
  /** Makes a file that must not exist, for writing. */
  create(path: string): number;
  /** Writes bytes [start, end) at a position, and returns how many it has written: at least one, perhaps not all. */
  write(file: number, bytes: Uint8Array, start: number, end: number, position: number): number;
  truncate(file: number, length: number): void;
  /** Resolves when what was written before is on the disk. */
  sync(file: number): Promise<void>;
  /** Resolves when the name of a new file is on the disk. */
  syncFolder(path: string): Promise<void>;
  close(file: number): Promise<void>;
  remove(path: string): void;
}

const fsyncOf = promisify(fsync);
const closeOf = promisify(close);

/** There are files that cannot be synchronised, on some network and user-space file systems; then there is no more to do. */
const CANNOT_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

export const nodeFileSystem: JournalFileSystem = {
  create: path => openSync(path, 'wx'),
  write: (file, bytes, start, end, position) => writeSync(file, bytes, start, end - start, position),
  truncate: ftruncateSync,
  async sync(file) {
    try {
      await fsyncOf(file);
    } catch (error) {
      if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  },
  async syncFolder(path) {
    // A folder cannot be opened everywhere (Windows); where it can be, its entry survives a power cut.
    const folder = await open(dirname(path)).catch(() => undefined);
    await folder?.sync().catch(() => {});
    await folder?.close();
  },
  close: closeOf,
  remove: unlinkSync,
};
