import type { ArrivalSchedule } from '../schedule/arrivalSchedule.ts';

/** Position of a worker thread among all threads of a run. */
interface WorkerPosition {
  readonly worker: number;
  readonly workers: number;
}

/** The arrivals of one thread in the order of a schedule, in ns since the run's origin. */
class Cursor {
  readonly #schedule: ArrivalSchedule | undefined;
  readonly #position: WorkerPosition;
  #startNs = 0;
  /** The current arrival; undefined after the last one. */
  nextNs: number | undefined;

  constructor(schedule: ArrivalSchedule | undefined, position: WorkerPosition) {
    this.#schedule = schedule;
    this.#position = position;
  }

  /** Moves to the first arrival. */
  start(startNs: number): void {
    this.#startNs = startNs;
    this.#skip(this.#position.worker);
    this.advance();
  }

  advance(): void {
    const next = this.#schedule?.next();
    this.nextNs = next === undefined ? undefined : this.#startNs + next;
    // Skip the arrivals of the other threads.
    this.#skip(this.#position.workers - 1);
  }

  #skip(count: number): void {
    for (let skipped = 0; skipped < count; skipped++) this.#schedule?.next();
  }
}

/**
 * The arrivals of one thread in open loop. Each of n threads draws the whole schedule and keeps every n-th
 * arrival, so that a seed results in the same schedule for any number of threads.
 *
 * Arrivals that are due but not yet served are not stored, because a schedule may be far ahead of a slow
 * server. Instead, the schedule is drawn twice: for the next arrival to serve, and to count the due arrivals.
 */
export class ArrivalQueue {
  /** The next arrival to serve. */
  readonly #served: Cursor;
  /** The next arrival that is not yet due. */
  readonly #due: Cursor;
  #dueCount = 0;

  /** Without a schedule, in closed loop, the queue is always empty. `createSchedule` is called twice. */
  constructor(createSchedule: (() => ArrivalSchedule) | undefined, position: WorkerPosition) {
    this.#served = new Cursor(createSchedule?.(), position);
    this.#due = new Cursor(createSchedule?.(), position);
  }

  /** Draws the first arrival. `startNs` is the start of the phase, in ns since the run's origin. */
  start(startNs: number): void {
    this.#served.start(startNs);
    this.#due.start(startNs);
  }

  /** Time of the next arrival that is not yet due, in ns since the run's origin. */
  get nextNs(): number | undefined {
    return this.#due.nextNs;
  }

  /** Time of the oldest due arrival, in ns since the run's origin. */
  get oldestDueNs(): number | undefined {
    return this.#dueCount === 0 ? undefined : this.#served.nextNs;
  }

  /** Number of due arrivals. */
  get dueCount(): number {
    return this.#dueCount;
  }

  /** True if there are no arrivals left, due or not. */
  get isEmpty(): boolean {
    return this.nextNs === undefined && this.#dueCount === 0;
  }

  /** Marks the arrivals up to `nowNs` as due. */
  collect(nowNs: number): void {
    while (this.#due.nextNs !== undefined && this.#due.nextNs <= nowNs) {
      this.#dueCount += 1;
      this.#due.advance();
    }
  }

  /** Removes the oldest due arrival. */
  removeOldest(): void {
    this.#dueCount -= 1;
    this.#served.advance();
  }

  /** Removes all due arrivals. */
  clear(): void {
    while (this.#dueCount > 0) this.removeOldest();
  }
}
