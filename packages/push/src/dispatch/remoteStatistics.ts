import type { Batch, RunIdentity } from '../metrics/batch.ts';
import type { Statistics } from '../metrics/runStatistics.ts';
import { fromMessage, type PartResult, type StatisticsFacts } from './messages.ts';

/** Number of parts that are kept for other receivers, which usually need the same part at about the same time. */
export const KEPT_PARTS = 8;

/** How parts are requested from the thread that has the statistics. */
export interface PartSource {
  readonly requestPart: (part: number) => void;
  readonly release: () => void;
}

/** Statistics that another thread has. Each part is requested when a receiver needs it. */
export class RemoteStatistics implements Statistics {
  readonly run: RunIdentity;
  readonly timeMs: number;
  readonly points: number;
  readonly #source: PartSource;
  /** The parts that are requested or kept, by their number. */
  readonly #parts = new Map<number, Promise<Batch | undefined>>();
  /** The functions that settle the parts that were requested. */
  readonly #requests = new Map<number, (result: PartResult) => void>();
  /** The numbers of the parts that have arrived, the oldest first. */
  readonly #arrived: number[] = [];

  constructor({ run, timeMs, points }: StatisticsFacts, source: PartSource) {
    this.run = run;
    this.timeMs = timeMs;
    this.points = points;
    this.#source = source;
  }

  readPart(part: number): Promise<Batch | undefined> {
    const known = this.#parts.get(part);
    if (known) return known;
    const requested = new Promise<Batch | undefined>((resolve, reject) => {
      this.#requests.set(part, result => {
        if ('error' in result) reject(new Error(result.error));
        else resolve(result.batch && fromMessage(result.batch));
      });
    });
    this.#parts.set(part, requested);
    this.#source.requestPart(part);
    return requested;
  }

  /** Receives a part that was requested. */
  receivePart(part: number, result: PartResult): void {
    this.#requests.get(part)?.(result);
    this.#requests.delete(part);
    this.#arrived.push(part);
    if (this.#arrived.length > KEPT_PARTS) this.#parts.delete(this.#arrived.shift()!);
  }

  release(): void {
    this.#source.release();
  }
}
