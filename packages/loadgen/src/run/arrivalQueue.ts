import type { ArrivalSchedule } from '../schedule/arrivalSchedule.ts';

/** Position of a worker thread among all threads of a run. */
interface WorkerPosition {
  readonly worker: number;
  readonly workers: number;
}

/**
 * The arrivals of one thread in open loop. Each of n threads draws the whole schedule and keeps every n-th
 * arrival, so that a seed results in the same schedule for any number of threads.
 */
export class ArrivalQueue {
  readonly #schedule: ArrivalSchedule | undefined;
  readonly #position: WorkerPosition;
  /** Arrivals that are due but not yet served, in ns since the run's origin. */
  readonly #dueNs: number[] = [];
  #startNs = 0;
  #nextNs: number | undefined;

  /** Without a schedule, in closed loop, the queue is always empty. */
  constructor(schedule: ArrivalSchedule | undefined, position: WorkerPosition) {
    this.#schedule = schedule;
    this.#position = position;
  }

  /** Draws the first arrival. `startNs` is the start of the phase, in ns since the run's origin. */
  start(startNs: number): void {
    this.#startNs = startNs;
    this.#skip(this.#position.worker);
    this.#advance();
  }

  /** Time of the next arrival that is not yet due, in ns since the run's origin. */
  get nextNs(): number | undefined {
    return this.#nextNs;
  }

  /** Time of the oldest due arrival, in ns since the run's origin. */
  get oldestDueNs(): number | undefined {
    return this.#dueNs[0];
  }

  /** Number of due arrivals. */
  get dueCount(): number {
    return this.#dueNs.length;
  }

  /** True if there are no arrivals left, due or not. */
  get isEmpty(): boolean {
    return this.#nextNs === undefined && this.#dueNs.length === 0;
  }

  /** Marks the arrivals up to `nowNs` as due. */
  collect(nowNs: number): void {
    while (this.#nextNs !== undefined && this.#nextNs <= nowNs) {
      this.#dueNs.push(this.#nextNs);
      this.#advance();
    }
  }

  /** Removes the oldest due arrival. */
  removeOldest(): void {
    this.#dueNs.shift();
  }

  /** Removes all due arrivals. */
  clear(): void {
    this.#dueNs.length = 0;
  }

  #advance(): void {
    const next = this.#schedule?.next();
    this.#nextNs = next === undefined ? undefined : this.#startNs + next;
    // Skip the arrivals of the other threads.
    this.#skip(this.#position.workers - 1);
  }

  #skip(count: number): void {
    for (let skipped = 0; skipped < count; skipped++) this.#schedule?.next();
  }
}
