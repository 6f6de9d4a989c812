/**
 * Positions of a thread's counters within its cells. `waitingNs` is the time of the arrival that waits for a
 * slot. `processedBytes` is the total size of the thread's records that have been processed. `waitsForPrefill` is 1 if
 * the thread found no free prefill slot.
 */
const WORKER_CELLS = {
  sessions: 0,
  sent: 1,
  succeeded: 2,
  failed: 3,
  cancelled: 4,
  waitingNs: 5,
  processedBytes: 6,
  waitsForPrefill: 7,
} as const;
/** The name of a counter of one thread. */
export type WorkerCounter = keyof typeof WORKER_CELLS;
const CELLS_PER_WORKER = 8;

/** Counters that restart at 0 with each phase. */
const PHASE_COUNTERS = ['sessions', 'sent', 'succeeded', 'failed', 'cancelled', 'waitsForPrefill'] as const;

/** Positions of the cells shared by all threads, which precede the threads' cells. */
const REQUESTS = 0;
const ACTIVE = 1;
const ABORTED = 2;
const PREFILLS = 3;
const SHARED_CELLS = 4;

/** Value of `waitingNs` if no arrival is waiting. */
const NOT_WAITING = 2n ** 62n;

/**
 * The counters that the threads of a run share: the next request and session, the slots taken, and each
 * thread's progress. Every thread has a `Ledger` over the same memory; a single thread uses private memory.
 * Sessions are assigned round robin: thread w of n gets w, w + n, w + 2n, ..., so that each thread knows its
 * next sessions in advance.
 *
 * All access uses `Atomics`, so that all threads observe the same order of operations. Taking a number, a
 * session or a slot is a single operation. A thread writes only its own counters, with two exceptions: other
 * threads may increment `sessions`, and the receiver of its records writes `processedBytes`. Threads never
 * block on the ledger: a thread without work returns to its event loop.
 */
export class Ledger {
  readonly workers: number;
  readonly #cells: BigInt64Array;

  /** `buffer` has {@link Ledger.computeBytes} bytes, initially 0. */
  constructor(workers: number, buffer: ArrayBufferLike = new ArrayBuffer(Ledger.computeBytes(workers))) {
    this.workers = workers;
    this.#cells = new BigInt64Array(buffer);
  }

  /** Returns the size of a ledger's memory for a number of threads, in bytes. */
  static computeBytes(workers: number): number {
    return 8 * (SHARED_CELLS + CELLS_PER_WORKER * workers);
  }

  /**
   * Resets the counters of a phase; `processedBytes` covers the whole run. Not atomic: call it only between
   * phases, after all threads have ended the previous phase and before any thread starts the next.
   */
  reset(): void {
    Atomics.store(this.#cells, REQUESTS, 0n);
    Atomics.store(this.#cells, ACTIVE, 0n);
    Atomics.store(this.#cells, ABORTED, 0n);
    Atomics.store(this.#cells, PREFILLS, 0n);
    for (let worker = 0; worker < this.workers; worker++) {
      for (const name of PHASE_COUNTERS) this.#set(worker, name, 0n);
      this.#set(worker, 'waitingNs', NOT_WAITING);
    }
  }

  /** Number of request numbers taken; may exceed the maximum. */
  get requests(): number {
    return Number(Atomics.load(this.#cells, REQUESTS));
  }

  /** True if a thread has aborted the phase for all threads. */
  get isAborted(): boolean {
    return Atomics.load(this.#cells, ABORTED) === 1n;
  }

  /** Aborts the phase for all threads. */
  abort(): void {
    Atomics.store(this.#cells, ABORTED, 1n);
  }

  /** Takes the next request number; undefined if `max` numbers have been taken. */
  takeRequest(max: number): number | undefined {
    const number = Number(Atomics.add(this.#cells, REQUESTS, 1n));
    return number < max ? number : undefined;
  }

  /** Takes the next session assigned to a thread; undefined if its number is `max` or more. */
  takeSession(worker: number, max: number): number | undefined {
    const cell = this.#findCell(worker, 'sessions');
    for (;;) {
      const taken = Atomics.load(this.#cells, cell);
      const number = worker + this.workers * Number(taken);
      if (!(number < max)) return undefined;
      // Retry if another thread has taken the session in the meantime.
      if (Atomics.compareExchange(this.#cells, cell, taken, taken + 1n) === taken) return number;
    }
  }

  /** Takes the next session assigned to a thread or, if there is none left, to another thread. */
  takeAnySession(worker: number, max: number): number | undefined {
    for (let ahead = 0; ahead < this.workers; ahead++) {
      const number = this.takeSession((worker + ahead) % this.workers, max);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** Reports whether a thread has an assigned session left whose number is below `max`. */
  hasSession(worker: number, max: number): boolean {
    return worker + this.workers * this.count(worker, 'sessions') < max;
  }

  /** Reports whether any thread has an assigned session left whose number is below `max`. */
  hasAnySession(max: number): boolean {
    for (let worker = 0; worker < this.workers; worker++) if (this.hasSession(worker, max)) return true;
    return false;
  }

  /** Upper bound of the session numbers taken, exclusive. */
  get sessionsEnd(): number {
    let end = 0;
    for (let worker = 0; worker < this.workers; worker++) {
      const taken = this.count(worker, 'sessions');
      if (taken > 0) end = Math.max(end, worker + this.workers * (taken - 1) + 1);
    }
    return end;
  }

  /**
   * Takes a shared slot for an arrival at `arrivalNs`. Returns false if no slot is free or an earlier arrival
   * waits in another thread; the arrival then counts as waiting until {@link stopWaiting}.
   */
  takeSlot(worker: number, arrivalNs: number, slots: number): boolean {
    // Announce the arrival before checking other threads, so that of two threads at least one sees the other's
    // arrival.
    this.#set(worker, 'waitingNs', BigInt(Math.round(arrivalNs)));
    for (let other = 0; other < this.workers; other++)
      if (other !== worker && this.count(other, 'waitingNs') < arrivalNs) return false;
    if (!this.#increment(ACTIVE, slots)) return false;
    this.stopWaiting(worker);
    return true;
  }

  /**
   * Withdraws a thread's waiting arrival. Returns true if there was one; later arrivals may have been waiting
   * behind it.
   */
  stopWaiting(worker: number): boolean {
    return Atomics.exchange(this.#cells, this.#findCell(worker, 'waitingNs'), NOT_WAITING) !== NOT_WAITING;
  }

  /** Number of shared slots taken. */
  get active(): number {
    return Number(Atomics.load(this.#cells, ACTIVE));
  }

  /** Releases a shared slot. */
  releaseSlot(): void {
    Atomics.sub(this.#cells, ACTIVE, 1n);
  }

  /** Reports whether an arrival waits for a slot in another thread. */
  hasOtherWaiting(worker: number): boolean {
    for (let other = 0; other < this.workers; other++)
      if (other !== worker && this.count(other, 'waitingNs') < Number(NOT_WAITING)) return true;
    return false;
  }

  /**
   * Takes a shared prefill slot. Returns false if none is free; the thread then counts as waiting until it takes one.
   */
  takePrefill(worker: number, slots: number): boolean {
    // Announce the wait before checking, so that a thread that releases a slot in the meantime sees it.
    this.#set(worker, 'waitsForPrefill', 1n);
    if (!this.#increment(PREFILLS, slots)) return false;
    this.#set(worker, 'waitsForPrefill', 0n);
    return true;
  }

  /** Releases a shared prefill slot. */
  releasePrefill(): void {
    Atomics.sub(this.#cells, PREFILLS, 1n);
  }

  /** Reports whether another thread waits for a prefill slot. */
  hasOtherPrefillWaiting(worker: number): boolean {
    for (let other = 0; other < this.workers; other++)
      if (other !== worker && this.count(other, 'waitsForPrefill') > 0) return true;
    return false;
  }

  /** Returns the value of a thread's counter. */
  count(worker: number, name: WorkerCounter): number {
    return Number(Atomics.load(this.#cells, this.#findCell(worker, name)));
  }

  add(worker: number, name: WorkerCounter, by = 1): void {
    Atomics.add(this.#cells, this.#findCell(worker, name), BigInt(by));
  }

  /** Returns the sum of a counter over all threads. */
  sum(name: WorkerCounter): number {
    let sum = 0;
    for (let worker = 0; worker < this.workers; worker++) sum += this.count(worker, name);
    return sum;
  }

  /** Adds 1 to a shared cell, unless it is `max` or more. Returns true if it was added. */
  #increment(cell: number, max: number): boolean {
    for (;;) {
      const value = Atomics.load(this.#cells, cell);
      if (Number(value) >= max) return false;
      if (Atomics.compareExchange(this.#cells, cell, value, value + 1n) === value) return true;
    }
  }

  #findCell(worker: number, name: WorkerCounter): number {
    return SHARED_CELLS + worker * CELLS_PER_WORKER + WORKER_CELLS[name];
  }

  #set(worker: number, name: WorkerCounter, value: bigint): void {
    Atomics.store(this.#cells, this.#findCell(worker, name), value);
  }
}
