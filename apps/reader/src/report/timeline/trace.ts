import { type Axis, addToBins, BinMeans } from './timeAxis.ts';

/** A value of a series at a time: from a scrape or a timeslice. */
export type Sample = { readonly seconds: number } & (
  | { readonly value: number }
  | { readonly count: number; readonly sum: number; readonly buckets: ReadonlyMap<string, number> }
);

/** The quantity that is drawn: the value of a metric, its rate, or the mean of its observations. */
export type TraceKind = 'level' | 'rate' | 'observations';

/** A series over the bins of the axis. */
export interface Trace {
  readonly kind: TraceKind;
  /** Adds a sample; samples are in order of time. */
  add(sample: Sample): void;
  /** One value per bin; null if unknown. */
  values(): (number | null)[];
}

/** A gauge: the mean of its samples in each bin. */
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

/** A counter: its increase per second, spread evenly between two samples. A counter that falls was reset to 0. */
export class RateTrace implements Trace {
  readonly kind = 'rate';
  readonly #axis: Axis;
  readonly #increases: Float64Array;
  readonly #coveredSeconds: Float64Array;
  #last: { readonly seconds: number; readonly value: number } | undefined;

  constructor(axis: Axis) {
    this.#axis = axis;
    this.#increases = new Float64Array(axis.bins);
    this.#coveredSeconds = new Float64Array(axis.bins);
  }

  add(sample: Sample): void {
    if (!('value' in sample)) return;
    if (this.#last)
      this.addIncrease(this.#last.seconds, sample.seconds, computeIncrease(this.#last.value, sample.value));
    this.#last = sample;
  }

  /** Adds the increase between two times. */
  addIncrease(from: number, to: number, amount: number): void {
    addToBins(this.#increases, this.#axis, from, to, amount);
    addToBins(this.#coveredSeconds, this.#axis, from, to, to - from);
  }

  values(): (number | null)[] {
    return Array.from(this.#increases, (increase, bin) =>
      this.#coveredSeconds[bin]! > 0 ? increase / this.#coveredSeconds[bin]! : null,
    );
  }
}

/** A histogram: the mean of the observations in each bin, and their number by bucket. */
export class ObservationTrace implements Trace {
  readonly kind = 'observations';
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** Cumulative counts by bound, as the server printed it. */
  readonly buckets: Map<string, Float64Array> = new Map();
  readonly #axis: Axis;
  #last: Extract<Sample, { count: number }> | undefined;

  constructor(axis: Axis) {
    this.#axis = axis;
    this.counts = new Float64Array(axis.bins);
    this.sums = new Float64Array(axis.bins);
  }

  add(sample: Sample): void {
    if (!('count' in sample)) return;
    const last = this.#last;
    this.#last = sample;
    if (!last) return;
    if (sample.count >= last.count) this.addIncrease(last.seconds, sample, last);
    else this.addIncrease(last.seconds, sample, NO_OBSERVATIONS);
  }

  /** Adds the observations between `from` and `now`: the difference to the counts `before`. */
  addIncrease(
    from: number,
    now: Extract<Sample, { count: number }>,
    before: Omit<Extract<Sample, { count: number }>, 'seconds'>,
  ): void {
    const axis = this.#axis;
    addToBins(this.counts, axis, from, now.seconds, now.count - before.count);
    addToBins(this.sums, axis, from, now.seconds, now.sum - before.sum);
    for (const [le, count] of now.buckets) {
      let bucket = this.buckets.get(le);
      if (!bucket) {
        bucket = new Float64Array(axis.bins);
        this.buckets.set(le, bucket);
      }
      addToBins(bucket, axis, from, now.seconds, Math.max(0, count - (before.buckets.get(le) ?? 0)));
    }
  }

  values(): (number | null)[] {
    return Array.from(this.counts, (count, bin) => (count > 0 ? this.sums[bin]! / count : null));
  }
}

/** The counts of a histogram after a reset. */
const NO_OBSERVATIONS = { count: 0, sum: 0, buckets: new Map<string, number>() } as const;

function computeIncrease(before: number, now: number): number {
  return now >= before ? now - before : now;
}

/** Creates a trace of a kind. */
export function createTrace(kind: TraceKind, axis: Axis): Trace {
  if (kind === 'level') return new LevelTrace(axis);
  return kind === 'rate' ? new RateTrace(axis) : new ObservationTrace(axis);
}
