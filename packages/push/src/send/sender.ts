import { setTimeout as wait } from 'node:timers/promises';
import { type Batch, countPoints } from '../metrics/batch.ts';
import type { EncodedBatch, Protocol, Verdict } from '../protocols/protocol.ts';
import { BatchQueue } from './batchQueue.ts';
import { EncodingCache } from './encodingCache.ts';
import { type HttpClient, SendError } from './httpClient.ts';
import { computeRetryDelay } from './retryPolicy.ts';
import type { StatisticsCursor } from './statisticsCursor.ts';

/** Numbers of sent and lost points, requests and retries of a receiver. */
export interface Delivery {
  readonly sentPoints: number;
  readonly requests: number;
  readonly retries: number;
  /** Points that were dropped because the queue was full. */
  readonly droppedPoints: number;
  /** Points that the receiver did not accept. */
  readonly rejectedPoints: number;
  /** Points that still waited at the end. */
  readonly undeliveredPoints: number;
  /** The last problem; undefined if there was none. */
  readonly lastProblem: string | undefined;
}

/** Time functions, which tests replace. */
export interface SenderClock {
  readonly nowMs: () => number;
  /** Waits for a duration in milliseconds, or until `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

const SYSTEM_CLOCK: SenderClock = {
  nowMs: () => performance.now(),
  pause: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  random: Math.random,
};

/**
 * Sends batches to one receiver, one after the other. A batch is sent again until the receiver has accepted or rejected it.
 * Nothing waits for the sender, so that a slow receiver does not slow down the run.
 */
export class Sender {
  readonly #protocol: Protocol;
  readonly #client: Pick<HttpClient, 'send' | 'close'>;
  readonly #encodings: EncodingCache;
  readonly #clock: SenderClock;
  readonly #queue = new BatchQueue();
  readonly #ended = new AbortController();
  /** Ends the current wait before a retry. */
  #hurry: AbortController | undefined;
  #work: Promise<void> | undefined;
  #lastProgressMs = 0;
  #sentPoints = 0;
  #requests = 0;
  #retries = 0;
  #rejectedPoints = 0;
  #undeliveredPoints = 0;
  #lastProblem: string | undefined;

  constructor(
    protocol: Protocol,
    client: Pick<HttpClient, 'send' | 'close'>,
    encodings: EncodingCache = new EncodingCache(),
    clock: SenderClock = SYSTEM_CLOCK,
  ) {
    this.#protocol = protocol;
    this.#client = client;
    this.#encodings = encodings;
    this.#clock = clock;
  }

  /** Adds a batch of live values. */
  add(batch: Batch): void {
    this.#queue.add(batch);
    this.#start();
  }

  /** Adds the statistics of a run that has ended. */
  addStatistics(cursor: StatisticsCursor): void {
    this.#queue.addStatistics(cursor);
    this.#start();
  }

  /**
   * Waits until all batches are sent, or until the receiver has accepted and rejected nothing for `timeoutMs`. The rest
   * is lost.
   */
  async close(timeoutMs: number): Promise<Delivery> {
    this.#lastProgressMs = this.#clock.nowMs();
    this.#hurry?.abort();
    while (this.#work && !this.#ended.signal.aborted) await this.#waitForProgress(timeoutMs);
    await this.#work;
    this.#undeliveredPoints += this.#queue.clear();
    this.#client.close();
    return this.describe();
  }

  describe(): Delivery {
    return {
      sentPoints: this.#sentPoints,
      requests: this.#requests,
      retries: this.#retries,
      droppedPoints: this.#queue.droppedPoints,
      rejectedPoints: this.#rejectedPoints,
      undeliveredPoints: this.#undeliveredPoints + this.#queue.unreadPoints,
      lastProblem: this.#lastProblem,
    };
  }

  /** Waits until the work has ended, or the time without progress is over, which ends the work. */
  async #waitForProgress(timeoutMs: number): Promise<void> {
    const restMs = this.#lastProgressMs + timeoutMs - this.#clock.nowMs();
    if (restMs <= 0) {
      this.#ended.abort();
      return;
    }
    const stopped = new AbortController();
    await Promise.race([this.#work, this.#clock.pause(restMs, stopped.signal)]);
    stopped.abort();
  }

  #start(): void {
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined;
      // Batches may have been added after the queue was empty.
      if (!this.#queue.isEmpty && !this.#ended.signal.aborted) this.#start();
    });
  }

  async #sendAll(): Promise<void> {
    // The caller does not wait for the encoding.
    await new Promise(resolve => setImmediate(resolve));
    try {
      for (let batch = await this.#queue.take(); batch; batch = await this.#queue.take()) {
        await this.#sendSafely(batch);
        if (this.#ended.signal.aborted) return;
      }
    } catch (error) {
      this.#lastProblem = `cannot read statistics: ${(error as Error).message}`;
    }
  }

  /** Sends a batch. An error in a library is a loss of the batch, and does not end the run. */
  async #sendSafely(batch: Batch): Promise<void> {
    try {
      const isDone = await this.#sendUntilDone(batch);
      if (!isDone) this.#undeliveredPoints += countPoints(batch);
    } catch (error) {
      this.#rejectedPoints += countPoints(batch);
      this.#lastProblem = `cannot send values: ${(error as Error).message}`;
    }
  }

  /** Sends a batch until the receiver has accepted or rejected it. Returns false if the end came first. */
  async #sendUntilDone(batch: Batch): Promise<boolean> {
    let encoded = this.#encodings.encode(batch, this.#protocol);
    for (let attempt = 1; !this.#ended.signal.aborted; ) {
      const { verdict, retryAfter } = await this.#attempt(encoded, batch);
      if (verdict.kind === 'other_version') encoded = this.#encodings.encode(batch, this.#protocol);
      else if (verdict.kind === 'retry') {
        this.#lastProblem = verdict.message;
        await this.#pause(attempt++, retryAfter);
        if (!this.#ended.signal.aborted) this.#retries += 1;
      } else {
        this.#count(verdict, batch);
        return true;
      }
    }
    return false;
  }

  /** Waits before a retry. The end of the run ends the wait, unless the receiver has requested it. */
  async #pause(attempt: number, retryAfter: string | undefined): Promise<void> {
    const delayMs = computeRetryDelay(attempt, retryAfter, this.#clock.random);
    const hurry = new AbortController();
    if (retryAfter === undefined) this.#hurry = hurry;
    await this.#clock.pause(delayMs, AbortSignal.any([this.#ended.signal, hurry.signal]));
    this.#hurry = undefined;
  }

  async #attempt(
    encoded: EncodedBatch,
    batch: Batch,
  ): Promise<{ readonly verdict: Verdict; readonly retryAfter?: string | undefined }> {
    this.#requests += 1;
    try {
      const reply = await this.#client.send(encoded, this.#ended.signal);
      return { verdict: this.#protocol.judge(reply, batch), retryAfter: reply.headers['retry-after'] };
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      if (this.#ended.signal.aborted)
        return { verdict: { kind: 'retry', message: this.#lastProblem ?? SLOW } };
      return { verdict: { kind: 'retry', message: error.message } };
    }
  }

  #count(verdict: Extract<Verdict, { rejected: number }>, batch: Batch): void {
    this.#rejectedPoints += verdict.rejected;
    this.#sentPoints += countPoints(batch) - verdict.rejected;
    if (verdict.message !== undefined) this.#lastProblem = verdict.message;
    this.#lastProgressMs = this.#clock.nowMs();
  }
}

/** The problem of a receiver that had not responded at the end. */
const SLOW = 'no response before the end of the run';
