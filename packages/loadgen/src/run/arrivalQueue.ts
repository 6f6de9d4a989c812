import type { ArrivalSchedule } from '../schedule/arrivalSchedule.ts';

/** Position of a worker thread among all threads of a run. */
interface WorkerPosition {
  readonly worker: number;
  readonly workers: number;
}

/**
 * The arrivals of one thread in open loop. Every thread draws the whole schedule and keeps each n-th arrival, so that the same
 * seed gives the same schedule with any number of threads.
 */
export class ArrivalQueue {
  readonly #schedule: ArrivalSchedule | undefined;
  readonly #position: WorkerPosition;
  /** Arrivals that are due and not yet served, in ns of the run. */
  readonly #due: number[] = [];
  #startNs = 0;
  #nextNs: number | undefined;

  /** Without a schedule, in closed loop, the queue is always empty. */
  constructor(schedule: ArrivalSchedule | undefined, position: WorkerPosition) {
    this.#schedule = schedule;
    this.#position = position;
  }

  /** Draws the first arrival. `startNs` is the start of the phase, in ns of the run. */
  start(startNs: number): void {
    this.#startNs = startNs;
    this.#skip(this.#position.worker);
    this.#advance();
  }

  /** Time of the next arrival that is not yet due, in ns of the run. */
  get nextNs(): number | undefined {
    return this.#nextNs;
  }

  /** Time of the oldest arrival that is due, in ns of the run. */
  get oldestDueNs(): number | undefined {
    return this.#due[0];
  }

  /** Number of arrivals that are due. */
  get dueCount(): number {
    return this.#due.length;
  }

  /** True if there are no arrivals left, due or not. */
  get isEmpty(): boolean {
    return this.#nextNs === undefined && this.#due.length === 0;
  }

  /** Adds the arrivals up to `nowNs` to those that are due. */
  collect(nowNs: number): void {
    while (this.#nextNs !== undefined && this.#nextNs <= nowNs) {
      this.#due.push(this.#nextNs);
      this.#advance();
    }
  }

  /** Removes the oldest arrival that is due. */
  removeOldest(): void {
    this.#due.shift();
  }

  /** Removes all arrivals that are due. */
  clear(): void {
    this.#due.length = 0;
  }

  #advance(): void {
    const next = this.#schedule?.next();
    this.#nextNs = next === undefined ? undefined : this.#startNs + next;
    // The arrivals in between belong to the other threads.
    this.#skip(this.#position.workers - 1);
  }

  #skip(count: number): void {
    for (let skipped = 0; skipped < count; skipped++) this.#schedule?.next();
  }
}
