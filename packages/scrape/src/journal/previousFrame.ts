/**
 * The last frame of an endpoint in the journal. The next frame is encoded as the difference from this frame.
 */
export class PreviousFrame {
  /** True if the frame is known. If not, the next frame must be self-contained. */
  isKnown = false;
  timestampNs = 0n;
  /** Number of values in the frame. */
  length = 0;
  /** Values by slot. The array may be longer than the frame; values beyond `length` are NaN. */
  values: Float64Array = new Float64Array(0);

  /** Extends `values` to at least `length` slots. */
  widen(length: number): void {
    if (length <= this.values.length) return;
    const widerValues = new Float64Array(Math.ceil(length * 1.25)).fill(Number.NaN);
    widerValues.set(this.values);
    this.values = widerValues;
  }

  /** Resets to the initial state, in which all slots are absent. */
  reset(): void {
    this.isKnown = false;
    this.length = 0;
    this.values.fill(Number.NaN);
  }

  /** Stores a frame after it has been written. */
  store(timestampNs: bigint, values: Float64Array): void {
    this.widen(values.length);
    this.values.set(values);
    this.shorten(values.length);
    this.timestampNs = timestampNs;
    this.isKnown = true;
  }

  /** Sets the number of values and marks the slots beyond it as absent. */
  shorten(length: number): void {
    if (length < this.length) this.values.fill(Number.NaN, length, this.length);
    this.length = length;
  }
}
