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
  readonly composites: readonly Composite[];
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
type Composite = HistogramSeries | SummarySeries;

/** What histograms and summaries have in common: samples that are told apart by the number in one of their labels. */
interface Kind<S extends Composite> {
  readonly label: 'le' | 'quantile';
  /** What the names of such samples have behind the family's. */
  readonly suffix: string;
  series(layout: Layout, family: Family, labels: Labels): S;
  part(layout: Layout, series: S, number: number, text: string): Slot;
}

const HISTOGRAM: Kind<HistogramSeries> = {
  label: 'le',
  suffix: '_bucket',
  series: (layout, family, labels) => layout.histogram(family, labels),
  part: (layout, series, le, text) => layout.bucket(series, le, text),
};

const SUMMARY: Kind<SummarySeries> = {
  label: 'quantile',
  suffix: '',
  series: (layout, family, labels) => layout.summary(family, labels),
  part: (layout, series, quantile, text) => layout.quantile(series, quantile, text),
};

class Placing {
  readonly #layout: Layout;
  readonly #samples: Sample[] = [];
  readonly #slots: number[] = [];
  readonly #composites = new Set<Composite>();
  readonly #times = new Set<string>();
  readonly #unsupported = new Set<string>();
  #latest: Sample['labels'] | undefined;
  #latestWithout: string | undefined;
  #latestOwn: Labels = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  family(family: SampleFamily): void {
    const type = KEPT_AS[family.type];
    if (isTime(family.name)) {
      this.#times.add(family.name);
      this.#leaveOut(family);
    } else if (type === undefined) {
      this.#unsupported.add(family.name);
      this.#leaveOut(family);
    } else if (type === 'histogram') this.#composite(family, keptFamily(family, type), HISTOGRAM);
    else if (type === 'summary') this.#composite(family, keptFamily(family, type), SUMMARY);
    else this.#scalars(family, keptFamily(family, type));
  }

  finish(): Placement {
    return {
      samples: this.#samples,
      slots: lastOfEach(this.#slots, this.#layout.slotCount),
      composites: [...this.#composites],
      left: { times: [...this.#times], unsupported: [...this.#unsupported] },
    };
  }

  #put(sample: Sample, slot: Slot): void {
    this.#samples.push(sample);
    this.#slots.push(slot);
  }

  #leaveOut({ samples }: SampleFamily): void {
    for (const sample of samples) this.#put(sample, -1);
  }

  #scalars({ samples }: SampleFamily, family: Family): void {
    let name: string | undefined;
    let isTimeOfStart = false;
    for (const sample of samples) {
      if (sample.name !== name) {
        name = sample.name;
        isTimeOfStart = name !== family.name && name.endsWith('_created');
      }
      this.#put(
        sample,
        isTimeOfStart ? -1 : this.#layout.scalar(family, this.#ownLabels(sample.labels)).value,
      );
    }
  }

  #composite<S extends Composite>({ samples }: SampleFamily, family: Family, kind: Kind<S>): void {
    let before: Sample['labels'] | undefined;
    let series: S | undefined;
    let name: string | undefined;
    let suffix = '';
    for (const sample of samples) {
      if (sample.name !== name) {
        name = sample.name;
        suffix = name.slice(family.name.length);
      }
      const text = suffix === kind.suffix ? labelValue(sample, kind.label) : undefined;
      const number = text === undefined ? Number.NaN : (numberOf(text) ?? Number.NaN);
      const isPart = !Number.isNaN(number);
      if (sample.native || !(isPart || suffix === '_sum' || suffix === '_count')) {
        if (sample.native) this.#unsupported.add(family.name);
        this.#put(sample, -1);
        continue;
      }
      const { labels } = sample;
      // The lines of one series follow each other, so the one of the line before is tried first.
      if (!series || !before || !sameLabels(before, labels, kind.label)) {
        series = kind.series(this.#layout, family, this.#ownLabels(labels, kind.label));
        this.#composites.add(series);
      }
      before = labels;
      if (isPart) this.#put(sample, kind.part(this.#layout, series, number, text!));
      else this.#put(sample, suffix === '_sum' ? series.sum : series.count);
    }
  }

  #ownLabels(labels: Sample['labels'], without?: string): Labels {
    if (labels === this.#latest && without === this.#latestWithout) return this.#latestOwn;
    const own: Label[] = [];
    for (const label of labels) if (label[0] !== without) own.push(label);
    this.#latest = labels;
    this.#latestWithout = without;
    this.#latestOwn = own.length < 2 ? own : sortedLabels(own);
    return this.#latestOwn;
  }
}

/** The last line of a slot wins: an earlier one loses it, so that a change of that one alone changes nothing. */
function lastOfEach(placed: readonly Slot[], slotCount: number): Int32Array {
  const slots = new Int32Array(placed);
  const taken = new Uint8Array(slotCount);
  for (let index = slots.length - 1; index >= 0; index--) {
    const slot = slots[index]!;
    if (slot === -1) continue;
    if (taken[slot] === 1) slots[index] = -1;
    taken[slot] = 1;
  }
  return slots;
}

/** AIPerf's rule for families that carry times (reference A7). */
function isTime(name: string): boolean {
  return name.endsWith('_created') || name.endsWith('_uptime') || name.includes('_uptime_');
}

function keptFamily({ name, type, help, unit }: SampleFamily, as: FamilyType): Family {
  const family = { name: type === 'info' ? `${name}_info` : name, type: as, help };
  return unit === undefined ? family : { ...family, declaredUnit: unit };
}

function labelValue(sample: Sample, name: string): string | undefined {
  for (const pair of sample.labels) if (pair[0] === name) return pair[1];
  return undefined;
}

/** Whether two label lists say the same in the same order, each without one label. */
function sameLabels(a: Sample['labels'], b: Sample['labels'], except: string): boolean {
  if (a === b) return true;
  let i = 0;
  let j = 0;
  for (;;) {
    // Neighbouring lines share the labels that they have in common.
    while (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    }
    if (i < a.length && a[i]![0] === except) i++;
    if (j < b.length && b[j]![0] === except) j++;
    if (i >= a.length || j >= b.length) return i >= a.length && j >= b.length;
    if (a[i]![0] !== b[j]![0] || a[i]![1] !== b[j]![1]) return false;
    i++;
    j++;
  }
}
