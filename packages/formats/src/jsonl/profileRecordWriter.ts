import { type FileHandle, open } from 'node:fs/promises';
import type { ProfileRecord } from '../generated/profileRecord.ts';
import { profileRecord } from '../generated/shapes.ts';
import { JsonWriter } from '../json/jsonWriter.ts';
import { describeWriteError, type FailedWrite, type WriteResult } from '../output/writeFile.ts';

const writer = new JsonWriter(0);

/** One line of profile_export.jsonl, without the line end: nanoseconds exact, non-finite values left out. */
export function writeProfileRecordLine(record: ProfileRecord): string {
  return writer.text(record, profileRecord);
}

/** Writes profile_export.jsonl while requests end. */
export interface ProfileRecordWriter {
  /**
   * Writes one line. Resolves when the system has it, so that a kill of the process loses no line that was acknowledged.
   * Lines that come while one is being written go together in the next write. Rejects only when the
   * writer was closed before: what goes wrong is told by `close`.
   */
  readonly append: (record: ProfileRecord) => Promise<void>;
  /** Lines that the file has so far. */
  readonly lines: number;
  /** Why nothing is written any more; undefined while all is well. */
  readonly failure: FailedWrite | undefined;
  /** Writes what is left, flushes it to the disk and closes the file. */
  readonly close: () => Promise<WriteResult>;
}

/**
 * Opens profile_export.jsonl for writing, line by line. What stood at the path is replaced. When a write fails, as on a full
 * disk, the file is cut behind its last whole line, and what comes later is dropped.
 *
 * @throws the file system's error when the file cannot be made.
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
    // The write that is under way began before this line; the one after it has it.
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

  /** A write may take only a part, as the last one on a full disk does. */
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

/** A pipe or a device cannot be flushed; there is nothing to lose there. */
function ignoreUnsupported(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EINVAL' && error.code !== 'ENOTSUP') throw error;
}
