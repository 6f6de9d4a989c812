import { filledBuckets } from './bounds.ts';
import type { Frame } from './frame.ts';
import type { HistogramSeries, Layout, ScalarSeries, Slot, SummarySeries } from './layout.ts';
import type { HistogramSamples, ScalarSamples, SummarySamples } from './samples.ts';
import type { Timeline } from './timeline.ts';

/**
 * All frames of one endpoint: append them as they come, read them a series at a time.
 *
 * Frames may come out of order, or twice; they are read in order of time, those of one time in the order in
 * which they came. A value that is not finite is an absent one.
 */
export class EndpointStore {
  readonly layout: Layout;
  readonly #frames: Frame[] = [];

  constructor(layout: Layout) {
    this.layout = layout;
  }

  /** Adds one frame; its values are copied. Throws a RangeError when it has more values than its layout has slots. */
  append(frame: Frame): void {
    if (frame.values.length > this.layout.slotCount) {
      throw new RangeError(
        `cannot store a frame of ${frame.values.length} values: its layout has ${this.layout.slotCount} slots`,
      );
    }
    this.#frames.push({ ...frame, values: frame.values.slice() });
  }

  /** How many frames were appended. */
  get frameCount(): number {
    return this.#frames.length;
  }

  /** Bytes of all buffers that hold the frames. */
  get byteLength(): number {
    return this.#frames.reduce((sum, frame) => sum + 17 + frame.values.byteLength, 0);
  }

  /** When the frames were taken; the origin is the time of the frame that was appended first. */
  timeline(): Timeline {
    const originNs = this.#frames[0]?.timestampNs ?? 0n;
    const offsets = this.#sorted().map(frame => Number(frame.timestampNs - originNs));
    return { originNs, offsetsNs: Float64Array.from(offsets) };
  }

  /** From request to first byte in ns, one per frame, in timeline order. */
  latenciesNs(): Float64Array {
    return Float64Array.from(this.#sorted(), frame => frame.latencyNs);
  }

  /** 1 where the body differed from the endpoint's previous one, one per frame, in timeline order. */
  changed(): Uint8Array {
    return Uint8Array.from(this.#sorted(), frame => (frame.changed ? 1 : 0));
  }

  /** One value per frame of [from, to) in timeline order, `NaN` where absent. */
  column(slot: Slot, from = 0, to: number = this.frameCount): Float64Array {
    return Float64Array.from(this.#sorted().slice(from, to), frame => {
      const value = frame.values[slot];
      return value !== undefined && Number.isFinite(value) ? value : Number.NaN;
    });
  }

  /** The samples of a gauge, counter or unknown in the frames [from, to) of the timeline. */
  scalarSamples(series: ScalarSeries, from = 0, to: number = this.frameCount): ScalarSamples {
    const values = this.column(series.value, from, to);
    const rows = finiteRows([values]);
    return {
      timesNs: picked(this.timeline().offsetsNs.subarray(from, to), rows),
      values: picked(values, rows),
    };
  }

  /**
   * The complete samples of a histogram in the frames [from, to) of the timeline: those with sum, count and at
   * least one of its bounds. What stands for a bound that a frame did not have: see bounds.ts.
   */
  histogramSamples(series: HistogramSeries, from = 0, to: number = this.frameCount): HistogramSamples {
    const sums = this.column(series.sum);
    const counts = this.column(series.count);
    const columns = series.buckets.map(bucket => this.column(bucket.slot));
    const all = finiteRows([sums, counts]).filter(
      row => columns.length === 0 || columns.some(c => !Number.isNaN(c[row]!)),
    );
    const rows = Uint32Array.from(all);
    const bounds = series.buckets.map(({ le, text }) => ({ le, text }));
    const cumulative = filledBuckets(
      bounds,
      picked(counts, rows),
      columns.map(column => picked(column, rows)),
    );
    const first = rows.findIndex(row => row >= from);
    const end = rows.findLastIndex(row => row < to) + 1;
    const start = first < 0 ? end : Math.min(first, end);
    return {
      timesNs: picked(this.timeline().offsetsNs, rows).subarray(start, end),
      sums: picked(sums, rows).subarray(start, end),
      counts: picked(counts, rows).subarray(start, end),
      bounds,
      cumulative: cumulative.map(column => column.subarray(start, end)),
    };
  }

  /** The samples of a summary in the frames [from, to) of the timeline: those with sum and count. */
  summarySamples(series: SummarySeries, from = 0, to: number = this.frameCount): SummarySamples {
    const sums = this.column(series.sum, from, to);
    const counts = this.column(series.count, from, to);
    const rows = finiteRows([sums, counts]);
    return {
      timesNs: picked(this.timeline().offsetsNs.subarray(from, to), rows),
      sums: picked(sums, rows),
      counts: picked(counts, rows),
      quantiles: series.quantiles.map(({ quantile, text }) => ({ quantile, text })),
      values: series.quantiles.map(({ slot }) => picked(this.column(slot, from, to), rows)),
    };
  }

  #sorted(): Frame[] {
    return this.#frames.toSorted((a, b) =>
      a.timestampNs < b.timestampNs ? -1 : a.timestampNs > b.timestampNs ? 1 : 0,
    );
  }
}

function finiteRows(columns: readonly Float64Array[]): Uint32Array {
  const rows: number[] = [];
  const length = columns[0]!.length;
  for (let row = 0; row < length; row++) {
    if (columns.every(column => Number.isFinite(column[row]))) rows.push(row);
  }
  return Uint32Array.from(rows);
}

function picked(column: Float64Array, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, row => column[row]!);
}
