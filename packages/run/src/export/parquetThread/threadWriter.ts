import { Worker } from 'node:worker_threads';
import type {
  MetadataEntry,
  ParquetSummary,
  ParquetWriterOptions,
  SeriesChunk,
  ServerMetricsParquetWriter,
} from '@org/formats/parquet';
import { type FromWriter, restoreError, type ToWriter, type WriterTask } from './messages.ts';
import { SeriesPacker } from './seriesMessage.ts';

/** Maximum number of messages that wait for the thread. */
const MAX_WAITING = 3;

/** Writes a Parquet file in a worker thread, which encodes and compresses the rows while the caller computes the next ones. */
export class ThreadWriter implements ServerMetricsParquetWriter {
  rows = 0;
  readonly #worker: Worker;
  /** Resolves when the thread has ended. */
  readonly #exited: Promise<void>;
  #isOpen = false;
  #summary: ParquetSummary | undefined;
  #failure: Error | undefined;
  readonly #packer = new SeriesPacker();
  /** Number of messages that the thread has not written yet. */
  #waiting = 0;
  /** Continues a caller that waits for the thread. */
  #wake: () => void = () => {};

  /**
   * Starts the thread, and opens the file.
   *
   * @throws the file system's error if the file cannot be created
   */
  static async open(path: string, options: ParquetWriterOptions): Promise<ThreadWriter> {
    const writer = new ThreadWriter({ path, options });
    try {
      await writer.#waitUntil(() => writer.#isOpen);
      return writer;
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  private constructor(workerData: WriterTask) {
    this.#worker = new Worker(new URL('./writerThread.js', import.meta.url), { workerData, name: 'parquet' });
    this.#worker.on('message', (message: FromWriter) => this.#handle(message));
    this.#worker.on('error', error => this.#fail(error));
    this.#exited = new Promise(resolve => {
      this.#worker.on('exit', code => {
        this.#fail(new Error(`the thread that writes Parquet ended early, with code ${code}`));
        resolve();
      });
    });
  }

  async appendSeries(chunk: SeriesChunk): Promise<void> {
    this.#throwFailure();
    this.rows += chunk.timestampsNs.length * (chunk.histogram ? chunk.histogram.bounds.length : 1);
    if (!this.#packer.hasRoomFor(chunk)) await this.#send();
    this.#packer.add(chunk);
  }

  async close(extraMetadata: readonly MetadataEntry[] = []): Promise<ParquetSummary> {
    await this.#send();
    this.#worker.postMessage({ type: 'close', metadata: extraMetadata } satisfies ToWriter);
    await this.#waitUntil(() => this.#summary !== undefined);
    await this.#exited;
    return this.#summary!;
  }

  async abort(): Promise<void> {
    this.#worker.postMessage({ type: 'abort' } satisfies ToWriter);
    await this.#exited;
  }

  async #send(): Promise<void> {
    await this.#waitUntil(() => this.#waiting < MAX_WAITING);
    if (this.#packer.isEmpty) return;
    const message = this.#packer.take();
    this.#waiting += 1;
    this.#worker.postMessage({ type: 'series', message } satisfies ToWriter, [message.numbers]);
  }

  #handle(message: FromWriter): void {
    if (message.type === 'failed') this.#fail(restoreError(message.error));
    else if (message.type === 'opened') this.#isOpen = true;
    else if (message.type === 'written') this.#waiting -= 1;
    else this.#summary = message.summary;
    this.#wake();
  }

  /** Keeps the first failure. The end of a thread that has closed the file is not a failure. */
  #fail(error: Error): void {
    if (!this.#summary) this.#failure ??= error;
    this.#wake();
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Waits until a message of the thread makes a condition true. Throws the error of the thread. */
  async #waitUntil(isTrue: () => boolean): Promise<void> {
    for (;;) {
      this.#throwFailure();
      if (isTrue()) return;
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }
}
