import type { Layout, Slot } from '@org/core';

/** The standard metric for the start time of a process, in seconds since 1970. */
const START_TIME = 'process_start_time_seconds';
/** Smaller differences are clock adjustments: some systems derive this gauge from the wall clock. */
const MIN_START_DIFFERENCE_S = 1;

/**
 * Detects counter resets of one endpoint, which show that its server, or a part of it, was restarted. Each
 * counter is compared with its last known value, because many series are absent after a restart until they
 * count something.
 */
export class ResetDetector {
  readonly #layout: Layout;
  /** The slots of counters and of histogram counts, and their last known values. */
  readonly #slots: Slot[] = [];
  readonly #last: number[] = [];
  #seriesCount = 0;
  #startSlot: Slot = -1;
  #startTime: number = Number.NaN;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /**
   * Compares the values of the next scrape. Returns the number of counters that decreased; 0 if only the
   * process start time shows a restart; undefined without a reset.
   */
  observe(values: Float64Array): number | undefined {
    this.#addNewSeries();
    const decreases = this.#countDecreases(values);
    const restarted = this.#hasRestarted(values);
    if (decreases === 0 && !restarted) return undefined;
    this.#forgetAbsent(values);
    return decreases;
  }

  #countDecreases(values: Float64Array): number {
    let decreases = 0;
    const last = this.#last;
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i++) {
      const value = values[slots[i]!];
      // The series is absent from this scrape.
      if (value === undefined || Number.isNaN(value)) continue;
      if (value < last[i]!) decreases++;
      last[i] = value;
    }
    return decreases;
  }

  #hasRestarted(values: Float64Array): boolean {
    const start = values[this.#startSlot];
    if (start === undefined || Number.isNaN(start)) return false;
    const before = this.#startTime;
    this.#startTime = start;
    return Math.abs(start - before) > MIN_START_DIFFERENCE_S;
  }

  /** Forgets the values of absent counters: they count from 0 when they appear again. */
  #forgetAbsent(values: Float64Array): void {
    this.#slots.forEach((slot, i) => {
      if (Number.isNaN(values[slot] ?? Number.NaN)) this.#last[i] = Number.NaN;
    });
  }

  #addNewSeries(): void {
    const { series } = this.#layout;
    for (; this.#seriesCount < series.length; this.#seriesCount++) {
      const item = series[this.#seriesCount]!;
      if (item.kind === 'histogram') this.#slots.push(item.count);
      else if (item.kind === 'scalar' && item.family.type === 'counter') this.#slots.push(item.value);
      else if (item.kind === 'scalar' && item.family.name === START_TIME && item.labels.length === 0)
        this.#startSlot = item.value;
    }
    while (this.#last.length < this.#slots.length) this.#last.push(Number.NaN);
  }
}
