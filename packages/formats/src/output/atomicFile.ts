import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * A file that is written atomically: it is written under a temporary name in the same folder, flushed to
 * disk, and then renamed. An existing file stays unchanged until the rename, and if writing fails. Devices
 * and pipes such as `/dev/stdout` are written directly. Symbolic links are followed.
 *
 * All methods reject with errors of the file system.
 */
export class AtomicFile {
  readonly #path: string;
  /** The temporary path; undefined for a device or pipe. */
  readonly #temporaryPath: string | undefined;
  readonly #handle: FileHandle;
  #length = 0;
  #isOpen = true;

  /** Creates the temporary file, or opens the device or pipe. */
  static async open(path: string): Promise<AtomicFile> {
    const realPath = await realpath(path).catch(() => path);
    const isSpecial = await stat(realPath).then(
      stats => !stats.isFile(),
      () => false,
    );
    if (isSpecial) return new AtomicFile(realPath, undefined, await open(realPath, 'w'));
    const temporaryPath = createTemporaryPath(realPath);
    return new AtomicFile(realPath, temporaryPath, await open(temporaryPath, 'wx'));
  }

  private constructor(path: string, temporaryPath: string | undefined, handle: FileHandle) {
    this.#path = path;
    this.#temporaryPath = temporaryPath;
    this.#handle = handle;
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends bytes. Repeats the system call until all of them are written, because a write can be partial. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, offset, bytes.length - offset);
      offset += bytesWritten;
      this.#length += bytesWritten;
    }
  }

  /** Flushes and closes the file, and renames it to its final name. */
  async commit(): Promise<void> {
    if (this.#temporaryPath !== undefined) await this.#handle.sync();
    await this.#close();
    if (this.#temporaryPath === undefined) return;
    await rename(this.#temporaryPath, this.#path);
    await syncFolder(dirname(this.#path));
  }

  /** Closes and removes the temporary file. Has no effect after `commit`. */
  async abort(): Promise<void> {
    await this.#close();
    if (this.#temporaryPath !== undefined) await rm(this.#temporaryPath, { force: true });
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}

/** Returns a temporary path. The original name is truncated to stay within the name length limit of the file system. */
function createTemporaryPath(path: string): string {
  const name = `.${basename(path).slice(0, 100)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  return join(dirname(path), name);
}

/** Flushes a folder, so that a rename survives a crash. Ignores errors: some file systems cannot flush folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
