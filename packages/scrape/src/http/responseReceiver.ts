import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { BufferPool } from './bufferPool.ts';

/** Status and headers of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** What is to be done with a body: `keep` it, or read some of it and let it go, so that the connection can be kept. */
export type BodyHandling = 'keep' | 'discard';

export interface ResponseReceiverOptions {
  readonly pool: BufferPool;
  /** FailureDescription of the answer's head; what it throws ends the exchange. */
  readonly onHead: (head: ResponseHead) => BodyHandling;
  /** FailureDescription of each piece of a body that is kept, by its bytes, ahead of its use; what it throws ends the exchange. */
  readonly onBytes: (bytes: number) => void;
}

/** What is read of a body that is of no use. */
const MAX_DISCARDED_BYTES = 65_536;
/** The buffer for a body whose length nobody announces, to begin with. */
const INITIAL_BUFFER_BYTES = 65_536;
/** What is contentLength may be anything; more than this is made when it comes. */
const MAX_PREALLOCATED_BYTES = 4 << 20;

/**
 * Receives one answer, in memory that is used again. Straight from the parser: a stream for each body, with its events and
 * promises, took a quarter of all that scraping costs.
 */
export class ResponseReceiver implements Dispatcher.DispatchHandler {
  /** The head, once all of the body is here. Rejects with what ended the exchange earlier. */
  readonly done: Promise<ResponseHead>;
  readonly #options: ResponseReceiverOptions;
  #resolve!: (head: ResponseHead) => void;
  #reject!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #isDone = false;
  #head: ResponseHead | undefined;
  #handling: BodyHandling = 'discard';
  #buffer: Uint8Array | undefined;
  #length = 0;

  constructor(options: ResponseReceiverOptions) {
    this.#options = options;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The body so far, in its buffer. */
  get body(): Uint8Array {
    return this.#buffer?.subarray(0, this.#length) ?? new Uint8Array(0);
  }

  /** Lets the memory of the body be used again: whoever has it must not read it any more. */
  release(): void {
    const buffer = this.#buffer;
    this.#buffer = undefined;
    if (buffer) this.#options.pool.give(buffer);
  }

  /** Ends the exchange, and its connection with it. */
  readonly abort = (error: Error): void => {
    this.#fail(error);
    this.#controller?.abort(error);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isDone) controller.abort(new Error('the exchange is over'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Informational: the answer is yet to come.
    if (status < 200 || this.#isDone) return;
    this.#head = { status, headers };
    // What it throws is what ended the exchange, whatever was to be done with the body.
    this.#handling = 'keep';
    this.#handling = this.#options.onHead(this.#head);
    const contentLength = Number(headers['content-length'] ?? 0);
    if (this.#handling === 'discard') {
      if (contentLength > MAX_DISCARDED_BYTES) this.#stopReading();
      return;
    }
    this.#buffer = this.#options.pool.take(
      Math.min(contentLength || INITIAL_BUFFER_BYTES, MAX_PREALLOCATED_BYTES),
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Uint8Array): void {
    if (this.#isDone) return;
    if (this.#handling === 'keep') this.#store(bytes);
    else {
      this.#length += bytes.length;
      if (this.#length > MAX_DISCARDED_BYTES) this.#stopReading();
    }
  }

  onResponseEnd(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#resolve(this.#head!);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    // A body of no use may end as it likes.
    if (this.#head && this.#handling === 'discard') this.onResponseEnd();
    else this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.release();
    this.#reject(error);
  }

  #store(bytes: Uint8Array): void {
    this.#options.onBytes(bytes.length);
    const end = this.#length + bytes.length;
    if (end > this.#buffer!.length) this.#grow(end);
    this.#buffer!.set(bytes, this.#length);
    this.#length = end;
  }

  #grow(bytes: number): void {
    const { pool } = this.#options;
    const larger = pool.take(Math.max(bytes, 2 * this.#buffer!.length));
    larger.set(this.#buffer!.subarray(0, this.#length));
    pool.give(this.#buffer!);
    this.#buffer = larger;
  }

  /** Reads no more of a body that is of no use. */
  #stopReading(): void {
    this.onResponseEnd();
    this.#controller?.abort(new Error('the body is of no use'));
  }
}
