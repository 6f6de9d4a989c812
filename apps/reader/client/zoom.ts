/** The part of a uPlot chart that a zoom controls. */
export interface ZoomableChart {
  setScale(scale: 'x', range: { readonly min: number; readonly max: number }): void;
}

/** The smallest range that can be shown, as a fraction of the whole axis. */
const MIN_RANGE = 1 / 1000;

/** The range of time that all charts show, in seconds. */
export class Zoom {
  readonly #whole: readonly [from: number, to: number];
  readonly #charts: Set<ZoomableChart> = new Set();
  readonly #listeners: Set<() => void> = new Set();
  #range: readonly [from: number, to: number];

  constructor(from: number, to: number) {
    this.#whole = [from, to];
    this.#range = this.#whole;
  }

  get range(): readonly [from: number, to: number] {
    return this.#range;
  }

  add(chart: ZoomableChart): void {
    this.#charts.add(chart);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Shows a range in every chart, limited to the whole axis. */
  set(from: number, to: number): void {
    const [first, last] = this.#whole;
    const length = Math.min(last - first, Math.max(to - from, (last - first) * MIN_RANGE));
    const start = Math.min(Math.max(from, first), last - length);
    this.#show(start, start + length);
  }

  /** Multiplies the length of the range by a factor, around its middle. */
  scaleBy(factor: number): void {
    const [from, to] = this.#range;
    const middle = (from + to) / 2;
    const half = ((to - from) * factor) / 2;
    this.set(middle - half, middle + half);
  }

  /** Moves the range by a fraction of its length; later if positive. */
  moveBy(fraction: number): void {
    const [from, to] = this.#range;
    const distance = (to - from) * fraction;
    this.set(from + distance, to + distance);
  }

  /** Shows the whole axis. */
  reset(): void {
    this.#show(...this.#whole);
  }

  #show(from: number, to: number): void {
    this.#range = [from, to];
    for (const chart of this.#charts) chart.setScale('x', { min: from, max: to });
    for (const listener of this.#listeners) listener();
  }
}
