import { type Batch, countPoints } from '../metrics/batch.ts';

/** Maximum number of batches that wait: two minutes of one batch per second. */
export const MAX_BATCHES = 120;
/** Maximum number of ended runs whose statistics wait. */
export const MAX_STATISTICS = 4;

/**
 * The batches that wait to be sent. The queue is bounded: the oldest batches are dropped. Statistics of ended runs wait in
 * their own queue, and are converted to batches one by one, because they may have a million points.
 */
export class BatchQueue {
  readonly #batches: Batch[] = [];
  readonly #statistics: Iterator<Batch>[] = [];
  /** Number of points that were dropped because the queue was full. */
  droppedPoints = 0;

  get isEmpty(): boolean {
    if (this.#batches.length === 0) this.#fill();
    return this.#batches.length === 0;
  }

  /** Adds a batch of live values. */
  add(batch: Batch): void {
    this.#batches.push(batch);
    if (this.#batches.length > MAX_BATCHES) this.droppedPoints += countPoints(this.#batches.shift()!);
  }

  /** Adds the statistics of a run. */
  addStatistics(batches: Iterable<Batch>): void {
    this.#statistics.push(batches[Symbol.iterator]());
    if (this.#statistics.length > MAX_STATISTICS) this.droppedPoints += countAll(this.#statistics.shift()!);
  }

  /** Removes the oldest batch; undefined if none waits. Live values are sent before statistics. */
  take(): Batch | undefined {
    if (this.#batches.length === 0) this.#fill();
    return this.#batches.shift();
  }

  /** Removes all batches, and returns the number of their points. */
  clear(): number {
    let points = this.#batches.splice(0).reduce((sum, batch) => sum + countPoints(batch), 0);
    for (const batches of this.#statistics.splice(0)) points += countAll(batches);
    return points;
  }

  #fill(): void {
    for (let next = this.#statistics[0]?.next(); next; next = this.#statistics[0]?.next()) {
      if (!next.done) {
        this.#batches.push(next.value);
        return;
      }
      this.#statistics.shift();
    }
  }
}

function countAll(batches: Iterator<Batch>): number {
  let points = 0;
  for (let next = batches.next(); !next.done; next = batches.next()) points += countPoints(next.value);
  return points;
}
