import { type Batch, countPoints } from '../metrics/batch.ts';
import { splitBatch } from '../metrics/splitBatch.ts';

/** Maximum number of batches of live values that wait: two minutes of one batch per second. */
export const MAX_BATCHES = 120;
/** Maximum number of live values that wait, which bounds the memory if a run has many series. */
export const MAX_POINTS = 200_000;
/** Maximum number of live values in a request. Its encoding delays the run, by a few milliseconds at most. */
export const MAX_LIVE_PART = 500;
/** Maximum number of ended runs whose statistics wait. */
export const MAX_STATISTICS = 4;

/**
 * The batches that wait to be sent. The queue is bounded: the oldest batches are dropped. Statistics of ended runs wait in
 * their own queue, and are converted to batches one by one, because they may have a million points.
 */
export class BatchQueue {
  readonly #live: Batch[] = [];
  readonly #statistics: Iterator<Batch>[] = [];
  /** The remaining parts of the batch that was taken last. */
  #parts: Batch[] = [];
  #livePoints = 0;
  /** Number of points that were dropped because the queue was full. */
  droppedPoints = 0;

  /** Adds a batch of live values. The newest batch is kept, even if it alone exceeds the maximum. */
  add(batch: Batch): void {
    this.#live.push(batch);
    this.#livePoints += countPoints(batch);
    while (this.#isOverfull) this.droppedPoints += countPoints(this.#takeLive()!);
  }

  /** Adds the statistics of a run. */
  addStatistics(batches: Iterable<Batch>): void {
    this.#statistics.push(batches[Symbol.iterator]());
    if (this.#statistics.length > MAX_STATISTICS) this.droppedPoints += countAll(this.#statistics.shift()!);
  }

  /** Removes the oldest batch, or a part of it if it is large; undefined if none waits. Live values precede statistics. */
  take(): Batch | undefined {
    if (this.#parts.length === 0) {
      const batch = this.#takeLive();
      if (!batch) return this.#takeStatistics();
      this.#parts = splitBatch(batch, MAX_LIVE_PART);
    }
    return this.#parts.shift();
  }

  /** Removes all batches, and returns the number of their points. */
  clear(): number {
    const batches = [...this.#parts.splice(0), ...this.#live.splice(0)];
    this.#livePoints = 0;
    let points = countAll(batches[Symbol.iterator]());
    for (const statistics of this.#statistics.splice(0)) points += countAll(statistics);
    return points;
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

  #takeStatistics(): Batch | undefined {
    for (let next = this.#statistics[0]?.next(); next; next = this.#statistics[0]?.next()) {
      if (!next.done) return next.value;
      this.#statistics.shift();
    }
    return undefined;
  }
}

function countAll(batches: Iterator<Batch>): number {
  let points = 0;
  for (let next = batches.next(); !next.done; next = batches.next()) points += countPoints(next.value);
  return points;
}
