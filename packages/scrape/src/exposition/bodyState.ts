import type { HistogramSeries, SummarySeries } from '@org/core';
import type { BadLine, Exposition } from './exposition.ts';
import type { OmittedFamilies, Placement } from './samplePlacement.ts';

/** The result of reading one body. */
export interface Reading {
  /** Values by slot, NaN if absent. Valid until the next body is read; stores copy them. */
  readonly values: Float64Array;
  /** False if the body equals the previous one, byte for byte. */
  readonly changed: boolean;
  /** True if only values differed from the previous body, so that nothing had to be parsed again. */
  readonly steady: boolean;
  /** Number of samples in the body. */
  readonly samples: number;
  /** Number of samples dropped because they, or another part of the same histogram, are NaN or infinite. */
  readonly dropped: number;
  /** Skipped invalid lines: the first ones, and their total number. */
  readonly badLines: readonly BadLine[];
  readonly badLineCount: number;
  /** Metric families that are not recorded. */
  readonly omitted: OmittedFamilies;
  /** Size of the body, in bytes. */
  readonly bytes: number;
}

/** The values and metadata of one body. Reused while only values change. */
export class BodyState {
  /** The values as sent, including non-finite ones; written by `BodyDiff`. */
  readonly raw: Float64Array;
  readonly #clean: Float64Array;
  readonly #composites: readonly (HistogramSeries | SummarySeries)[];
  /** True if each composite has a sum and a count, and is therefore complete if all values are finite. */
  readonly #hasAllTotals: boolean;
  /** By slot: 1 if the body has a sample, finite or not. */
  readonly #present: Uint8Array;
  /**
   * The parts of the exposition that are kept. Its samples would take more memory than everything else of an
   * endpoint.
   */
  readonly #badLines: readonly BadLine[];
  readonly #badLineCount: number;
  readonly #omitted: OmittedFamilies;
  readonly #samples: number;

  constructor(slotCount: number, exposition: Exposition, placement: Placement) {
    this.raw = new Float64Array(slotCount).fill(Number.NaN);
    this.#clean = new Float64Array(slotCount);
    this.#present = new Uint8Array(slotCount);
    placement.samples.forEach((sample, index) => {
      const slot = placement.slots[index]!;
      if (slot === -1) return;
      this.raw[slot] = sample.value;
      this.#present[slot] = 1;
    });
    this.#composites = placement.composites;
    this.#hasAllTotals = this.#composites.every(
      ({ sum, count }) => this.#present[sum] === 1 && this.#present[count] === 1,
    );
    this.#badLines = exposition.badLines;
    this.#badLineCount = exposition.badLineCount;
    this.#omitted = placement.omitted;
    this.#samples = placement.samples.length;
  }

  toReading(changed: boolean, steady: boolean, bytes: number): Reading {
    const dropped = this.#dropNonFinite();
    return {
      values: dropped === 0 ? this.raw : this.#clean,
      changed,
      steady,
      samples: this.#samples,
      dropped,
      badLines: this.#badLines,
      badLineCount: this.#badLineCount,
      omitted: this.#omitted,
      bytes,
    };
  }

  /**
   * Drops non-finite values, and whole histograms with a non-finite part. For summaries, only sum and count
   * decide, because quantiles are NaN while a server is idle. Returns the number of dropped samples.
   */
  #dropNonFinite(): number {
    let dropped = this.#countNonFinite();
    if (dropped === 0 && this.#hasAllTotals) return 0;
    const { raw } = this;
    const clean = this.#clean;
    for (let slot = 0; slot < raw.length; slot++)
      clean[slot] = Number.isFinite(raw[slot]!) ? raw[slot]! : Number.NaN;
    for (const series of this.#composites) {
      if (!this.#isBroken(series)) continue;
      for (const slot of listSlots(series)) {
        if (!Number.isNaN(clean[slot])) dropped++;
        clean[slot] = Number.NaN;
      }
    }
    return dropped;
  }

  /** Counts the non-finite samples of the body. */
  #countNonFinite(): number {
    const { raw } = this;
    const present = this.#present;
    let count = 0;
    for (let slot = 0; slot < raw.length; slot++) {
      // Only for a non-finite value, the difference from itself is not 0.
      if (raw[slot]! - raw[slot]! !== 0 && present[slot] === 1) count++;
    }
    return count;
  }

  /**
   * Reports whether a composite has a non-finite part. Absent buckets do not count; the store handles them.
   */
  #isBroken(series: HistogramSeries | SummarySeries): boolean {
    const { raw } = this;
    if (!Number.isFinite(raw[series.sum]!) || !Number.isFinite(raw[series.count]!)) return true;
    if (series.kind === 'summary') return false;
    for (const { slot } of series.buckets) {
      if (this.#present[slot] === 1 && !Number.isFinite(raw[slot]!)) return true;
    }
    return false;
  }
}

function listSlots(series: HistogramSeries | SummarySeries): number[] {
  const parts = series.kind === 'histogram' ? series.buckets : series.quantiles;
  return [series.sum, series.count, ...parts.map(part => part.slot)];
}
