import type { Layout, Slot } from '@org/core';

/** The standard metric for the start time of a process, in seconds since 1970. */
const START_TIME_METRIC = 'process_start_time_seconds';
/**
 * Minimum change of the start time, in seconds, that counts as a restart. Smaller changes are clock
 * adjustments: some systems derive the start time from the wall clock.
 */
const MIN_START_DIFFERENCE_S = 1;

/** A reset between two scrapes. */
export interface DetectedReset {
  /** Number of counters that decreased. */
  readonly counters: number;
  /** True if the start time of the process changed. */
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
  #seriesCount = 0;
  #startSlot: Slot = -1;
  #startTime: number = Number.NaN;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /**
   * Compares the values of the next scrape with the last known values. Returns undefined if no counter decreased and
   * the process start time is unchanged.
   */
  observe(values: Float64Array): DetectedReset | undefined {
    this.#addNewSeries();
    const counters = this.#countDecreases(values);
    const hasRestarted = this.#hasRestarted(values);
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

  #hasRestarted(values: Float64Array): boolean {
    const startTime = values[this.#startSlot];
    if (startTime === undefined || Number.isNaN(startTime)) return false;
    const previousStartTime = this.#startTime;
    this.#startTime = startTime;
    return Math.abs(startTime - previousStartTime) > MIN_START_DIFFERENCE_S;
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
      else if (
        newSeries.kind === 'scalar' &&
        newSeries.family.name === START_TIME_METRIC &&
        newSeries.labels.length === 0
      )
        this.#startSlot = newSeries.value;
    }
    while (this.#lastValues.length < this.#slots.length) this.#lastValues.push(Number.NaN);
  }
}
