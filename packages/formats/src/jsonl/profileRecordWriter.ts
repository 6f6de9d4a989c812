import { type FileHandle, open } from 'node:fs/promises';
import type { ProfileRecord } from '../generated/profileRecord.ts';
import { describeWriteError, type FailedWrite, type WriteResult } from '../output/writeFile.ts';
import { writeProfileRecordLine } from './writeRecordLine.ts';

/** Writes profile_export.jsonl during a run. */
export interface ProfileRecordWriter {
  /**
   * Writes one line. Resolves when the operating system has accepted it, so that killing the process loses no acknowledged line.
   * Lines that are appended during a write are batched in the next one. Rejects only if the writer is closed; `close` reports
   * write errors.
   */
  readonly append: (record: ProfileRecord) => Promise<void>;
  /** Number of lines written so far. */
  readonly lines: number;
  /** The write error after which lines are dropped; undefined if there was none. */
  readonly failure: FailedWrite | undefined;
  /** Writes pending lines, flushes them to disk and closes the file. */
  readonly close: () => Promise<WriteResult>;
}

/**
 * Opens profile_export.jsonl for writing line by line, and replaces an existing file. If a write fails, for example because the
 * disk is full, the file is truncated after its last complete line, and further lines are dropped.
 *
 * @throws the file system's error if the file cannot be created
 */
export async function openProfileRecords(path: string): Promise<ProfileRecordWriter> {
  return new Appender(path, await open(path, 'w'));
}

class Appender implements ProfileRecordWriter {
  lines = 0;
  failure: FailedWrite | undefined;
  readonly #path: string;
  readonly #handle: FileHandle;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #closed: Promise<WriteResult> | undefined;
  #bytes = 0;

  constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  readonly append = async (record: ProfileRecord): Promise<void> => {
    if (this.#closed) throw new TypeError(`cannot append to ${this.#path}: it is closed`);
    this.#waiting.push(`${writeProfileRecordLine(record)}\n`);
    // A write in flight does not contain this line; the next one does.
    const current = this.#writing;
    if (current) await current;
    if (this.#waiting.length > 0) await this.#flush();
    else await this.#writing;
  };

  readonly close = (): Promise<WriteResult> => {
    this.#closed ??= this.#finish();
    return this.#closed;
  };

  #flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    if (this.failure) return;
    const bytes = Buffer.from(lines.join(''));
    try {
      await this.#writeWhole(bytes);
      this.#bytes += bytes.length;
      this.lines += lines.length;
    } catch (error) {
      this.failure = this.#failed(error);
      await this.#handle.truncate(this.#bytes).catch(() => undefined);
    }
  }

  /** Writes all bytes. A single write can be partial, for example on a full disk. */
  async #writeWhole(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; )
      at += (await this.#handle.write(bytes, at, bytes.length - at)).bytesWritten;
  }

  #failed(error: unknown): FailedWrite {
    const failed = describeWriteError(this.#path, error);
    if (!failed) throw error;
    return failed;
  }

  async #finish(): Promise<WriteResult> {
    while (this.#writing || this.#waiting.length > 0) await this.#flush();
    try {
      if (!this.failure) await this.#handle.sync().catch(ignoreUnsupported);
      await this.#handle.close();
    } catch (error) {
      this.failure ??= this.#failed(error);
    }
    return this.failure ?? { ok: true, path: this.#path, bytes: this.#bytes };
  }
}

/** Ignores that pipes and devices cannot be flushed. */
function ignoreUnsupported(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EINVAL' && error.code !== 'ENOTSUP') throw error;
}
