import { type FileHandle, open } from 'node:fs/promises';

/** Maximum number of bytes to read at a time. */
const CHUNK_BYTES = 1 << 20;
const LINE_FEED = 10;

/** Lines that were appended to a file. */
export interface AppendedLines {
  /** Complete lines, including their line ends. A cut line at the end of the file is not included. */
  readonly bytes: Uint8Array;
  /** True if the file was replaced, or is shorter than before: the lines are from its start. */
  readonly isRestarted: boolean;
}

const NOTHING: AppendedLines = { bytes: new Uint8Array(), isRestarted: false };

/**
 * Reads the lines of a growing file. Each call of `read` returns only the lines that were completed since the last call.
 */
export class GrowingLines {
  readonly path: string;
  /** Identifies the file, as opposed to a later file of the same name. */
  #file: bigint | undefined;
  /** Position after the last complete line. */
  #position = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the appended lines; none if the file does not exist. Rejects with the system error if it cannot be read. */
  async read(): Promise<AppendedLines> {
    const file = await openIfExists(this.path);
    if (!file) return NOTHING;
    try {
      const { ino, size } = await file.stat({ bigint: true });
      const isRestarted = this.#file !== undefined && (this.#file !== ino || Number(size) < this.#position);
      if (isRestarted) this.#position = 0;
      this.#file = ino;
      const appended = await readRange(file, this.#position, Number(size));
      const bytes = appended.subarray(0, appended.lastIndexOf(LINE_FEED) + 1);
      this.#position += bytes.length;
      return { bytes, isRestarted };
    } finally {
      await file.close();
    }
  }
}

async function openIfExists(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a range of a file; less if the file has become shorter. */
async function readRange(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, to - from));
  let length = 0;
  while (length < bytes.length) {
    const part = bytes.subarray(length, length + CHUNK_BYTES);
    const { bytesRead } = await file.read(part, 0, part.length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
