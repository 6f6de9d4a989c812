import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * A file that is never half there: it is written under a temporary name beside its place, flushed to the disk, then
 * renamed. Until then, and when it fails, what stood there before stays. A device or pipe (`/dev/stdout`) is written to
 * directly, a link is followed.
 *
 * All methods reject with the error of the file system.
 */
export class AtomicFile {
  readonly #target: string;
  /** Undefined for what is written to directly. */
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
    const temporary = temporaryName(target);
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

  /** Adds bytes at the end, all of them: a single write may take only a part, as the last one on a full disk does. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at);
      at += bytesWritten;
      this.#length += bytesWritten;
    }
  }

  /** Puts the file in its place. */
  async commit(): Promise<void> {
    if (this.#temporary !== undefined) await this.#handle.sync();
    await this.#close();
    if (this.#temporary === undefined) return;
    await rename(this.#temporary, this.#target);
    await syncFolder(dirname(this.#target));
  }

  /** Removes what was written, unless it is in its place already. */
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

/** The name is cut so that a long one does not get too long by what is added. */
function temporaryName(path: string): string {
  const name = `.${basename(path).slice(0, 100)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  return join(dirname(path), name);
}

/** Makes the new name last. Some file systems cannot flush a folder; the file itself is safe without. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
