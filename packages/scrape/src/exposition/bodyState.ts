import type { HistogramSeries, Slot, SummarySeries } from '@org/core';
import type { BadLine, Exposition } from './exposition.ts';
import type { OmittedFamilies, Placement } from './samplePlacement.ts';

/** The values of one body and the statistics of its samples and lines. */
export interface Reading {
  /** Values by slot, NaN if absent. The array is reused for the next body; copy it to keep the values. */
  readonly values: Float64Array;
  /** True if the body differs from the previous one. */
  readonly changed: boolean;
  /**
   * True if the body equals the previous body or differs only in values, so that it was not parsed as a
   * whole.
   */
  readonly steady: boolean;
  /** Number of samples in the body. */
  readonly samples: number;
  /**
   * Number of dropped samples: NaN and infinite ones, and all samples of a histogram or summary that has no
   * count or a non-finite sum, count or bucket.
   */
  readonly dropped: number;
  /** The first 20 invalid lines, which were skipped. */
  readonly badLines: readonly BadLine[];
  /** Total number of invalid lines. */
  readonly badLineCount: number;
  /** Metric families that are not recorded. */
  readonly omitted: OmittedFamilies;
  /** Size of the body, in bytes. */
  readonly bytes: number;
}

/** The values and metadata of a body. Reused for later bodies as long as only values change. */
export class BodyState {
  /** The values as sent, including non-finite ones, by slot. Updated by `BodyDiff`. */
  readonly raw: Float64Array;
  /** The values by slot, with NaN for dropped samples. */
  readonly #clean: Float64Array;
  readonly #composites: readonly (HistogramSeries | SummarySeries)[];
  /**
   * True if each histogram and summary has a sum and a count, so that none is dropped if all values are
   * finite.
   */
  readonly #hasAllTotals: boolean;
  /** By slot: 1 if the body contains a sample, finite or not. */
  readonly #present: Uint8Array;
  // The exposition itself is not kept: its samples would take more memory than the rest of an endpoint.
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
      values: dropped === 0 && this.#hasAllTotals ? this.raw : this.#clean,
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
   * Drops non-finite samples, summaries whose sum or count is absent or not finite, and histograms with a non-finite sum,
   * count or bucket. A histogram without `_count` has the count of its +Inf bucket, and one without `_sum` has no sum.
   * Non-finite quantiles do not invalidate a summary: they are NaN while a server is idle. Returns the number of dropped
   * samples.
   */
  #dropNonFinite(): number {
    let dropped = this.#countNonFinite();
    if (dropped === 0 && this.#hasAllTotals) return 0;
    const { raw } = this;
    const clean = this.#clean;
    for (let slot = 0; slot < raw.length; slot++)
      clean[slot] = Number.isFinite(raw[slot]!) ? raw[slot]! : Number.NaN;
    for (const series of this.#composites) {
      if (!this.#isBroken(series)) {
        clean[series.count] = this.#getCount(series);
        continue;
      }
      for (const slot of listSlots(series)) {
        if (!Number.isNaN(clean[slot])) dropped++;
        clean[slot] = Number.NaN;
      }
    }
    return dropped;
  }

  /** Returns the number of non-finite samples in the body. */
  #countNonFinite(): number {
    const { raw } = this;
    const present = this.#present;
    let count = 0;
    for (let slot = 0; slot < raw.length; slot++) {
      // `x - x` is 0 for every finite x, and NaN otherwise.
      if (raw[slot]! - raw[slot]! !== 0 && present[slot] === 1) count++;
    }
    return count;
  }

  /** Returns the count of a histogram or summary: its count, or the count of the +Inf bucket if it is absent. */
  #getCount(series: HistogramSeries | SummarySeries): number {
    const { raw } = this;
    if (series.kind === 'summary' || this.#present[series.count] === 1) return raw[series.count]!;
    const slot = findInfinityBucket(series);
    return slot === undefined ? Number.NaN : raw[slot]!;
  }

  /**
   * Reports whether a histogram or summary must be dropped as a whole. Absent buckets are not a reason,
   * because the store handles them.
   */
  #isBroken(series: HistogramSeries | SummarySeries): boolean {
    const { raw } = this;
    if (series.kind === 'summary')
      return !Number.isFinite(raw[series.sum]!) || !Number.isFinite(raw[series.count]!);
    if (!Number.isFinite(raw[series.sum]!) && this.#present[series.sum] === 1) return true;
    if (!Number.isFinite(this.#getCount(series))) return true;
    for (const { slot } of series.buckets) {
      if (this.#present[slot] === 1 && !Number.isFinite(raw[slot]!)) return true;
    }
    return false;
  }
}

function findInfinityBucket({ buckets }: HistogramSeries): Slot | undefined {
  const last = buckets.at(-1);
  return last?.le === Number.POSITIVE_INFINITY ? last.slot : undefined;
}

function listSlots(series: HistogramSeries | SummarySeries): number[] {
  const valueSlots = series.kind === 'histogram' ? series.buckets : series.quantiles;
  return [series.sum, series.count, ...valueSlots.map(entry => entry.slot)];
}
