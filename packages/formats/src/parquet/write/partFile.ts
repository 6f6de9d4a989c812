import { type FileHandle, open } from 'node:fs/promises';

/** Output file of a writer. `commit` completes the file; `abort` discards it. */
export interface OutputFile {
  write(bytes: Uint8Array): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/**
 * A file in the temporary folder of a dataset. The folder is renamed or removed as a whole, so `abort` only
 * closes the file.
 */
export class PartFile implements OutputFile {
  readonly #handle: FileHandle;
  #isOpen = true;

  static async open(path: string): Promise<PartFile> {
    return new PartFile(await open(path, 'wx'));
  }

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      at += (await this.#handle.write(bytes, at, bytes.length - at)).bytesWritten;
    }
  }

  async commit(): Promise<void> {
    await this.#handle.sync();
    await this.abort();
  }

  async abort(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}
