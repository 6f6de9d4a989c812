import { type FileHandle, open } from 'node:fs/promises';

/** Where the writer puts its bytes; it is in its place after `commit`, and not at all after `abort`. */
export interface OutputFile {
  write(bytes: Uint8Array): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** A file in a folder that is put in its place as a whole, and removed as a whole. */
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
