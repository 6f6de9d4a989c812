import type { Gpu, GpuSample } from './sample.ts';

/** The samples of one GPU of one source, in order of time. */
export interface GpuSeries {
  readonly source: string;
  readonly gpu: Gpu;
  /** Number of samples. */
  readonly length: number;
  /** Time of each sample, in nanoseconds since the origin of the history. */
  readonly timesNs: Float64Array;
  /** Values of a field, NaN where a sample has none; undefined if no sample has one. */
  getValues(field: string): Float64Array | undefined;
}

/** The samples of a run, in 8 bytes per value. */
export class GpuHistory {
  /** The time that `timesNs` is relative to, in nanoseconds since 1970. */
  readonly originNs: bigint;
  readonly #series = new Map<string, Columns>();

  constructor(originNs: bigint) {
    this.originNs = originNs;
  }

  /** The GPUs, by source and in order of their first samples. */
  get series(): readonly GpuSeries[] {
    return [...this.#series.values()];
  }

  /** Adds a sample. Samples of a GPU must be added in order of time; earlier ones are ignored. */
  add({ gpu, source, timestampNs, values }: GpuSample): void {
    const key = `${source}\n${gpu.hostname ?? ''}\n${gpu.uuid}`;
    let columns = this.#series.get(key);
    if (!columns) {
      columns = new Columns(source, gpu);
      this.#series.set(key, columns);
    }
    columns.add(Number(timestampNs - this.originNs), values);
  }

  /** Converts a time in nanoseconds since 1970 to nanoseconds since the origin. */
  toRelative(ns: bigint): number {
    return Number(ns - this.originNs);
  }
}

const INITIAL_CAPACITY = 256;

/** Growing columns of the samples of one GPU. */
class Columns implements GpuSeries {
  readonly source: string;
  readonly gpu: Gpu;
  #length = 0;
  #times: Float64Array = new Float64Array(INITIAL_CAPACITY);
  readonly #values = new Map<string, Float64Array>();

  constructor(source: string, gpu: Gpu) {
    this.source = source;
    this.gpu = gpu;
  }

  get length(): number {
    return this.#length;
  }

  get timesNs(): Float64Array {
    return this.#times.subarray(0, this.#length);
  }

  getValues(field: string): Float64Array | undefined {
    return this.#values.get(field)?.subarray(0, this.#length);
  }

  add(timeNs: number, values: GpuSample['values']): void {
    if (this.#length > 0 && timeNs <= this.#times[this.#length - 1]!) return;
    if (this.#length === this.#times.length) this.#grow();
    this.#times[this.#length] = timeNs;
    for (const [field, value] of Object.entries(values)) this.#getColumn(field)[this.#length] = value;
    this.#length += 1;
  }

  #getColumn(field: string): Float64Array {
    let column = this.#values.get(field);
    if (!column) {
      column = new Float64Array(this.#times.length).fill(Number.NaN);
      this.#values.set(field, column);
    }
    return column;
  }

  #grow(): void {
    const capacity = 2 * this.#times.length;
    const times = new Float64Array(capacity);
    times.set(this.#times);
    this.#times = times;
    for (const [field, column] of this.#values) {
      const larger = new Float64Array(capacity).fill(Number.NaN);
      larger.set(column);
      this.#values.set(field, larger);
    }
  }
}
