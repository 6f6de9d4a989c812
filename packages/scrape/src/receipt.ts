import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Rooms } from './rooms.ts';

/** Status and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** What is to be done with a body: `keep` it, or read some of it and let it go, so that the connection can be kept. */
export type BodyUse = 'keep' | 'dump';

export interface ReceiptOptions {
  readonly rooms: Rooms;
  /** Told of the answer's head; what it throws ends the exchange. */
  readonly onHead: (head: AnswerHead) => BodyUse;
  /** Told of each piece of a body that is kept, by its bytes, ahead of its use; what it throws ends the exchange. */
  readonly onBytes: (bytes: number) => void;
}

/** What is read of a body that is of no use. */
const MOST_DUMPED = 65_536;
/** The room for a body whose length nobody announces, to begin with. */
const FIRST_ROOM = 65_536;
/** What is announced may be anything; more than this is made when it comes. */
const MOST_AHEAD = 4 << 20;

/**
 * Receives one answer, in memory that is used again. Straight from the parser: a stream for each body, with its events and
 * promises, took a quarter of all that scraping costs.
 */
export class Receipt implements Dispatcher.DispatchHandler {
  /** The head, once all of the body is here. Rejects with what ended the exchange earlier. */
  readonly done: Promise<AnswerHead>;
  readonly #options: ReceiptOptions;
  #resolve!: (head: AnswerHead) => void;
  #reject!: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #head: AnswerHead | undefined;
  #use: BodyUse = 'dump';
  #room: Uint8Array | undefined;
  #length = 0;

  constructor(options: ReceiptOptions) {
    this.#options = options;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The body so far, in its room. */
  get body(): Uint8Array {
    return this.#room?.subarray(0, this.#length) ?? new Uint8Array(0);
  }

  /** Lets the memory of the body be used again: whoever has it must not read it any more. */
  release(): void {
    const room = this.#room;
    this.#room = undefined;
    if (room) this.#options.rooms.give(room);
  }

  /** Ends the exchange, and its connection with it. */
  readonly abort = (error: Error): void => {
    this.#fail(error);
    this.#controller?.abort(error);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(new Error('the exchange is over'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Informational: the answer is yet to come.
    if (status < 200 || this.#isOver) return;
    this.#head = { status, headers };
    // What it throws is what ended the exchange, whatever was to be done with the body.
    this.#use = 'keep';
    this.#use = this.#options.onHead(this.#head);
    const announced = Number(headers['content-length'] ?? 0);
    if (this.#use === 'dump') {
      if (announced > MOST_DUMPED) this.#letGo();
      return;
    }
    this.#room = this.#options.rooms.take(Math.min(announced || FIRST_ROOM, MOST_AHEAD));
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#use === 'keep') this.#keep(bytes);
    else {
      this.#length += bytes.length;
      if (this.#length > MOST_DUMPED) this.#letGo();
    }
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resolve(this.#head!);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    // A body of no use may end as it likes.
    if (this.#head && this.#use === 'dump') this.onResponseEnd();
    else this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.release();
    this.#reject(error);
  }

  #keep(bytes: Uint8Array): void {
    this.#options.onBytes(bytes.length);
    const end = this.#length + bytes.length;
    if (end > this.#room!.length) this.#grow(end);
    this.#room!.set(bytes, this.#length);
    this.#length = end;
  }

  #grow(bytes: number): void {
    const { rooms } = this.#options;
    const larger = rooms.take(Math.max(bytes, 2 * this.#room!.length));
    larger.set(this.#room!.subarray(0, this.#length));
    rooms.give(this.#room!);
    this.#room = larger;
  }

  /** Reads no more of a body that is of no use. */
  #letGo(): void {
    this.onResponseEnd();
    this.#controller?.abort(new Error('the body is of no use'));
  }
}
