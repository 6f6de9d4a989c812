import { type FileHandle, open } from 'node:fs/promises';
import { describeWriteError, type FailedWrite, type WriteResult } from '../output/writeFile.ts';

/** Writes a file line by line during a run. */
export interface LineWriter {
  /**
   * Writes one line. Resolves when the operating system has accepted the line, which is then not lost if the
   * process is killed. Lines that are appended during a write are written together in the next write. Rejects
   * only if the writer is closed; write errors are returned by `close`.
   */
  readonly append: (line: string) => Promise<void>;
  /** Number of lines written so far. */
  readonly lines: number;
  /** The first write error, after which further lines are dropped; undefined if there was none. */
  readonly failure: FailedWrite | undefined;
  /** Writes pending lines, flushes the file to disk and closes it. */
  readonly close: () => Promise<WriteResult>;
}

/**
 * Creates or replaces a file for writing line by line. If a write fails, for example because
 * the disk is full, the file is truncated after the last complete line, and further lines are dropped.
 *
 * @throws an error of the file system if the file cannot be created
 */
export async function openLines(path: string): Promise<LineWriter> {
  return new LineFile(path, await open(path, 'w'));
}

class LineFile implements LineWriter {
  lines = 0;
  failure: FailedWrite | undefined;
  readonly #path: string;
  readonly #handle: FileHandle;
  #pending: string[] = [];
  #currentWrite: Promise<void> | undefined;
  #closeResult: Promise<WriteResult> | undefined;
  /** Number of bytes in complete lines. */
  #completeBytes = 0;

  constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  readonly append = async (line: string): Promise<void> => {
    if (this.#closeResult) throw new TypeError(`cannot append to ${this.#path}: it is closed`);
    this.#pending.push(`${line}\n`);
    // The write in flight does not contain this line; the next write does.
    const writeInFlight = this.#currentWrite;
    if (writeInFlight) await writeInFlight;
    if (this.#pending.length > 0) await this.#flush();
    else await this.#currentWrite;
  };

  readonly close = (): Promise<WriteResult> => {
    this.#closeResult ??= this.#finish();
    return this.#closeResult;
  };

  #flush(): Promise<void> {
    this.#currentWrite ??= this.#write().finally(() => {
      this.#currentWrite = undefined;
    });
    return this.#currentWrite;
  }

  async #write(): Promise<void> {
    const lines = this.#pending;
    this.#pending = [];
    if (this.failure) return;
    try {
      const bytes = Buffer.from(lines.join(''));
      await this.#writeAll(bytes);
      this.#completeBytes += bytes.length;
      this.lines += lines.length;
    } catch (error) {
      this.failure = this.#toFailedWrite(error);
      await this.#handle.truncate(this.#completeBytes).catch(() => undefined);
    }
  }

  /** Writes all bytes. Repeats the system call, because a write can be partial. */
  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length; )
      offset += (await this.#handle.write(bytes, offset, bytes.length - offset)).bytesWritten;
  }

  /** Converts an error to a failed write. Other errors than those of the file system, such as a lack of memory, count. */
  #toFailedWrite(error: unknown): FailedWrite {
    const failed = describeWriteError(this.#path, error);
    if (failed) return failed;
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      path: this.#path,
      reason: 'failed',
      message: `cannot write ${this.#path}: ${reason}`,
      cause: error,
    };
  }

  async #finish(): Promise<WriteResult> {
    while (this.#currentWrite || this.#pending.length > 0) await this.#flush();
    try {
      if (!this.failure) await this.#handle.sync().catch(ignoreUnsupportedFlush);
      await this.#handle.close();
    } catch (error) {
      this.failure ??= this.#toFailedWrite(error);
    }
    return this.failure ?? { ok: true, path: this.#path, bytes: this.#completeBytes };
  }
}

/** Ignores the error of a flush that pipes and devices do not support. */
function ignoreUnsupportedFlush(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EINVAL' && error.code !== 'ENOTSUP') throw error;
}
