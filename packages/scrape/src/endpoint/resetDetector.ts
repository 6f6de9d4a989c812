import type { Layout, Slot } from '@org/core';

/** Processes say when they began under this name, in seconds since 1970. */
const START_TIME = 'process_start_time_seconds';
/** Less is a clock being set, of which this gauge is computed on some systems. */
const OTHER_START_S = 1;

/**
 * Notices when the counters of one endpoint begin again: its server was restarted, or a part of it was. Counters are followed
 * by their last known value, for after a restart many series are not there until they count something.
 */
export class ResetDetector {
  readonly #layout: Layout;
  /** Slots of counters and of histograms' counts, and what each said last. */
  readonly #slots: Slot[] = [];
  readonly #last: number[] = [];
  #series = 0;
  #startSlot: Slot = -1;
  #startTime: number = Number.NaN;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /**
   * Takes the values of the next scrape. Returns how many counters fell, or undefined when nothing began again; 0 when only the
   * process' start time says that it did.
   */
  next(values: Float64Array): number | undefined {
    this.#grow();
    const fallen = this.#fallen(values);
    const restarted = this.#restarted(values);
    if (fallen === 0 && !restarted) return undefined;
    this.#forgetAbsent(values);
    return fallen;
  }

  #fallen(values: Float64Array): number {
    let fallen = 0;
    const last = this.#last;
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i++) {
      const value = values[slots[i]!];
      // The series is not there now.
      if (value === undefined || Number.isNaN(value)) continue;
      if (value < last[i]!) fallen++;
      last[i] = value;
    }
    return fallen;
  }

  #restarted(values: Float64Array): boolean {
    const start = values[this.#startSlot];
    if (start === undefined || Number.isNaN(start)) return false;
    const before = this.#startTime;
    this.#startTime = start;
    return Math.abs(start - before) > OTHER_START_S;
  }

  /** What is not there right after a restart begins from 0 when it comes. */
  #forgetAbsent(values: Float64Array): void {
    this.#slots.forEach((slot, i) => {
      if (Number.isNaN(values[slot] ?? Number.NaN)) this.#last[i] = Number.NaN;
    });
  }

  #grow(): void {
    const { series } = this.#layout;
    for (; this.#series < series.length; this.#series++) {
      const one = series[this.#series]!;
      if (one.kind === 'histogram') this.#slots.push(one.count);
      else if (one.kind === 'scalar' && one.family.type === 'counter') this.#slots.push(one.value);
      else if (one.kind === 'scalar' && one.family.name === START_TIME && one.labels.length === 0)
        this.#startSlot = one.value;
    }
    while (this.#last.length < this.#slots.length) this.#last.push(Number.NaN);
  }
}
