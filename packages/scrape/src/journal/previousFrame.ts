/** An endpoint's newest frame in the journal: what the next one is told as a difference to. */
export class PreviousFrame {
  /** False before the first frame, and where the next one has to stand on its own. */
  isKnown = false;
  timestampNs = 0n;
  /** How many values the frame had. */
  length = 0;
  /** By slot; absent beyond the length. Can be longer than the frame was. */
  values: Float64Array = new Float64Array(0);

  /** Makes `values` hold at least `length` slots. */
  widen(length: number): void {
    if (length <= this.values.length) return;
    const wider = new Float64Array(Math.ceil(length * 1.25)).fill(Number.NaN);
    wider.set(this.values);
    this.values = wider;
  }

  /** Everything is absent, as before the first frame. */
  forget(): void {
    this.isKnown = false;
    this.length = 0;
    this.values.fill(Number.NaN);
  }

  /** The frame that was told is now the newest. */
  take(timestampNs: bigint, values: Float64Array): void {
    this.widen(values.length);
    this.values.set(values);
    this.shorten(values.length);
    this.timestampNs = timestampNs;
    this.isKnown = true;
  }

  /** Sets the length; slots that are no longer within it are absent. */
  shorten(length: number): void {
    if (length < this.length) this.values.fill(Number.NaN, length, this.length);
    this.length = length;
  }
}
