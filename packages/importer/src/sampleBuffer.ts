const INITIAL_CAPACITY = 4096;

/** Growing arrays of sample times (Unix milliseconds) and values. A sample without a finite value is NaN. */
export class SampleBuffer {
  times: Float64Array = new Float64Array(INITIAL_CAPACITY);
  values: Float64Array = new Float64Array(INITIAL_CAPACITY);
  length = 0;
  /** Number of samples that are infinite, or NaN in a chunk without being the marker of the end of a series. */
  dropped = 0;

  /** Makes room for `count` more samples. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.times.length) return;
    const capacity = Math.max(needed, 2 * this.times.length);
    this.times = copy(this.times, capacity, this.length);
    this.values = copy(this.values, capacity, this.length);
  }

  /** Appends a sample. */
  push(timeMs: number, value: number): void {
    this.reserve(1);
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) this.dropped++;
    this.times[this.length] = timeMs;
    this.values[this.length++] = value;
  }

  clear(): void {
    this.length = 0;
    this.dropped = 0;
  }
}

function copy(from: Float64Array, capacity: number, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(capacity);
  to.set(from.subarray(0, length));
  return to;
}
