import { type FileHandle, open } from 'node:fs/promises';

/** Output of a writer. The file exists after `commit`, and does not exist after `abort`. */
export interface OutputFile {
  write(bytes: Uint8Array): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** A file in a temporary folder that is renamed or removed as a whole. */
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
