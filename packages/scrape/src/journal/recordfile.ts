import { crc32 } from 'node:zlib';
import type { ByteWriter } from './bytes.ts';
import type { JournalFiles } from './files.ts';
import { MOST_PAYLOAD } from './format.ts';

/** Bytes before a payload, at most: checksum, and its length as a varint. */
export const HEAD_BYTES = 9;

/** The file system did not do what was asked of it. */
export class WriteFailure extends Error {
  override readonly name: string = 'WriteFailure';
}

/**
 * Puts the head of a record before its payload, which begins at `HEAD_BYTES`. Returns where the record begins: it
 * ends where the bytes do. Throws a RangeError for a payload that is too large for a journal.
 */
export function sealRecord(record: ByteWriter): number {
  const size = record.length - HEAD_BYTES;
  if (size > MOST_PAYLOAD)
    throw new RangeError(`cannot journal a record of ${size} bytes: ${MOST_PAYLOAD} are accepted`);
  const { bytes } = record;
  let digits = 1;
  while (size >= 2 ** (7 * digits)) digits++;
  const start = HEAD_BYTES - digits - 4;
  for (let digit = 0; digit < digits; digit++)
    bytes[start + 4 + digit] = ((size >>> (7 * digit)) & 0x7f) | (digit < digits - 1 ? 0x80 : 0);
  const checksum = crc32(bytes.subarray(start + 4, record.length));
  for (let place = 0; place < 4; place++) bytes[start + place] = checksum >>> (8 * place);
  return start;
}

/**
 * A file of whole records. What could not be written as a whole is cut off again, so that the file ends with its last
 * whole record, and the next one continues it.
 */
export class RecordFile {
  readonly path: string;
  readonly #files: JournalFiles;
  #file: number | undefined;
  /** True when there may be something behind the last whole record. */
  #frayed = false;
  /** Length of the whole records, and how much of it is known to be on the disk. */
  #length = 0;
  #synced = 0;

  constructor(path: string, files: JournalFiles) {
    this.path = path;
    this.#files = files;
  }

  get length(): number {
    return this.#length;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  get isSynced(): boolean {
    return this.#synced === this.#length;
  }

  /** Creates the file. Throws `WriteFailure`. */
  create(): void {
    this.#file = this.#try(() => this.#files.create(this.path));
  }

  /** Adds bytes [start, end) as a whole or not at all. Throws `WriteFailure`, and next time first cuts off what it left. */
  append(bytes: Uint8Array, start: number, end: number): void {
    if (this.#frayed) this.cut();
    this.#frayed = true;
    this.#try(() => {
      for (let at = start; at < end; ) {
        const written = this.#files.write(this.#file!, bytes, at, end, this.#length + at - start);
        if (written === 0) throw new Error('the file takes no more bytes');
        at += written;
      }
    });
    this.#frayed = false;
    this.#length += end - start;
  }

  /** Cuts the file back to its last whole record. Throws `WriteFailure`. */
  cut(): void {
    this.#try(() => this.#files.truncate(this.#file!, this.#length));
    this.#frayed = false;
  }

  /** Cuts, if there is something to cut; when that fails, it is for the next append to do. */
  tidy(): void {
    if (this.#file === undefined || !this.#frayed) return;
    try {
      this.cut();
    } catch {
      // the next append tries again, and tells
    }
  }

  /** Brings what there is by now to the disk, and returns how much that is. Rejects with `WriteFailure`. */
  async sync(): Promise<number> {
    const length = this.#length;
    try {
      await this.#files.sync(this.#file!);
      if (this.#synced === 0) await this.#files.syncFolder(this.path);
    } catch (error) {
      throw failureOf(error);
    }
    this.#synced = length;
    return length;
  }

  /** Gives up what is not known to be on the disk. */
  rewind(): void {
    this.#length = this.#synced;
    this.#frayed = true;
  }

  /** Closes the file; no error matters any more. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) await this.#files.close(file).catch(() => {});
  }

  #try<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw failureOf(error);
    }
  }
}

function failureOf(error: unknown): WriteFailure {
  return new WriteFailure((error as Error).message, { cause: error });
}
