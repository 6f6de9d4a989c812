import type uPlot from 'uplot';

/** The range of time that all charts show. */
export class Zoom {
  readonly #whole: readonly [number, number];
  readonly #charts: Set<uPlot> = new Set();
  readonly #listeners: Set<() => void> = new Set();
  #from: number;
  #to: number;

  constructor(from: number, to: number) {
    this.#whole = [from, to];
    this.#from = from;
    this.#to = to;
  }

  get range(): readonly [from: number, to: number] {
    return [this.#from, this.#to];
  }

  get isWhole(): boolean {
    return this.#from === this.#whole[0] && this.#to === this.#whole[1];
  }

  add(chart: uPlot): void {
    this.#charts.add(chart);
  }

  remove(chart: uPlot): void {
    this.#charts.delete(chart);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Shows a range in every chart, limited to the whole axis. */
  set(from: number, to: number): void {
    const [first, last] = this.#whole;
    const length = Math.min(last - first, Math.max(to - from, (last - first) / 1000));
    const start = Math.min(Math.max(from, first), last - length);
    this.#show(start, start + length);
  }

  #show(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    for (const chart of this.#charts) chart.setScale('x', { min: this.#from, max: this.#to });
    for (const listener of this.#listeners) listener();
  }

  /** Zooms in or out by a factor of two around the middle. */
  by(factor: number): void {
    const middle = (this.#from + this.#to) / 2;
    const half = ((this.#to - this.#from) * factor) / 2;
    this.set(middle - half, middle + half);
  }

  /** Moves the range by a fraction of its length. */
  move(share: number): void {
    const distance = (this.#to - this.#from) * share;
    this.set(this.#from + distance, this.#to + distance);
  }

  reset(): void {
    this.#show(...this.#whole);
  }
}
