/** Counts of one thread. */
const OWN = { sessions: 0, sent: 1, succeeded: 2, failed: 3, cancelled: 4, waitingNs: 5, taken: 6 } as const;
export type OwnCount = keyof typeof OWN;
const OWN_CELLS = 7;

/** Those of a phase. */
const PHASE = ['sessions', 'sent', 'succeeded', 'failed', 'cancelled'] as const;

/** Counts that all threads share: they come first. */
const REQUESTS = 0;
const ACTIVE = 1;
const SHARED = 2;

/** Nothing waits. */
const NEVER = 2n ** 62n;

/**
 * What the threads of a run count together, in memory that they share: which request and which session is the next one, how many
 * places are taken, and how far each thread is. Every thread has a `Ledger` over the same memory; one thread alone has its own.
 * The sessions of a phase are dealt out: thread w of n has w, w + n, w + 2n, ..., so that it knows which ones are coming.
 *
 * All access is by `Atomics`, which put it into one order for all threads, and what must not be divided (taking a number, a session, a
 * place) is one of their operations. Only the thread itself writes its counts, but for `sessions`, from which others may take, and
 * `taken`, which whoever takes the records writes. Nobody sleeps here: a thread that finds nothing to do goes back to its event loop.
 */
export class Ledger {
  readonly workers: number;
  readonly #cells: BigInt64Array;

  /** `buffer`: of {@link Ledger.bytes}, all zero. */
  constructor(workers: number, buffer: ArrayBufferLike = new ArrayBuffer(Ledger.bytes(workers))) {
    this.workers = workers;
    this.#cells = new BigInt64Array(buffer);
  }

  /** The size of the memory for so many threads. */
  static bytes(workers: number): number {
    return 8 * (SHARED + OWN_CELLS * workers);
  }

  /**
   * Begins a phase. What has been taken from a thread is a count of the whole run. Cell by cell, and so only between the phases, when
   * all threads have ended the earlier one and none has been told to begin the next.
   */
  reset(): void {
    Atomics.store(this.#cells, REQUESTS, 0n);
    Atomics.store(this.#cells, ACTIVE, 0n);
    for (let worker = 0; worker < this.workers; worker++) {
      for (const name of PHASE) this.#set(worker, name, 0n);
      this.#set(worker, 'waitingNs', NEVER);
    }
  }

  /** Requests that have been given a number. */
  get requests(): number {
    return Number(Atomics.load(this.#cells, REQUESTS));
  }

  /** The number of the next request; undefined when there are `most`. */
  takeRequest(most: number): number | undefined {
    const number = Number(Atomics.add(this.#cells, REQUESTS, 1n));
    return number < most ? number : undefined;
  }

  /** The number of the next session that was dealt to a thread, below `most`; undefined when there is none. */
  takeSession(worker: number, most: number): number | undefined {
    const cell = this.#cell(worker, 'sessions');
    for (;;) {
      const begun = Atomics.load(this.#cells, cell);
      const number = worker + this.workers * Number(begun);
      if (!(number < most)) return undefined;
      // Another thread may take it in between.
      if (Atomics.compareExchange(this.#cells, cell, begun, begun + 1n) === begun) return number;
    }
  }

  /** The next session of this thread, or else one that was dealt to another: nobody is idle while there is one. */
  takeAnySession(worker: number, most: number): number | undefined {
    for (let ahead = 0; ahead < this.workers; ahead++) {
      const number = this.takeSession((worker + ahead) % this.workers, most);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  /** Whether a session below `most` is left of those dealt to a thread. */
  hasSession(worker: number, most: number): boolean {
    return worker + this.workers * this.count(worker, 'sessions') < most;
  }

  hasAnySession(most: number): boolean {
    for (let worker = 0; worker < this.workers; worker++) if (this.hasSession(worker, most)) return true;
    return false;
  }

  /** All sessions that were begun have numbers below this. */
  get sessionsEnd(): number {
    let end = 0;
    for (let worker = 0; worker < this.workers; worker++) {
      const begun = this.count(worker, 'sessions');
      if (begun > 0) end = Math.max(end, worker + this.workers * (begun - 1) + 1);
    }
    return end;
  }

  /**
   * Takes one of the places for an arrival of this time, ns; false when all are taken, or when an older arrival waits in another
   * thread. Then it is known to wait until {@link stopWaiting}.
   */
  enter(worker: number, arrivalNs: number, places: number): boolean {
    // It is said before the others and the places are looked at: of two threads at once, one at least sees the other.
    this.#set(worker, 'waitingNs', BigInt(Math.round(arrivalNs)));
    for (let other = 0; other < this.workers; other++)
      if (other !== worker && this.count(other, 'waitingNs') < arrivalNs) return false;
    for (;;) {
      const active = Atomics.load(this.#cells, ACTIVE);
      if (Number(active) >= places) return false;
      if (Atomics.compareExchange(this.#cells, ACTIVE, active, active + 1n) === active) break;
    }
    this.stopWaiting(worker);
    return true;
  }

  /** Returns whether it was known to wait: younger arrivals of other threads may have waited behind it. */
  stopWaiting(worker: number): boolean {
    return Atomics.exchange(this.#cells, this.#cell(worker, 'waitingNs'), NEVER) !== NEVER;
  }

  /** Common places that are taken. */
  get active(): number {
    return Number(Atomics.load(this.#cells, ACTIVE));
  }

  /** Gives a place back. */
  leave(): void {
    Atomics.sub(this.#cells, ACTIVE, 1n);
  }

  /** Whether arrivals wait for a place in another thread. */
  othersWait(worker: number): boolean {
    for (let other = 0; other < this.workers; other++)
      if (other !== worker && this.count(other, 'waitingNs') < Number(NEVER)) return true;
    return false;
  }

  count(worker: number, name: OwnCount): number {
    return Number(Atomics.load(this.#cells, this.#cell(worker, name)));
  }

  add(worker: number, name: OwnCount, by = 1): void {
    Atomics.add(this.#cells, this.#cell(worker, name), BigInt(by));
  }

  /** A count of all threads together. */
  total(name: OwnCount): number {
    let sum = 0;
    for (let worker = 0; worker < this.workers; worker++) sum += this.count(worker, name);
    return sum;
  }

  #cell(worker: number, name: OwnCount): number {
    return SHARED + worker * OWN_CELLS + OWN[name];
  }

  #set(worker: number, name: OwnCount, value: bigint): void {
    Atomics.store(this.#cells, this.#cell(worker, name), value);
  }
}
