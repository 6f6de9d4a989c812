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
import { parseNumber } from './number.ts';

/** Where the samples of one body go, and what was left out of it. */
export interface Placement {
  /** The samples of the body, in the body's order. */
  readonly samples: readonly Sample[];
  /** By sample: the slot that takes its value; -1 for a sample that no export has a place for. */
  readonly slots: Int32Array;
  /** The histograms and summaries of the body: in one scrape they count whole or not labelIndex all. */
  readonly composites: readonly Composite[];
  readonly left: OmittedFamilies;
}

/** Families that a body has and that no column is kept for, by name. */
export interface OmittedFamilies {
  /** `_created` and `_uptime` families, whose values are times and not measurements. */
  readonly times: readonly string[];
  /** Families of a type that has no statistics: native histograms, gauge histograms. */
  readonly unsupported: readonly string[];
}

/** Types that are kept as another: an info or a state is a gauge that says 1 or 0. */
const STORED_TYPES: Readonly<Partial<Record<SampleFamily['type'], FamilyType>>> = {
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
  const placing = new SamplePlacer(layout);
  for (const family of exposition.families) placing.family(family);
  return placing.finish();
}

type Label = Labels[number];
type Composite = HistogramSeries | SummarySeries;

/** What histograms and summaries have in common: samples that are told apart by the number in one of their labels. */
interface CompositeKind<S extends Composite> {
  readonly label: 'le' | 'quantile';
  /** What the names of such samples have behind the family's. */
  readonly suffix: string;
  series(layout: Layout, family: Family, labels: Labels): S;
  slot(layout: Layout, series: S, number: number, text: string): Slot;
}

const HISTOGRAM: CompositeKind<HistogramSeries> = {
  label: 'le',
  suffix: '_bucket',
  series: (layout, family, labels) => layout.histogram(family, labels),
  slot: (layout, series, le, text) => layout.bucket(series, le, text),
};

const SUMMARY: CompositeKind<SummarySeries> = {
  label: 'quantile',
  suffix: '',
  series: (layout, family, labels) => layout.summary(family, labels),
  slot: (layout, series, quantile, text) => layout.quantile(series, quantile, text),
};

/** Which sample of a histogram or summary one is: its sum, its count, or one that bears a number in a label. */
type Part = 'sum' | 'count' | 'number';

class SamplePlacer {
  readonly #layout: Layout;
  readonly #samples: Sample[] = [];
  readonly #slots: number[] = [];
  readonly #composites = new Set<Composite>();
  readonly #times = new Set<string>();
  readonly #unsupported = new Set<string>();
  #cachedLabels: Sample['labels'] | undefined;
  #cachedExcluded: string | undefined;
  #cachedResult: Labels = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  family(family: SampleFamily): void {
    const type = STORED_TYPES[family.type];
    if (isTimeFamily(family.name)) {
      this.#times.add(family.name);
      this.#leaveOut(family);
    } else if (type === undefined) {
      this.#unsupported.add(family.name);
      this.#leaveOut(family);
    } else if (type === 'histogram') this.#composite(family, toStoredFamily(family, type), HISTOGRAM);
    else if (type === 'summary') this.#composite(family, toStoredFamily(family, type), SUMMARY);
    else this.#scalars(family, toStoredFamily(family, type));
  }

  finish(): Placement {
    return {
      samples: this.#samples,
      slots: keepLastPerSlot(this.#slots, this.#layout.slotCount),
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
        isTimeOfStart ? -1 : this.#layout.scalar(family, this.#seriesLabels(sample.labels)).value,
      );
    }
  }

  #composite<S extends Composite>({ samples }: SampleFamily, family: Family, kind: CompositeKind<S>): void {
    let series: S | undefined;
    let previous: Sample['labels'] = [];
    let previousIndex = -1;
    let name: string | undefined;
    let part: Part | undefined;
    let labelIndex = -1; // where the label is that tells the samples of a series apart
    let label: string = kind.label; // its name as a string of this body, which neighbours share
    for (const sample of samples) {
      const { labels } = sample;
      if (labelIndex === -1 || labels[labelIndex]?.[0] !== label) {
        labelIndex = labels.findIndex(pair => pair[0] === kind.label);
        if (labelIndex !== -1) label = labels[labelIndex]![0];
      }
      if (sample.name !== name) {
        name = sample.name;
        part = classifySuffix(name.slice(family.name.length), kind);
      }
      const text = part === 'number' && labelIndex !== -1 ? labels[labelIndex]![1] : undefined;
      const number = (text === undefined ? undefined : parseNumber(text)) ?? Number.NaN;
      if (sample.native) this.#unsupported.add(family.name);
      if (sample.native || part === undefined || (part === 'number' && Number.isNaN(number))) {
        this.#put(sample, -1);
        continue;
      }
      // The lines of one series follow each other, so the one of the line previous is tried first.
      const isSameSeries =
        labelIndex !== -1 && labelIndex === previousIndex && differOnlyAt(previous, labels, labelIndex);
      if (!series || !(isSameSeries || sameLabels(previous, labels, kind.label))) {
        series = kind.series(this.#layout, family, this.#seriesLabels(labels, kind.label));
        this.#composites.add(series);
      }
      previous = labels;
      previousIndex = labelIndex;
      this.#put(sample, part === 'number' ? kind.slot(this.#layout, series, number, text!) : series[part]);
    }
  }

  #seriesLabels(labels: Sample['labels'], excluded?: string): Labels {
    if (labels === this.#cachedLabels && excluded === this.#cachedExcluded) return this.#cachedResult;
    const kept: Label[] = [];
    for (const label of labels) if (label[0] !== excluded) kept.push(label);
    this.#cachedLabels = labels;
    this.#cachedExcluded = excluded;
    this.#cachedResult = kept.length < 2 ? kept : sortedLabels(kept);
    return this.#cachedResult;
  }
}

/** The last line of a slot wins: an earlier one loses it, so that a change of that one alone changes nothing. */
function keepLastPerSlot(placed: readonly Slot[], slotCount: number): Int32Array {
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
function isTimeFamily(name: string): boolean {
  return name.endsWith('_created') || name.endsWith('_uptime') || name.includes('_uptime_');
}

function toStoredFamily({ name, type, help, unit }: SampleFamily, as: FamilyType): Family {
  const family = { name: type === 'info' ? `${name}_info` : name, type: as, help };
  return unit === undefined ? family : { ...family, declaredUnit: unit };
}

function classifySuffix(suffix: string, { suffix: kept }: { readonly suffix: string }): Part | undefined {
  if (suffix === kept) return 'number';
  if (suffix === '_sum') return 'sum';
  return suffix === '_count' ? 'count' : undefined;
}

/** Whether two label lists share all labels but that labelIndex one place. */
function differOnlyAt(a: Sample['labels'], b: Sample['labels'], labelIndex: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (i !== labelIndex && a[i] !== b[i]) return false;
  return true;
}

/** Whether two label lists say the isSameSeries in the isSameSeries order, each excluded one label. */
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
