import type { HistogramSeries, Layout, Slot } from '../layout/layout.ts';

/**
 * Maps bucket and count slots to their histograms. The chain of a histogram consists of these slots, see
 * `listChainSlots`. The map is updated when the layout grows.
 */
export class CumulativeChains {
  readonly #layout: Layout;
  #slotCount = -1;
  #histograms: HistogramSeries[] = [];
  #unchainedSlots: Slot[] = [];
  /** Histogram by slot; null for slots that are not in a chain. */
  #bySlot: (HistogramSeries | null)[] = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The histograms of the layout. */
  get histograms(): readonly HistogramSeries[] {
    this.#refresh();
    return this.#histograms;
  }

  /** The slots that are not in a chain. */
  get unchainedSlots(): readonly Slot[] {
    this.#refresh();
    return this.#unchainedSlots;
  }

  /** Returns the histogram of a bucket or count slot; undefined for other slots. */
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
 * Lists the slots of a histogram in order of ascending values: its buckets by bound, then its count. A chunk
 * stores the difference between each slot and the previous slot, so that an observation changes one column
 * instead of one column for each higher bound. Slots from `slotCount`, the size of the layout when the chunk
 * was created, are omitted.
 */
export function listChainSlots(series: HistogramSeries, slotCount: number): Slot[] {
  const chain: Slot[] = [];
  for (const { slot } of series.buckets) if (slot < slotCount) chain.push(slot);
  if (series.count < slotCount) chain.push(series.count);
  return chain;
}
