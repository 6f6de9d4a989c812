import { type Batch, countPoints } from '../metrics/batch.ts';
import { splitBatch } from '../metrics/splitBatch.ts';
import type { StatisticsCursor } from './statisticsCursor.ts';

/** Maximum number of batches of live values that wait: two minutes of one batch per second. */
export const MAX_BATCHES = 120;
/** Maximum number of live values that wait, which bounds the memory if a run has many series. */
export const MAX_POINTS = 200_000;
/** Maximum number of live values in a request. */
export const MAX_LIVE_PART = 500;
/** Maximum number of ended runs whose statistics wait. */
export const MAX_STATISTICS = 4;

/** The parts of large batches, so that all receivers send the same parts. */
const PARTS = new WeakMap<Batch, readonly Batch[]>();

/**
 * The batches that wait to be sent. The queue is bounded: the oldest batches are dropped. Statistics of ended runs wait in
 * their own queue, and are read part by part, because they may have a million points.
 */
export class BatchQueue {
  readonly #live: Batch[] = [];
  readonly #statistics: StatisticsCursor[] = [];
  /** The remaining parts of the batch that was taken last. */
  #parts: Batch[] = [];
  #livePoints = 0;
  /** Number of points that were dropped because the queue was full. */
  droppedPoints = 0;
  /** Number of statistics that could not be read. */
  unreadPoints = 0;

  get isEmpty(): boolean {
    return this.#parts.length + this.#live.length + this.#statistics.length === 0;
  }

  /** Adds a batch of live values. The newest batch is kept, even if it alone exceeds the maximum. */
  add(batch: Batch): void {
    this.#live.push(batch);
    this.#livePoints += countPoints(batch);
    while (this.#isOverfull) this.droppedPoints += countPoints(this.#takeLive()!);
  }

  /** Adds the statistics of a run. */
  addStatistics(cursor: StatisticsCursor): void {
    this.#statistics.push(cursor);
    if (this.#statistics.length > MAX_STATISTICS) this.droppedPoints += this.#statistics.shift()!.close();
  }

  /**
   * Removes the oldest batch, or a part of it if it is large; undefined if none waits. Live values precede statistics.
   *
   * @throws Error if statistics cannot be read. They are removed.
   */
  async take(): Promise<Batch | undefined> {
    if (this.#parts.length === 0) {
      const batch = this.#takeLive();
      if (!batch) return await this.#takeStatistics();
      this.#parts = [...splitOnce(batch)];
    }
    return this.#parts.shift();
  }

  /** Removes all batches, and returns the number of their points. */
  clear(): number {
    const batches = [...this.#parts.splice(0), ...this.#live.splice(0)];
    this.#livePoints = 0;
    const points = batches.reduce((sum, batch) => sum + countPoints(batch), 0);
    return this.#statistics.splice(0).reduce((sum, cursor) => sum + cursor.close(), points);
  }

  get #isOverfull(): boolean {
    const { length } = this.#live;
    return length > MAX_BATCHES || (length > 1 && this.#livePoints > MAX_POINTS);
  }

  #takeLive(): Batch | undefined {
    const batch = this.#live.shift();
    if (batch) this.#livePoints -= countPoints(batch);
    return batch;
  }

  async #takeStatistics(): Promise<Batch | undefined> {
    for (let cursor = this.#statistics[0]; cursor; cursor = this.#statistics[0]) {
      const batch = await this.#readNext(cursor);
      if (batch) return batch;
      this.#remove(cursor);
    }
    return undefined;
  }

  async #readNext(cursor: StatisticsCursor): Promise<Batch | undefined> {
    try {
      return await cursor.next();
    } catch (error) {
      this.unreadPoints += this.#remove(cursor);
      throw error;
    }
  }

  /** Removes statistics that have been read, unless they were dropped meanwhile. Returns the number of remaining points. */
  #remove(cursor: StatisticsCursor): number {
    const at = this.#statistics.indexOf(cursor);
    if (at >= 0) this.#statistics.splice(at, 1);
    return cursor.close();
  }
}

function splitOnce(batch: Batch): readonly Batch[] {
  const parts = PARTS.get(batch) ?? splitBatch(batch, MAX_LIVE_PART);
  PARTS.set(batch, parts);
  return parts;
}
