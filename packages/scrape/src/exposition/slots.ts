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
  slot(layout: Layout, series: S, number: number, text: string): Slot;
}

const HISTOGRAM: Kind<HistogramSeries> = {
  label: 'le',
  suffix: '_bucket',
  series: (layout, family, labels) => layout.histogram(family, labels),
  slot: (layout, series, le, text) => layout.bucket(series, le, text),
};

const SUMMARY: Kind<SummarySeries> = {
  label: 'quantile',
  suffix: '',
  series: (layout, family, labels) => layout.summary(family, labels),
  slot: (layout, series, quantile, text) => layout.quantile(series, quantile, text),
};

/** Which sample of a histogram or summary one is: its sum, its count, or one that bears a number in a label. */
type Part = 'sum' | 'count' | 'number';

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
    let series: S | undefined;
    let before: Sample['labels'] = [];
    let atBefore = -1;
    let name: string | undefined;
    let part: Part | undefined;
    let at = -1; // where the label is that tells the samples of a series apart
    let label: string = kind.label; // its name as a string of this body, which neighbours share
    for (const sample of samples) {
      const { labels } = sample;
      if (at === -1 || labels[at]?.[0] !== label) {
        at = labels.findIndex(pair => pair[0] === kind.label);
        if (at !== -1) label = labels[at]![0];
      }
      if (sample.name !== name) {
        name = sample.name;
        part = partNamed(name.slice(family.name.length), kind);
      }
      const text = part === 'number' && at !== -1 ? labels[at]![1] : undefined;
      const number = (text === undefined ? undefined : numberOf(text)) ?? Number.NaN;
      if (sample.native) this.#unsupported.add(family.name);
      if (sample.native || part === undefined || (part === 'number' && Number.isNaN(number))) {
        this.#put(sample, -1);
        continue;
      }
      // The lines of one series follow each other, so the one of the line before is tried first.
      const same = at !== -1 && at === atBefore && differOnlyAt(before, labels, at);
      if (!series || !(same || sameLabels(before, labels, kind.label))) {
        series = kind.series(this.#layout, family, this.#ownLabels(labels, kind.label));
        this.#composites.add(series);
      }
      before = labels;
      atBefore = at;
      this.#put(sample, part === 'number' ? kind.slot(this.#layout, series, number, text!) : series[part]);
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

function partNamed(suffix: string, { suffix: own }: { readonly suffix: string }): Part | undefined {
  if (suffix === own) return 'number';
  if (suffix === '_sum') return 'sum';
  return suffix === '_count' ? 'count' : undefined;
}

/** Whether two label lists share all labels but that at one place. */
function differOnlyAt(a: Sample['labels'], b: Sample['labels'], at: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (i !== at && a[i] !== b[i]) return false;
  return true;
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
