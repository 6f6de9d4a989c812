import type { HistogramSeries, Layout, Slot } from '../layout/layout.ts';

/** Which slots hold the cumulative values of which histogram; kept up as a layout grows. */
export class Chains {
  readonly #layout: Layout;
  #slotCount = -1;
  #histograms: HistogramSeries[] = [];
  #single: Slot[] = [];
  /** By slot; nothing for one that belongs to no chain. */
  #bySlot: (HistogramSeries | null)[] = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** All histograms of the layout. */
  get histograms(): readonly HistogramSeries[] {
    this.#refresh();
    return this.#histograms;
  }

  /** The slots that belong to no chain. */
  get single(): readonly Slot[] {
    this.#refresh();
    return this.#single;
  }

  /** The histogram of a bucket's or count's slot. */
  histogramOf(slot: Slot): HistogramSeries | undefined {
    this.#refresh();
    return this.#bySlot[slot] ?? undefined;
  }

  #refresh(): void {
    if (this.#slotCount === this.#layout.slotCount) return;
    this.#slotCount = this.#layout.slotCount;
    this.#histograms = this.#layout.series.filter(series => series.kind === 'histogram');
    this.#bySlot = new Array<HistogramSeries | null>(this.#slotCount).fill(null);
    for (const series of this.#histograms) {
      for (const slot of chainOf(series, Infinity)) this.#bySlot[slot] = series;
    }
    this.#single = [];
    for (let slot = 0; slot < this.#slotCount; slot++) if (!this.#bySlot[slot]) this.#single.push(slot);
  }
}

/**
 * The slots of a histogram whose values rise from one to the next: its buckets by bound, then its count. A chunk keeps
 * each less the one before, so that an observation changes one column and not all above it. Only slots below
 * `slotCount`, which is what a chunk knew when it was made.
 */
export function chainOf(series: HistogramSeries, slotCount: number): Slot[] {
  const chain: Slot[] = [];
  for (const { slot } of series.buckets) if (slot < slotCount) chain.push(slot);
  if (series.count < slotCount) chain.push(series.count);
  return chain;
}
