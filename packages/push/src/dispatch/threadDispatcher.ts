import { Worker } from 'node:worker_threads';
import { type Batch, countPoints, type RunIdentity } from '../metrics/batch.ts';
import type { Statistics } from '../metrics/runStatistics.ts';
import type { Dispatcher, Receiver, ReceiverDelivery } from './dispatcher.ts';
import { type FromThread, type PartResult, type ThreadTask, type ToThread, toMessage } from './messages.ts';

/** Maximum number of readings that wait for the thread. A thread that gets no CPU time loses further ones. */
export const MAX_WAITING = 120;

/** Limits of the memory of the thread. If it needs more, the thread ends, and the run continues. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/**
 * Passes values to a worker thread, which encodes and sends them. The thread of the caller, which runs the benchmark, only
 * copies the values.
 */
export class ThreadDispatcher implements Dispatcher {
  readonly #receivers: readonly Receiver[];
  readonly #worker: Worker;
  readonly #handled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #statistics = new Map<number, Statistics>();
  readonly #ended: Promise<readonly ReceiverDelivery[]>;
  #passed = 0;
  #passedPoints = 0;
  #droppedPoints = 0;
  #lastId = 0;

  /** @param version version of Servelens */
  constructor(receivers: readonly Receiver[], version: string) {
    this.#receivers = receivers;
    const workerData: ThreadTask = { receivers, version, handled: this.#handled };
    this.#worker = new Worker(new URL('./dispatchThread.js', import.meta.url), {
      workerData,
      name: 'push',
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#ended = this.#waitForEnd();
    this.#worker.unref();
  }

  add(batch: Batch): void {
    if (this.#passed - Atomics.load(this.#handled, 0) >= MAX_WAITING) {
      this.#droppedPoints += countPoints(batch);
      return;
    }
    this.#passed += 1;
    this.#passedPoints += countPoints(batch);
    this.#post({ type: 'add', batch: toMessage(batch) });
  }

  endSeries(run: RunIdentity, timeMs: number): void {
    this.#post({ type: 'end_series', run, timeMs });
  }

  addStatistics(statistics: Statistics): void {
    const { run, timeMs, points } = statistics;
    this.#lastId += 1;
    this.#passedPoints += points;
    this.#statistics.set(this.#lastId, statistics);
    this.#post({ type: 'statistics', id: this.#lastId, run, timeMs, points });
  }

  async close(timeoutMs: number): Promise<readonly ReceiverDelivery[]> {
    this.#worker.ref();
    this.#post({ type: 'close', timeoutMs });
    const deliveries = await this.#ended;
    return deliveries.map(delivery => ({
      ...delivery,
      droppedPoints: delivery.droppedPoints + this.#droppedPoints,
    }));
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Handles the messages of the thread until it has closed or failed. */
  #waitForEnd(): Promise<readonly ReceiverDelivery[]> {
    return new Promise(resolve => {
      let reason: string | undefined;
      this.#worker.on('message', (message: FromThread) => {
        if (message.type === 'closed') resolve(message.deliveries);
        else if (message.type === 'release') this.#release(message.id);
        else void this.#passPart(message.id, message.part);
      });
      this.#worker.on('error', error => {
        reason = error.message;
      });
      this.#worker.on('exit', code =>
        resolve(this.#describeFailure(reason ?? `it exited with code ${code}`)),
      );
    });
  }

  #release(id: number): void {
    this.#statistics.get(id)?.release();
    this.#statistics.delete(id);
  }

  async #passPart(id: number, part: number): Promise<void> {
    this.#post({ type: 'part', id, part, result: await this.#readPart(id, part) });
  }

  async #readPart(id: number, part: number): Promise<PartResult> {
    try {
      const batch = await this.#statistics.get(id)?.readPart(part);
      return batch ? { batch: toMessage(batch) } : {};
    } catch (error) {
      return { error: (error as Error).message };
    }
  }

  /** Describes the end of a thread that failed. How many of its values were sent is unknown, so all count as lost. */
  #describeFailure(reason: string): ReceiverDelivery[] {
    return this.#receivers.map(() => ({
      sentPoints: 0,
      requests: 0,
      retries: 0,
      droppedPoints: 0,
      rejectedPoints: 0,
      undeliveredPoints: this.#passedPoints,
      lastProblem: `the thread that sends values failed, and some of them may have been sent: ${reason}`,
    }));
  }
}

/** Starts a thread that sends values. */
export function startThreadDispatcher(receivers: readonly Receiver[], version: string): Dispatcher {
  const targets = receivers.map(({ protocol, url, headers }) => ({ protocol, url, headers }));
  return new ThreadDispatcher(targets, version);
}
