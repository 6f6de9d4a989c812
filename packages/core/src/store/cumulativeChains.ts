import type { HistogramSeries, Layout, Slot } from '../layout/layout.ts';

/** Maps slots to the histograms whose cumulative values they hold; follows the layout as it grows. */
export class CumulativeChains {
  readonly #layout: Layout;
  #slotCount = -1;
  #histograms: HistogramSeries[] = [];
  #unchainedSlots: Slot[] = [];
  /** By slot; null for slots outside all chains. */
  #bySlot: (HistogramSeries | null)[] = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The histograms of the layout. */
  get histograms(): readonly HistogramSeries[] {
    this.#refresh();
    return this.#histograms;
  }

  /** The slots outside all chains. */
  get unchainedSlots(): readonly Slot[] {
    this.#refresh();
    return this.#unchainedSlots;
  }

  /** Returns the histogram that a bucket or count slot belongs to. */
  findHistogram(slot: Slot): HistogramSeries | undefined {
    this.#refresh();
    return this.#bySlot[slot] ?? undefined;
  }

  #refresh(): void {
    if (this.#slotCount === this.#layout.slotCount) return;
    this.#slotCount = this.#layout.slotCount;
    this.#histograms = this.#layout.series.filter(series => series.kind === 'histogram');
    this.#bySlot = new Array<HistogramSeries | null>(this.#slotCount).fill(null);
    for (const series of this.#histograms) {
      for (const slot of listChainSlots(series, Infinity)) this.#bySlot[slot] = series;
    }
    this.#unchainedSlots = [];
    for (let slot = 0; slot < this.#slotCount; slot++)
      if (!this.#bySlot[slot]) this.#unchainedSlots.push(slot);
  }
}

/**
 * Lists the slots of a histogram whose values ascend from one to the next: its buckets by bound, then its count. A chunk
 * stores the difference of each to the previous one, so that an observation changes one column instead of all columns above
 * it. Only slots below `slotCount`, the size of the layout when the chunk was made, are listed.
 */
export function listChainSlots(series: HistogramSeries, slotCount: number): Slot[] {
  const chain: Slot[] = [];
  for (const { slot } of series.buckets) if (slot < slotCount) chain.push(slot);
  if (series.count < slotCount) chain.push(series.count);
  return chain;
}
