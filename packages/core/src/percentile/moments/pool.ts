/** Observations spread evenly between two values, or all at one. */
export interface Span {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** All observations of one bucket, gathered over the epochs of a run. */
export class Pool {
  private readonly spans: Span[] = [];
  private running: Float64Array | null = null;

  add(lower: number, upper: number, count: number): void {
    if (count > 0) this.spans.push({ lower, upper, count });
  }

  /** The value with `index` smaller ones before it. */
  orderStatistic(index: number): number {
    this.running ??= this.sort();
    const total = this.running[this.spans.length]!;
    const rank = Math.min(index + 0.5, total * (1 - 1e-12));
    let low = 0;
    let high = this.spans.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.running[middle + 1]! <= rank) low = middle + 1;
      else high = middle;
    }
    const { lower, upper, count } = this.spans[low]!;
    const share = (rank - this.running[low]!) / count;
    return lower + (upper - lower) * Math.min(Math.max(share, 0), 1);
  }

  /** Orders the spans by their middles; gives how many observations lie before each. */
  private sort(): Float64Array {
    this.spans.sort((a, b) => a.lower + a.upper - b.lower - b.upper);
    const running = new Float64Array(this.spans.length + 1);
    this.spans.forEach((span, at) => {
      running[at + 1] = running[at]! + span.count;
    });
    return running;
  }
}
