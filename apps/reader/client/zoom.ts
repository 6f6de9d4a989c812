/** The length of the smallest range that can be shown, as a fraction of the whole axis. */
const MIN_RANGE = 1 / 1000;

/** The time range that all charts show, in seconds. */
export class Zoom {
  #fullRange: readonly [from: number, to: number];
  readonly #listeners: Set<() => void> = new Set();
  #range: readonly [from: number, to: number];

  constructor(from: number, to: number) {
    this.#fullRange = [from, to];
    this.#range = this.#fullRange;
  }

  get range(): readonly [from: number, to: number] {
    return this.#range;
  }

  /** Replaces the whole axis, and shows it if it was visible. Otherwise, the visible range stays. */
  resize(from: number, to: number): void {
    const wasWhole = this.#range[0] === this.#fullRange[0] && this.#range[1] === this.#fullRange[1];
    this.#fullRange = [from, to];
    if (wasWhole) this.reset();
    else this.#show(...this.#range);
  }

  /** Registers a listener that is called when the range changes. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Shows a range in every chart, limited to the whole axis. */
  set(from: number, to: number): void {
    const [first, last] = this.#fullRange;
    const length = Math.min(last - first, Math.max(to - from, (last - first) * MIN_RANGE));
    const start = Math.min(Math.max(from, first), last - length);
    this.#show(start, start + length);
  }

  /** Multiplies the length of the range by a factor, around its middle. */
  scaleBy(factor: number): void {
    const [from, to] = this.#range;
    const middle = (from + to) / 2;
    const halfLength = ((to - from) * factor) / 2;
    this.set(middle - halfLength, middle + halfLength);
  }

  /** Moves the range by a fraction of its length. A positive fraction moves the range to later times. */
  moveBy(fraction: number): void {
    const [from, to] = this.#range;
    const distance = (to - from) * fraction;
    this.set(from + distance, to + distance);
  }

  /** Shows the whole axis. */
  reset(): void {
    this.#show(...this.#fullRange);
  }

  #show(from: number, to: number): void {
    this.#range = [from, to];
    for (const listener of this.#listeners) listener();
  }
}
