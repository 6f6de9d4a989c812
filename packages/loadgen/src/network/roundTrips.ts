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
  #isStarted = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('error', () => {});
  }

  /** Starts the thread, and resolves the addresses of the servers. */
  static async open(task: ProbeTask): Promise<RoundTrips> {
    const worker = new Worker(new URL('./probeThread.js', import.meta.url), { workerData: task });
    await once(worker, 'message');
    return new RoundTrips(worker);
  }

  /** Starts to measure. */
  start(): void {
    this.#isStarted = true;
    this.#worker.postMessage('start' satisfies ToProbe);
  }

  /** Ends the measurements and the thread. Returns no measurements if they were not started. */
  async stop(): Promise<readonly RoundTrip[]> {
    if (!this.#isStarted) {
      await this.#worker.terminate();
      return [];
    }
    this.#worker.ref();
    const ended = once(this.#worker, 'message') as Promise<[FromProbe]>;
    this.#worker.postMessage('stop' satisfies ToProbe);
    const [roundTrips] = await ended.catch((): [FromProbe] => [[]]);
    await this.#worker.terminate();
    return roundTrips === 'ready' ? [] : roundTrips;
  }
}
