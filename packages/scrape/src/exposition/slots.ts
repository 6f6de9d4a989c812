import {
  type Family,
  type FamilyType,
  type HistogramSeries,
  type Labels,
  type Layout,
  type Slot,
  type SummarySeries,
  sortedLabels,
} from '@org/core';
import type { Exposition, Sample, SampleFamily } from './exposition.ts';
import { numberOf } from './number.ts';

/** Where the samples of one body go, and what was left out of it. */
export interface Placement {
  /** The samples of the body, in the body's order. */
  readonly samples: readonly Sample[];
  /** By sample: the slot that takes its value; -1 for a sample that no export has a place for. */
  readonly slots: Int32Array;
  /** The histograms and summaries of the body: in one scrape they count whole or not at all. */
  readonly composites: readonly (HistogramSeries | SummarySeries)[];
  readonly left: LeftOut;
}

/** Families that a body has and that no column is kept for, by name. */
export interface LeftOut {
  /** `_created` and `_uptime` families, whose values are times and not measurements. */
  readonly times: readonly string[];
  /** Families of a type that has no statistics: native histograms, gauge histograms. */
  readonly unsupported: readonly string[];
}

/** Types that are kept as another: an info or a state is a gauge that says 1 or 0. */
const KEPT_AS: Readonly<Partial<Record<SampleFamily['type'], FamilyType>>> = {
  gauge: 'gauge',
  info: 'gauge',
  stateset: 'gauge',
  counter: 'counter',
  histogram: 'histogram',
  summary: 'summary',
  unknown: 'unknown',
};

/**
 * Gives every sample of a body its slot, growing the layout by the series that are new.
 *
 * Rules: DESIGN decision 11 (names, `_created` and `_uptime`, types are part of a series' identity); a sample that stands
 * twice counts by its last line (reference A7).
 */
export function placeSamples(layout: Layout, exposition: Exposition): Placement {
  const placing = new Placing(layout);
  for (const family of exposition.families) placing.family(family);
  return placing.finish();
}

type Label = Labels[number];

class Placing {
  readonly #layout: Layout;
  readonly #samples: Sample[] = [];
  readonly #slots: number[] = [];
  readonly #composites = new Set<HistogramSeries | SummarySeries>();
  readonly #times = new Set<string>();
  readonly #unsupported = new Set<string>();
  /** By slot: the index of its last sample. */
  readonly #lastBySlot: number[] = [];
  /** Labels without a tie to the body. Neighbouring samples share theirs. */
  readonly #copies = new Map<Label, Label>();
  #latest: Sample['labels'] | undefined;
  #latestWithout: string | undefined;
  #latestOwn: Labels = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  family(family: SampleFamily): void {
    const type = KEPT_AS[family.type];
    if (isTime(family.name)) this.#times.add(family.name);
    else if (type === undefined) this.#unsupported.add(family.name);
    const kept = type !== undefined && !isTime(family.name) ? keptFamily(family, type) : undefined;
    const place = kept ? this.#placer(kept) : () => -1;
    for (const sample of family.samples) this.#put(sample, sample.native ? -1 : place(sample));
    if (family.samples.some(sample => sample.native)) this.#unsupported.add(family.name);
  }

  finish(): Placement {
    return {
      samples: this.#samples,
      slots: Int32Array.from(this.#slots),
      composites: [...this.#composites],
      left: { times: [...this.#times], unsupported: [...this.#unsupported] },
    };
  }

  /** The last line of a slot wins: an earlier one loses it, so that a change of that one alone changes nothing. */
  #put(sample: Sample, slot: Slot): void {
    if (slot !== -1) {
      const earlier = this.#lastBySlot[slot];
      if (earlier !== undefined) this.#slots[earlier] = -1;
      this.#lastBySlot[slot] = this.#samples.length;
    }
    this.#samples.push(sample);
    this.#slots.push(slot);
  }

  #placer(family: Family): (sample: Sample) => Slot {
    if (family.type === 'histogram') return this.#histogramPlacer(family);
    if (family.type === 'summary') return this.#summaryPlacer(family);
    return sample => {
      if (sample.name.endsWith('_created') && sample.name !== family.name) return -1;
      return this.#layout.scalar(family, this.#ownLabels(sample.labels)).value;
    };
  }

  #histogramPlacer(family: Family): (sample: Sample) => Slot {
    const seriesOf = this.#finder('le', labels => this.#layout.histogram(family, labels));
    return sample => {
      const part = sample.name.slice(family.name.length);
      if (part === '_sum') return seriesOf(sample).sum;
      if (part === '_count') return seriesOf(sample).count;
      const text = part === '_bucket' ? labelValue(sample, 'le') : undefined;
      const le = text === undefined ? undefined : numberOf(text);
      if (le === undefined || Number.isNaN(le)) return -1;
      return this.#layout.bucket(seriesOf(sample), le, copied(text!));
    };
  }

  #summaryPlacer(family: Family): (sample: Sample) => Slot {
    const seriesOf = this.#finder('quantile', labels => this.#layout.summary(family, labels));
    return sample => {
      const part = sample.name.slice(family.name.length);
      if (part === '_sum') return seriesOf(sample).sum;
      if (part === '_count') return seriesOf(sample).count;
      const text = part === '' ? labelValue(sample, 'quantile') : undefined;
      const quantile = text === undefined ? undefined : numberOf(text);
      if (quantile === undefined || Number.isNaN(quantile)) return -1;
      return this.#layout.quantile(seriesOf(sample), quantile, copied(text!));
    };
  }

  #ownLabels(labels: Sample['labels'], without?: string): Labels {
    if (labels === this.#latest && without === this.#latestWithout) return this.#latestOwn;
    const own: Label[] = [];
    for (const label of labels) if (label[0] !== without) own.push(this.#copyOf(label));
    this.#latest = labels;
    this.#latestWithout = without;
    this.#latestOwn = own.length === 0 ? own : sortedLabels(own);
    return this.#latestOwn;
  }

  #copyOf(label: Label): Label {
    let copy = this.#copies.get(label);
    if (!copy) {
      copy = [copied(label[0]), copied(label[1])];
      this.#copies.set(label, copy);
    }
    return copy;
  }

  /** Finds a sample's series; the lines of one series follow each other, so the last one found is tried first. */
  #finder<S extends HistogramSeries | SummarySeries>(
    part: string,
    intern: (labels: Labels) => S,
  ): (sample: Sample) => S {
    let previous: Sample | undefined;
    let series: S | undefined;
    return sample => {
      if (!series || !previous || !sameLabels(previous.labels, sample.labels, part)) {
        series = intern(this.#ownLabels(sample.labels, part));
        this.#composites.add(series);
      }
      previous = sample;
      return series;
    };
  }
}

/** AIPerf's rule for families that carry times (reference A7). */
function isTime(name: string): boolean {
  return name.endsWith('_created') || name.endsWith('_uptime') || name.includes('_uptime_');
}

function keptFamily({ name, type, help, unit }: SampleFamily, as: FamilyType): Family {
  const family = { name: copied(type === 'info' ? `${name}_info` : name), type: as, help: copied(help) };
  return unit === undefined ? family : { ...family, declaredUnit: copied(unit) };
}

function labelValue(sample: Sample, name: string): string | undefined {
  for (const pair of sample.labels) if (pair[0] === name) return pair[1];
  return undefined;
}

function sameLabels(a: Sample['labels'], b: Sample['labels'], except: string): boolean {
  let i = 0;
  let j = 0;
  for (;;) {
    if (i < a.length && a[i]![0] === except) i++;
    if (j < b.length && b[j]![0] === except) j++;
    if (i >= a.length || j >= b.length) return i >= a.length && j >= b.length;
    if (a[i] !== b[j] && (a[i]![0] !== b[j]![0] || a[i]![1] !== b[j]![1])) return false;
    i++;
    j++;
  }
}

const copies = new Map<string, string>();
const MOST_COPIES = 10_000;

/**
 * The same text without a tie to the body that it was cut from, which would otherwise stay in memory for as long as the
 * layout does. Names recur, so copies are shared.
 */
function copied(text: string): string {
  if (text.length < 13) return text; // shorter pieces are copied by the engine itself
  const known = copies.get(text);
  if (known !== undefined) return known;
  const copy = JSON.parse(JSON.stringify(text)) as string;
  if (copies.size >= MOST_COPIES) copies.clear();
  copies.set(copy, copy);
  return copy;
}
