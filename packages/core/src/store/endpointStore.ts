import type { HistogramSeries, Layout, ScalarSeries, Slot, SummarySeries } from '../layout/layout.ts';
import { Columns } from './columnStore.ts';
import type { Frame } from './frame.ts';
import { Times } from './frameTimes.ts';
import { filledBuckets } from './missingBuckets.ts';
import type { HistogramSamples, ScalarSamples, SummarySamples } from './samples.ts';
import type { StoreMemory } from './storeMemory.ts';
import type { Timeline } from './timeline.ts';

/**
 * All frames of one endpoint: append them as they come, read them a series at a time.
 *
 * Frames may come out of order, or twice; they are read in order of time, those of one time in the order in
 * which they came. A value that is not finite is an absent one; every other comes back bit by bit. Frames are kept
 * compressed (see store/), and a range of them is read without touching the others.
 *
 * Arrays that it gives may be views of its own: they are not to be written to.
 */
export class EndpointStore {
  readonly layout: Layout;
  readonly #times = new Times();
  readonly #columns: Columns;
  #timeline: Timeline | null = null;

  /** With a memory, which stores may share, what does not fit into it is kept in its storage, and read back from there. */
  constructor(layout: Layout, memory?: StoreMemory) {
    this.layout = layout;
    this.#columns = new Columns(layout, memory);
  }

  /** Adds one frame; its values are copied. Throws a RangeError when it has more values than its layout has slots. */
  append({ timestampNs, latencyNs, changed, values }: Frame): void {
    if (values.length > this.layout.slotCount) {
      throw new RangeError(
        `cannot store a frame of ${values.length} values: its layout has ${this.layout.slotCount} slots`,
      );
    }
    this.#times.append(timestampNs, latencyNs, changed);
    this.#columns.append(values);
    this.#timeline = null;
  }

  /** How many frames were appended. */
  get frameCount(): number {
    return this.#times.length;
  }

  /** Bytes of all buffers that hold the frames. */
  get byteLength(): number {
    return this.#times.byteLength + this.#columns.byteLength;
  }

  /** When the frames were taken; the origin is the time of the frame that was appended first. */
  timeline(): Timeline {
    this.#timeline ??= { originNs: this.#times.originNs, offsetsNs: this.#times.offsetsNs() };
    return this.#timeline;
  }

  /** From request to first byte in ns, one per frame, in timeline order. */
  latenciesNs(): Float64Array {
    return this.#times.latenciesNs();
  }

  /** 1 where the body differed from the endpoint's previous one, one per frame, in timeline order. */
  changed(): Uint8Array {
    return this.#times.changed();
  }

  /** One value per frame of [from, to) in timeline order, `NaN` where absent. A range may go beyond the frames. */
  column(slot: Slot, from = 0, to: number = this.frameCount): Float64Array {
    return this.#inOrder(from, to, (first, end) => [this.#columns.column(slot, first, end)])[0]!;
  }

  /** The samples of a gauge, counter or unknown in the frames [from, to) of the timeline. */
  scalarSamples(series: ScalarSeries, from = 0, to: number = this.frameCount): ScalarSamples {
    const values = this.column(series.value, from, to);
    const rows = finiteRows([values]);
    return { timesNs: picked(this.#offsetsNs(from, to), rows), values: picked(values, rows) };
  }

  /**
   * The complete samples of a histogram in the frames [from, to) of the timeline: those with sum, count and at
   * least one of its bounds. What stands for a bound that a frame did not have: see bounds.ts.
   */
  histogramSamples(series: HistogramSeries, from = 0, to: number = this.frameCount): HistogramSamples {
    const { samples } = this.#histogramSamples(series, from, to);
    if (!samples.cumulative.some(column => column.includes(Number.NaN))) return samples;
    // What a bound that is missing here was depends on frames before and after.
    const { samples: whole, frames } = this.#histogramSamples(series, 0, this.frameCount);
    const cumulative = filledBuckets(whole.bounds, whole.counts, whole.cumulative);
    const first = frames === null ? Math.max(0, from) : frames.findIndex(frame => frame >= from);
    const length = samples.timesNs.length;
    return { ...samples, cumulative: cumulative.map(column => column.slice(first, first + length)) };
  }

  /** The samples of a summary in the frames [from, to) of the timeline: those with sum and count. */
  summarySamples(series: SummarySeries, from = 0, to: number = this.frameCount): SummarySamples {
    const sums = this.column(series.sum, from, to);
    const counts = this.column(series.count, from, to);
    const rows = finiteRows([sums, counts]);
    return {
      timesNs: picked(this.#offsetsNs(from, to), rows),
      sums: picked(sums, rows),
      counts: picked(counts, rows),
      quantiles: series.quantiles.map(({ quantile, text }) => ({ quantile, text })),
      values: series.quantiles.map(({ slot }) => picked(this.column(slot, from, to), rows)),
    };
  }

  /** The samples with what they say, `NaN` for a bound that a frame did not have; `frames` is null when all have one. */
  #histogramSamples(
    series: HistogramSeries,
    from: number,
    to: number,
  ): { samples: HistogramSamples; frames: Uint32Array | null } {
    const sums = this.column(series.sum, from, to);
    const cumulative = this.#inOrder(from, to, (first, end) => this.#columns.chain(series, first, end));
    const counts = cumulative.pop()!;
    const rows = histogramRows(sums, counts, cumulative);
    const samples = {
      timesNs: picked(this.#offsetsNs(from, to), rows),
      sums: picked(sums, rows),
      counts: picked(counts, rows),
      bounds: series.buckets.map(({ le, text }) => ({ le, text })),
      cumulative: cumulative.map(column => picked(column, rows)),
    };
    return { samples, frames: rows?.map(row => row + Math.max(0, from)) ?? null };
  }

  #offsetsNs(from: number, to: number): Float64Array {
    return this.timeline().offsetsNs.subarray(Math.max(0, from), Math.max(0, to));
  }

  /** Columns of the frames [from, to) of the timeline, from a reader of columns in the order in which they came. */
  #inOrder(from: number, to: number, read: (first: number, end: number) => Float64Array[]): Float64Array[] {
    const first = Math.max(0, from);
    const end = Math.max(first, Math.min(to, this.frameCount));
    const order = this.#times.order()?.subarray(first, end);
    if (order === undefined || order.length === 0) return read(first, end);
    let least = order[0]!;
    let most = least;
    for (const frame of order) {
      if (frame < least) least = frame;
      if (frame > most) most = frame;
    }
    return read(least, most + 1).map(column => Float64Array.from(order, frame => column[frame - least]!));
  }
}

/** The rows in which all columns have a value; null when that is all of them, which is the rule. */
function finiteRows(columns: readonly Float64Array[]): Uint32Array | null {
  const gaps = columns.filter(column => column.includes(Number.NaN));
  if (gaps.length === 0) return null;
  return allRows(columns[0]!.length).filter(row => gaps.every(column => !Number.isNaN(column[row]!)));
}

function allRows(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, row) => row);
}

/** The rows with sum, count and, if the histogram has any, a bound; null when that is all of them. */
function histogramRows(
  sums: Float64Array,
  counts: Float64Array,
  cumulative: readonly Float64Array[],
): Uint32Array | null {
  const rows = finiteRows([sums, counts]);
  if (cumulative.length === 0 || cumulative.some(column => !column.includes(Number.NaN))) return rows;
  return (rows ?? allRows(sums.length)).filter(row => cumulative.some(column => !Number.isNaN(column[row]!)));
}

function picked(column: Float64Array, rows: Uint32Array | null): Float64Array {
  if (rows === null || rows.length === column.length) return column;
  const values = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) values[at] = column[rows[at]!]!;
  return values;
}
