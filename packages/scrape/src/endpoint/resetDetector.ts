import { type Layout, RestartDetector, type Slot } from '@org/core';

/** A reset between two scrapes. */
export interface DetectedReset {
  /** Number of counters that decreased. */
  readonly counters: number;
  /** True if the start time of the process changed, or its uptime fell. */
  readonly hasRestarted: boolean;
}

/**
 * Detects counter resets of one endpoint, which indicate that its server, or a part of it, has restarted.
 * Each counter is compared with its last known value, because after a restart many series are absent until
 * their first increment.
 */
export class ResetDetector {
  readonly #layout: Layout;
  /** The slots of counters and of histogram counts. */
  readonly #slots: Slot[] = [];
  /** The last known value of each slot; NaN if unknown. */
  readonly #lastValues: number[] = [];
  readonly #restarts: RestartDetector;
  #seriesCount = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#restarts = new RestartDetector(layout);
  }

  /**
   * Compares the values of the next scrape with the last known values. Returns undefined if no counter decreased and
   * the server did not restart.
   */
  observe(values: Float64Array): DetectedReset | undefined {
    this.#addNewSeries();
    const counters = this.#countDecreases(values);
    const hasRestarted = this.#restarts.observe(slot => values[slot] ?? Number.NaN);
    if (counters === 0 && !hasRestarted) return undefined;
    this.#discardAbsent(values);
    return { counters, hasRestarted };
  }

  #countDecreases(values: Float64Array): number {
    let decreases = 0;
    const lastValues = this.#lastValues;
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i++) {
      const value = values[slots[i]!];
      // The series is absent from this scrape.
      if (value === undefined || Number.isNaN(value)) continue;
      if (value < lastValues[i]!) decreases++;
      lastValues[i] = value;
    }
    return decreases;
  }

  /** Discards the last known values of absent counters, which restart from 0 when they reappear. */
  #discardAbsent(values: Float64Array): void {
    this.#slots.forEach((slot, i) => {
      if (Number.isNaN(values[slot] ?? Number.NaN)) this.#lastValues[i] = Number.NaN;
    });
  }

  #addNewSeries(): void {
    const { series } = this.#layout;
    for (; this.#seriesCount < series.length; this.#seriesCount++) {
      const newSeries = series[this.#seriesCount]!;
      if (newSeries.kind === 'histogram') this.#slots.push(newSeries.count);
      else if (newSeries.kind === 'scalar' && newSeries.family.type === 'counter')
        this.#slots.push(newSeries.value);
    }
    while (this.#lastValues.length < this.#slots.length) this.#lastValues.push(Number.NaN);
  }
}
