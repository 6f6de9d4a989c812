import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RoundTrip } from './roundTripProbe.ts';

/** The servers to measure, and the time between measurements. */
export interface ProbeTask {
  readonly urls: readonly string[];
  readonly intervalS: number;
}

/** A message to the thread. */
export type ToProbe = 'start' | 'stop';

/** A message from the thread: `ready` first, and the measurements at the end. */
export type FromProbe = 'ready' | readonly RoundTrip[];

/**
 * Measures round trips in a worker thread, because the end of a handshake would be noticed late in the thread that sends
 * requests and receives their responses.
 */
export class RoundTrips {
  readonly #worker: Worker;
  /** Resolves when the thread has ended. */
  readonly #exited: Promise<void>;
  #isStarted = false;
  #failure: string | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('error', error => {
      this.#failure = `the thread that measures it failed: ${error.message}`;
    });
    this.#exited = new Promise(resolve => worker.once('exit', () => resolve()));
  }

  /** Why the measurements are lost, if the thread failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Starts the thread with its main module, and resolves the addresses of the servers. */
  static async open(
    task: ProbeTask,
    module: URL = new URL('./probeThread.js', import.meta.url),
  ): Promise<RoundTrips> {
    const worker = new Worker(module, { workerData: task });
    await once(worker, 'message');
    return new RoundTrips(worker);
  }

  /** Starts to measure. */
  start(): void {
    this.#isStarted = true;
    this.#worker.postMessage('start' satisfies ToProbe);
  }

  /** Ends the measurements and the thread. Returns no measurements if they were not started, or if the thread failed. */
  async stop(): Promise<readonly RoundTrip[]> {
    if (!this.#isStarted) {
      await this.#worker.terminate();
      return [];
    }
    this.#worker.ref();
    const received = new Promise<FromProbe>(resolve => this.#worker.once('message', resolve));
    this.#worker.postMessage('stop' satisfies ToProbe);
    const roundTrips = await Promise.race([received, this.#exited]);
    await this.#worker.terminate();
    return Array.isArray(roundTrips) ? roundTrips : [];
  }
}
