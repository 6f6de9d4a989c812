import { write as writeFile, writeSync } from 'node:fs';
import type { OutputStream } from './command.ts';

type Done = (error?: Error | null) => void;

/** A stream to a terminal. */
export type Terminal = OutputStream & { readonly fd: number };

/** A text for a terminal. */
interface Entry {
  readonly fd: number;
  readonly text: Uint8Array;
  readonly done: Done | undefined;
}

/** Writes part of a buffer to a file in another thread. */
export type WriteBytes = (
  fd: number,
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

/** Number of waiting bytes from which a writer should wait for `drain`. */
const HIGH_WATER_BYTES = 64 * 1024;
/** A write that takes longer waits for a terminal that takes no output, in milliseconds. */
const STALLED_MS = 500;
/** Pause before a terminal in non-blocking mode that was not ready is tried again, in milliseconds. */
const RETRY_MS = 20;

/**
 * The texts that wait for a terminal. Node writes to terminals synchronously, so that a terminal that takes no output, such as
 * after Ctrl-S or on a stalled connection, stops the whole process. This queue writes in another thread, one text after the
 * other, so that the order of the texts of stdout and stderr is kept.
 */
export class TerminalQueue {
  readonly #write: WriteBytes;
  readonly #entries: Entry[] = [];
  #waitingBytes = 0;
  /** Start of the write in progress, in milliseconds; undefined if there is none. */
  #startMs: number | undefined;
  readonly #streams: Terminal[] = [];
  #mustDrain = false;

  constructor(write: WriteBytes = writeFile) {
    this.#write = write;
  }

  /** Returns a stream that writes through this queue. Its other properties are those of `stream`. */
  createStream(stream: Terminal): OutputStream {
    this.#streams.push(stream);
    const write = (
      chunk: string | Uint8Array,
      encoding?: BufferEncoding | Done,
      callback?: Done,
    ): boolean => {
      const text = typeof chunk === 'string' ? Buffer.from(chunk, toEncoding(encoding)) : chunk;
      return this.#add({ fd: stream.fd, text, done: typeof encoding === 'function' ? encoding : callback });
    };
    return new Proxy(stream, {
      get(target, name) {
        if (name === 'write') return write;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /**
   * Writes the waiting texts before the process exits. They are dropped if the terminal takes no output, because the process
   * could not end otherwise.
   */
  flush(): void {
    if (this.#startMs !== undefined && performance.now() - this.#startMs > STALLED_MS) return;
    // The first entry is being written.
    const waiting = this.#entries.splice(this.#startMs === undefined ? 0 : 1);
    try {
      for (const { fd, text } of waiting) writeAll(fd, text);
    } catch {
      // The terminal is closed.
    }
  }

  /** Returns whether the writer may continue without waiting for `drain`. */
  #add(entry: Entry): boolean {
    this.#entries.push(entry);
    this.#waitingBytes += entry.text.length;
    if (this.#startMs === undefined) this.#writeNext(0);
    const isFull = this.#waitingBytes >= HIGH_WATER_BYTES;
    this.#mustDrain ||= isFull;
    return !isFull;
  }

  /** Writes the first text from an offset. */
  #writeNext(offset: number): void {
    const [entry] = this.#entries;
    if (!entry) {
      this.#drain();
      return;
    }
    this.#startMs = performance.now();
    this.#write(entry.fd, entry.text.subarray(offset), (error, written) => {
      const end = offset + (error ? 0 : written);
      // The program that started this one may have changed the terminal to non-blocking mode.
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeNext(end), RETRY_MS);
      else if (!error && end < entry.text.length) this.#writeNext(end);
      else this.#finish(entry, error);
    });
  }

  #finish({ text, done }: Entry, error: Error | null): void {
    this.#entries.shift();
    this.#waitingBytes -= text.length;
    this.#startMs = undefined;
    done?.(error);
    // `done` may have added a text, whose write has then started.
    if (this.#startMs === undefined) this.#writeNext(0);
  }

  #drain(): void {
    if (!this.#mustDrain) return;
    this.#mustDrain = false;
    for (const stream of this.#streams) stream.emit('drain');
  }
}

function toEncoding(encoding: BufferEncoding | Done | undefined): BufferEncoding | undefined {
  return typeof encoding === 'string' ? encoding : undefined;
}

function writeAll(fd: number, text: Uint8Array): void {
  for (let offset = 0; offset < text.length; ) offset += writeSync(fd, text, offset);
}
