import { findStart, isGap, isReset, type SampleHistory } from './sampleHistory.ts';
import { type Axis, addToBins, BinMeans, createBins } from './timeAxis.ts';

/** A value or histogram of a series, from a scrape or a timeslice. `seconds` is relative to the start of the axis. */
export type Sample = { readonly seconds: number } & (
  | { readonly value: number }
  | { readonly count: number; readonly sum: number; readonly buckets: ReadonlyMap<string, number> }
);

/** The quantity that is drawn: the value of a metric, its rate, or the mean of its observations. */
export type TraceKind = 'level' | 'rate' | 'observations';

/** Aggregates the samples of a series by the bins of an axis. */
export interface Trace {
  readonly kind: TraceKind;
  /** Adds a sample. Samples must be added in order of time. */
  add(sample: Sample): void;
  /** Returns one value per bin; null for a bin without data. */
  values(): (number | null)[];
}

/** Computes the mean of the samples of a gauge in each bin. */
export class LevelTrace implements Trace {
  readonly kind = 'level';
  readonly #means: BinMeans;

  constructor(axis: Axis) {
    this.#means = new BinMeans(axis);
  }

  add(sample: Sample): void {
    if ('value' in sample) this.#means.add(sample.seconds, sample.value);
  }

  values(): (number | null)[] {
    return this.#means.values();
  }
}

/**
 * Computes the increase per second of a counter in each bin. An increase is spread evenly over the time between two
 * samples, and counts from 0 after a reset. In a gap between samples, the rate is unknown.
 */
export class RateTrace implements Trace {
  readonly kind = 'rate';
  readonly #axis: Axis;
  readonly #increases: Float64Array;
  readonly #coveredSeconds: Float64Array;
  readonly #history: SampleHistory;
  #last: { readonly seconds: number; readonly value: number } | undefined;

  constructor(axis: Axis, history: SampleHistory = {}) {
    this.#axis = axis;
    this.#history = history;
    this.#increases = createBins(axis);
    this.#coveredSeconds = createBins(axis);
  }

  add(sample: Sample): void {
    if (!('value' in sample)) return;
    const last = this.#last ?? this.#createStart(sample.seconds);
    this.#last = sample;
    if (!last) return;
    const hasReset = isReset(last.seconds, sample.seconds, sample.value < last.value, this.#history);
    if (isGap(last.seconds, sample.seconds, hasReset, this.#axis, this.#history)) return;
    this.addIncrease(last.seconds, sample.seconds, hasReset ? sample.value : sample.value - last.value);
  }

  /** Returns the value 0 before the first sample of a series that was created in the run, and draws the time before. */
  #createStart(firstSeconds: number): { seconds: number; value: number } | undefined {
    const start = findStart(firstSeconds, this.#history);
    if (!start) return undefined;
    this.addIncrease(start.from, start.to, 0);
    return { seconds: start.to, value: 0 };
  }

  /** Adds the increase between two times in seconds. */
  addIncrease(from: number, to: number, amount: number): void {
    addToBins(this.#increases, this.#axis, from, to, amount);
    addToBins(this.#coveredSeconds, this.#axis, from, to, to - from);
  }

  values(): (number | null)[] {
    return Array.from(this.#increases.subarray(0, this.#axis.bins), (increase, bin) =>
      this.#coveredSeconds[bin]! > 0 ? increase / this.#coveredSeconds[bin]! : null,
    );
  }
}

/** Computes the mean of the observations of a histogram in each bin, and the number of observations per bucket. */
export class ObservationTrace implements Trace {
  readonly kind = 'observations';
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #buckets = new Map<string, Float64Array>();
  /** The time between samples in each bin, in seconds; 0 in a gap. */
  readonly #coveredSeconds: Float64Array;
  readonly #axis: Axis;
  readonly #history: SampleHistory;
  readonly #isWhole: boolean;
  #last: Extract<Sample, { count: number }> | undefined;

  /**
   * @param isWhole whether to count all observations between two samples in one bin, so that the counts of each bin are
   * exact; otherwise, they are spread evenly over the time between the samples
   */
  constructor(axis: Axis, history: SampleHistory = {}, isWhole = false) {
    this.#axis = axis;
    this.#history = history;
    this.#isWhole = isWhole;
    this.#counts = createBins(axis);
    this.#sums = createBins(axis);
    this.#coveredSeconds = createBins(axis);
  }

  get counts(): Float64Array {
    return this.#counts.subarray(0, this.#axis.bins);
  }

  get sums(): Float64Array {
    return this.#sums.subarray(0, this.#axis.bins);
  }

  /** Cumulative counts per bin, by the text of the bucket bound. */
  get buckets(): ReadonlyMap<string, Float64Array> {
    const { bins } = this.#axis;
    return new Map([...this.#buckets].map(([le, counts]) => [le, counts.subarray(0, bins)]));
  }

  add(sample: Sample): void {
    if (!('count' in sample)) return;
    const last = this.#last ?? this.#createStart(sample.seconds);
    this.#last = sample;
    if (!last) return;
    const hasReset = isReset(last.seconds, sample.seconds, sample.count < last.count, this.#history);
    if (isGap(last.seconds, sample.seconds, hasReset, this.#axis, this.#history)) return;
    this.addIncrease(last.seconds, sample, hasReset ? NO_OBSERVATIONS : last);
  }

  #createStart(firstSeconds: number): Extract<Sample, { count: number }> | undefined {
    const start = findStart(firstSeconds, this.#history);
    if (start) addToBins(this.#coveredSeconds, this.#axis, start.from, start.to, start.to - start.from);
    return start && { seconds: start.to, ...NO_OBSERVATIONS };
  }

  /**
   * Adds the observations between `from`, in seconds, and the time of `current`: its counts minus those of
   * `previous`.
   */
  addIncrease(
    from: number,
    current: Extract<Sample, { count: number }>,
    previous: Omit<Extract<Sample, { count: number }>, 'seconds'>,
  ): void {
    const axis = this.#axis;
    const middle = (from + current.seconds) / 2;
    addToBins(this.#coveredSeconds, axis, from, current.seconds, current.seconds - from);
    const [start, end] = this.#isWhole ? [middle, middle] : [from, current.seconds];
    addToBins(this.#counts, axis, start, end, current.count - previous.count);
    addToBins(this.#sums, axis, start, end, current.sum - previous.sum);
    for (const [le, count] of current.buckets) {
      let bucket = this.#buckets.get(le);
      if (!bucket) {
        bucket = createBins(axis);
        this.#buckets.set(le, bucket);
      }
      addToBins(bucket, axis, start, end, Math.max(0, count - (previous.buckets.get(le) ?? 0)));
    }
  }

  /** Returns the sum of the observations per second in each bin; null in a gap between samples, which is not 0. */
  sumRates(): (number | null)[] {
    return Array.from(this.sums, (sum, bin) =>
      this.#coveredSeconds[bin]! > 0 ? sum / this.#axis.width : null,
    );
  }

  values(): (number | null)[] {
    return Array.from(this.counts, (count, bin) => (count > 0 ? this.sums[bin]! / count : null));
  }
}

/** The state of a histogram after a reset. */
const NO_OBSERVATIONS = { count: 0, sum: 0, buckets: new Map<string, number>() } as const;

/** Creates a trace for a kind of metric. */
export function createTrace(kind: TraceKind, axis: Axis, history?: SampleHistory): Trace {
  if (kind === 'level') return new LevelTrace(axis);
  return kind === 'rate' ? new RateTrace(axis, history) : new ObservationTrace(axis, history);
}
