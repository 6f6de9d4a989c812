/** Interval for journaling the health of all endpoints, in milliseconds. */
const HEALTH_INTERVAL_MS = 5000;
/**
 * Delay between a change of health and its journal record, in milliseconds. Changes during the delay are
 * written together.
 */
const HEALTH_DELAY_MS = 250;

/** Writers of journal records between the frames of endpoints. */
export interface HealthWriters {
  /** Journals the health of the endpoints. */
  readonly writeHealth: () => void;
  /** Journals the cost of scraping. */
  readonly writeCost: () => void;
}

/** Decides when the health of the endpoints is journaled: at intervals, and shortly after it has changed. */
export class HealthJournal {
  readonly #writers: HealthWriters;
  #interval: NodeJS.Timeout | undefined;
  #delay: NodeJS.Timeout | undefined;

  constructor(writers: HealthWriters) {
    this.#writers = writers;
  }

  /** Starts to journal the health and the cost at intervals. */
  start(): void {
    this.#interval = setInterval(() => {
      this.#writers.writeHealth();
      this.#writers.writeCost();
    }, HEALTH_INTERVAL_MS);
    this.#interval.unref();
  }

  /** Journals changed health after a short delay. If many endpoints fail at once, their health is written once. */
  writeSoon(): void {
    this.#delay ??= setTimeout(() => {
      this.#delay = undefined;
      this.#writers.writeHealth();
    }, HEALTH_DELAY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#interval);
    clearTimeout(this.#delay);
  }
}
