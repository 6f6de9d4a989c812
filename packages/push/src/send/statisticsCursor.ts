import { type Batch, countPoints } from '../metrics/batch.ts';
import type { Statistics } from '../metrics/runStatistics.ts';

/** The parts of statistics that one receiver has not taken yet. */
export class StatisticsCursor {
  readonly #statistics: Statistics;
  readonly #onClose: () => void;
  #part = 0;
  #restPoints: number;
  #isClosed = false;

  /** @param onClose called when the receiver needs no further part */
  constructor(statistics: Statistics, onClose: () => void) {
    this.#statistics = statistics;
    this.#onClose = onClose;
    this.#restPoints = statistics.points;
  }

  /** Returns the next part; undefined after the last one, and if the cursor was closed. */
  async next(): Promise<Batch | undefined> {
    const batch = await this.#statistics.readPart(this.#part);
    if (!batch || this.#isClosed) return undefined;
    this.#part += 1;
    this.#restPoints -= countPoints(batch);
    return batch;
  }

  /** Leaves out the remaining parts. Returns the number of their points. */
  close(): number {
    if (this.#isClosed) return 0;
    this.#isClosed = true;
    this.#onClose();
    return this.#restPoints;
  }
}
