import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * A file that is written atomically: under a temporary name in the same folder, flushed to disk, then renamed. An existing
 * file stays unchanged until then, and if writing fails. Devices and pipes such as `/dev/stdout` are written directly; links
 * are followed.
 *
 * All methods reject with errors of the file system.
 */
export class AtomicFile {
  readonly #target: string;
  /** Undefined for a device or pipe. */
  readonly #temporary: string | undefined;
  readonly #handle: FileHandle;
  #length = 0;
  #isOpen = true;

  static async open(path: string): Promise<AtomicFile> {
    const target = await realpath(path).catch(() => path);
    const isSpecial = await stat(target).then(
      found => !found.isFile(),
      () => false,
    );
    if (isSpecial) return new AtomicFile(target, undefined, await open(target, 'w'));
    const temporary = createTemporaryName(target);
    return new AtomicFile(target, temporary, await open(temporary, 'wx'));
  }

  private constructor(target: string, temporary: string | undefined, handle: FileHandle) {
    this.#target = target;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends all bytes. A single write can be partial, for example on a full disk. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at);
      at += bytesWritten;
      this.#length += bytesWritten;
    }
  }

  /** Renames the file to its final name. */
  async commit(): Promise<void> {
    if (this.#temporary !== undefined) await this.#handle.sync();
    await this.#close();
    if (this.#temporary === undefined) return;
    await rename(this.#temporary, this.#target);
    await syncFolder(dirname(this.#target));
  }

  /** Removes the temporary file, unless it is committed. */
  async abort(): Promise<void> {
    await this.#close();
    if (this.#temporary !== undefined) await rm(this.#temporary, { force: true });
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}

/** Returns a temporary name. The original name is truncated, so that a long name stays within the limit of the file system. */
function createTemporaryName(path: string): string {
  const name = `.${basename(path).slice(0, 100)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  return join(dirname(path), name);
}

/** Makes the new name durable. Some file systems cannot flush a folder, which does not affect the file itself. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
