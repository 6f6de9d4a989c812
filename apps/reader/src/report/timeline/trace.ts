import { BinMeans } from './binMeans.ts';
import { type Axis, addToBins } from './timeAxis.ts';

/** A value of a series at a time: what a scrape saw, or what a window of the run had. */
export type Sample = { readonly seconds: number } & (
  | { readonly value: number }
  | { readonly count: number; readonly sum: number; readonly buckets: ReadonlyMap<string, number> }
);

/** How a metric is drawn: its own value, how fast it grows, or the mean of what it observed. */
export type TraceKind = 'level' | 'rate' | 'observations';

/** One series over the bins of the axis. */
export interface Trace {
  readonly kind: TraceKind;
  /** Samples in order of time. */
  add(sample: Sample): void;
  /** A value a bin; null where nothing is known. */
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

/** A counter: by how much it grew a second, spread evenly between two samples. One that fell began again at 0. */
export class RateTrace implements Trace {
  readonly kind = 'rate';
  readonly #axis: Axis;
  readonly #grown: Float64Array;
  readonly #covered: Float64Array;
  #last: { readonly seconds: number; readonly value: number } | undefined;

  constructor(axis: Axis) {
    this.#axis = axis;
    this.#grown = new Float64Array(axis.bins);
    this.#covered = new Float64Array(axis.bins);
  }

  add(sample: Sample): void {
    if (!('value' in sample)) return;
    if (this.#last)
      this.addGrowth(this.#last.seconds, sample.seconds, growth(this.#last.value, sample.value));
    this.#last = sample;
  }

  /** What it grew by between two times. */
  addGrowth(from: number, to: number, amount: number): void {
    addToBins(this.#grown, this.#axis, from, to, amount);
    addToBins(this.#covered, this.#axis, from, to, to - from);
  }

  values(): (number | null)[] {
    return Array.from(this.#grown, (grown, bin) =>
      this.#covered[bin]! > 0 ? grown / this.#covered[bin]! : null,
    );
  }
}

/** A histogram: the mean of what was observed in each bin, and how much of it each bucket got. */
export class ObservationTrace implements Trace {
  readonly kind = 'observations';
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** Cumulative by bound, as the server printed it. */
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
    if (sample.count >= last.count) this.addGrowth(last.seconds, sample, last);
    else this.addGrowth(last.seconds, sample, NOTHING);
  }

  /** What was observed since `from`: the difference to what there was before. */
  addGrowth(
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

const NOTHING = { count: 0, sum: 0, buckets: new Map<string, number>() } as const;

function growth(before: number, now: number): number {
  return now >= before ? now - before : now;
}

/** A trace for a kind of metric. */
export function createTrace(kind: TraceKind, axis: Axis): Trace {
  if (kind === 'level') return new LevelTrace(axis);
  return kind === 'rate' ? new RateTrace(axis) : new ObservationTrace(axis);
}
