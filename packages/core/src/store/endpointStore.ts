import type { HistogramSeries, Layout, ScalarSeries, Slot, SummarySeries } from '../layout/layout.ts';
import { ColumnStore } from './columnStore.ts';
import { FrameTimes } from './frameTimes.ts';
import { fillMissingBuckets } from './missingBuckets.ts';
import type { HistogramSamples, ScalarSamples, SummarySamples } from './samples.ts';
import type { StoreMemory } from './storeMemory.ts';
import type { Timeline } from './timeline.ts';

/** One scrape of one endpoint: a value for each slot of its layout. */
export interface Frame {
  /** Wall time of the first byte of the response, in ns since 1970. */
  readonly timestampNs: bigint;
  /** Time from sending the request to the first byte of the response, in ns. */
  readonly latencyNs: number;
  /** True if the body differs from the endpoint's previous body. */
  readonly changed: boolean;
  /**
   * Values by slot; `NaN` if the scrape had no finite sample. May be shorter than the layout; missing values
   * at the end are absent. The store copies the array, so it can be reused.
   */
  readonly values: Float64Array;
}

/**
 * All frames of one endpoint, appended as they arrive and read one series at a time.
 *
 * Frames may arrive out of order or repeatedly. They are read in order of time; frames with equal times keep
 * their order of arrival. Values that are not finite become absent; finite values are stored without loss.
 * Frames are compressed, and reading a range decompresses only the chunks that contain it.
 *
 * Returned arrays may be views of internal buffers and must not be modified.
 */
export class EndpointStore {
  readonly layout: Layout;
  readonly #times = new FrameTimes();
  readonly #columns: ColumnStore;
  #timeline: Timeline | null = null;

  /** @param memory the memory limit shared with other stores; frames that exceed it are moved to its storage */
  constructor(layout: Layout, memory?: StoreMemory) {
    this.layout = layout;
    this.#columns = new ColumnStore(layout, memory);
  }

  /** Appends a copy of a frame. Throws a RangeError if it has more values than the layout has slots. */
  append({ timestampNs, latencyNs, changed, values }: Frame): void {
    if (values.length > this.layout.slotCount) {
      throw new RangeError(
        `cannot store a frame of ${values.length} values: the layout has ${this.layout.slotCount} slots`,
      );
    }
    this.#times.append(timestampNs, latencyNs, changed);
    this.#columns.append(values);
    this.#timeline = null;
  }

  /** Number of frames. */
  get frameCount(): number {
    return this.#times.length;
  }

  /** Size of all buffers, in bytes. */
  get byteLength(): number {
    return this.#times.byteLength + this.#columns.byteLength;
  }

  /** Returns the times of the frames. The origin is the time of the frame that was appended first. */
  timeline(): Timeline {
    this.#timeline ??= { originNs: this.#times.originNs, offsetsNs: this.#times.offsetsNs() };
    return this.#timeline;
  }

  /** Returns the time from sending the request to the first byte of the response, in ns, by frame in timeline order. */
  latenciesNs(): Float64Array {
    return this.#times.latenciesNs();
  }

  /** Returns 1 for each frame whose body differs from the previous body, else 0, in timeline order. */
  changed(): Uint8Array {
    return this.#times.changed();
  }

  /**
   * Returns the values of a slot in the frames [from, to) of the timeline; absent values are `NaN`. Frames
   * outside the timeline are ignored.
   */
  column(slot: Slot, from = 0, to: number = this.frameCount): Float64Array {
    return this.#readInOrder(from, to, (first, end) => [this.#columns.readColumn(slot, first, end)])[0]!;
  }

  /** Returns the samples of a gauge, a counter or a series of unknown type in the frames [from, to) of the timeline. */
  scalarSamples(series: ScalarSeries, from = 0, to: number = this.frameCount): ScalarSamples {
    const values = this.column(series.value, from, to);
    const rows = findCompleteRows([values]);
    return { timesNs: pickRows(this.#offsetsNs(from, to), rows), values: pickRows(values, rows) };
  }

  /**
   * Returns the complete samples of a histogram in the frames [from, to) of the timeline: samples with sum,
   * count and at least one bound. If the histogram has no sums at all, they are NaN. Missing bounds are filled in.
   */
  histogramSamples(series: HistogramSeries, from = 0, to: number = this.frameCount): HistogramSamples {
    const { samples } = this.#readHistogram(series, from, to);
    if (!samples.cumulative.some(column => column.includes(Number.NaN))) return samples;
    // Values of missing bounds depend on frames before and after the range.
    const { samples: allSamples, frames } = this.#readHistogram(series, 0, this.frameCount);
    const cumulative = fillMissingBuckets(allSamples.bounds, allSamples.counts, allSamples.cumulative);
    const first = frames === null ? Math.max(0, from) : frames.findIndex(frame => frame >= from);
    const length = samples.timesNs.length;
    return { ...samples, cumulative: cumulative.map(column => column.slice(first, first + length)) };
  }

  /** Returns the samples of a summary that have sum and count, in the frames [from, to) of the timeline. */
  summarySamples(series: SummarySeries, from = 0, to: number = this.frameCount): SummarySamples {
    const sums = this.column(series.sum, from, to);
    const counts = this.column(series.count, from, to);
    const rows = findCompleteRows([sums, counts]);
    return {
      timesNs: pickRows(this.#offsetsNs(from, to), rows),
      sums: pickRows(sums, rows),
      counts: pickRows(counts, rows),
      quantiles: series.quantiles.map(({ quantile, text }) => ({ quantile, text })),
      values: series.quantiles.map(({ slot }) => pickRows(this.column(slot, from, to), rows)),
    };
  }

  /** Reads samples with `NaN` for missing bounds. `frames` is null if every frame has a sample. */
  #readHistogram(
    series: HistogramSeries,
    from: number,
    to: number,
  ): { samples: HistogramSamples; frames: Uint32Array | null } {
    const sums = this.column(series.sum, from, to);
    const cumulative = this.#readInOrder(from, to, (first, end) =>
      this.#columns.readChain(series, first, end),
    );
    const counts = cumulative.pop()!;
    const hasSums = !sums.every(Number.isNaN) || !this.column(series.sum).every(Number.isNaN);
    const rows = findHistogramRows(hasSums ? [sums, counts] : [counts], cumulative);
    const samples = {
      timesNs: pickRows(this.#offsetsNs(from, to), rows),
      sums: pickRows(sums, rows),
      counts: pickRows(counts, rows),
      bounds: series.buckets.map(({ le, text }) => ({ le, text })),
      cumulative: cumulative.map(column => pickRows(column, rows)),
    };
    return { samples, frames: rows?.map(row => row + Math.max(0, from)) ?? null };
  }

  #offsetsNs(from: number, to: number): Float64Array {
    return this.timeline().offsetsNs.subarray(Math.max(0, from), Math.max(0, to));
  }

  /** Reads columns of the frames [from, to) of the timeline. `read` takes a range in the order of arrival. */
  #readInOrder(
    from: number,
    to: number,
    read: (first: number, end: number) => Float64Array[],
  ): Float64Array[] {
    const first = Math.max(0, from);
    const end = Math.max(first, Math.min(to, this.frameCount));
    const order = this.#times.order()?.subarray(first, end);
    if (order === undefined || order.length === 0) return read(first, end);
    let min = order[0]!;
    let max = min;
    for (const frame of order) {
      if (frame < min) min = frame;
      if (frame > max) max = frame;
    }
    return read(min, max + 1).map(column => Float64Array.from(order, frame => column[frame - min]!));
  }
}

/** Returns the rows without missing values; null if all rows are complete, the usual case. */
function findCompleteRows(columns: readonly Float64Array[]): Uint32Array | null {
  const withGaps = columns.filter(column => column.includes(Number.NaN));
  if (withGaps.length === 0) return null;
  return listRows(columns[0]!.length).filter(row => withGaps.every(column => !Number.isNaN(column[row]!)));
}

function listRows(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, row) => row);
}

/**
 * Returns the rows with all totals (sum and count) and, if the histogram has buckets, at least one bound; null if these
 * are all rows.
 */
function findHistogramRows(
  totals: readonly Float64Array[],
  cumulative: readonly Float64Array[],
): Uint32Array | null {
  const rows = findCompleteRows(totals);
  if (cumulative.length === 0 || cumulative.some(column => !column.includes(Number.NaN))) return rows;
  return (rows ?? listRows(totals[0]!.length)).filter(row =>
    cumulative.some(column => !Number.isNaN(column[row]!)),
  );
}

/** Returns the values in the given rows; all values if `rows` is null. */
function pickRows(column: Float64Array, rows: Uint32Array | null): Float64Array {
  if (rows === null || rows.length === column.length) return column;
  const values = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) values[at] = column[rows[at]!]!;
  return values;
}
