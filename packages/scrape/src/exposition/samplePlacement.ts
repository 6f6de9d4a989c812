import {
  CREATED_SUFFIX,
  type Family,
  type FamilyType,
  type HistogramSeries,
  isTimeName,
  type Labels,
  type Layout,
  type Slot,
  type SummarySeries,
  sortLabels,
} from '@org/core';
import type { Exposition, Sample, SampleFamily } from './exposition.ts';
import { parseNumber } from './number.ts';

/** The slots of a body's samples, and the families that have no slots. */
export interface Placement {
  /** The samples, in the order of the body. */
  readonly samples: readonly Sample[];
  /** The slot of each sample; -1 for a sample that is not recorded. */
  readonly slots: Int32Array;
  /** The histograms and summaries of the body. In each scrape, they are recorded completely or not at all. */
  readonly composites: readonly Composite[];
  readonly omitted: OmittedFamilies;
}

/** The names of metric families that are not exported. */
export interface OmittedFamilies {
  /** Families of `_created` and `_uptime` metrics, whose values are times. Gauges are recorded as evidence. */
  readonly times: readonly string[];
  /** Families of unsupported types: native histograms and gauge histograms. */
  readonly unsupported: readonly string[];
}

/** The stored type of each declared type. Infos and state sets are stored as gauges with values 0 and 1. */
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
 * Assigns slots to the samples of a body. Slots of new series are added to the layout.
 *
 * The type is part of a series' identity. Of the families with names like creation times and uptimes, gauges are
 * recorded as evidence of starts, and counters only if they count something else
 * (docs/decisions/0011-family-names.md). If a sample occurs more than once, the last line is used, as in
 * AIPerf.
 */
export function placeSamples(layout: Layout, exposition: Exposition): Placement {
  const placer = new SamplePlacer(layout);
  const names = new Set(exposition.families.map(({ name }) => name));
  for (const family of exposition.families) placer.addFamily(family, names);
  return placer.finish();
}

type Label = Labels[number];
type Composite = HistogramSeries | SummarySeries;

/**
 * The common structure of histograms and summaries: sum, count and samples with a number in the `le` or
 * `quantile` label.
 */
interface CompositeKind<S extends Composite> {
  readonly label: 'le' | 'quantile';
  /** The name suffix of the samples with this label. */
  readonly suffix: string;
  addSeries(layout: Layout, family: Family, labels: Labels): S;
  addSlot(layout: Layout, series: S, number: number, text: string): Slot;
}

const HISTOGRAM: CompositeKind<HistogramSeries> = {
  label: 'le',
  suffix: '_bucket',
  addSeries: (layout, family, labels) => layout.histogram(family, labels),
  addSlot: (layout, series, le, text) => layout.bucket(series, le, text),
};

const SUMMARY: CompositeKind<SummarySeries> = {
  label: 'quantile',
  suffix: '',
  addSeries: (layout, family, labels) => layout.summary(family, labels),
  addSlot: (layout, series, quantile, text) => layout.quantile(series, quantile, text),
};

/**
 * The role of a sample in a histogram or summary. `number`: a bucket or quantile, with a number in its label.
 */
type Part = 'sum' | 'count' | 'number' | 'created';

class SamplePlacer {
  readonly #layout: Layout;
  readonly #samples: Sample[] = [];
  readonly #slots: number[] = [];
  readonly #composites = new Set<Composite>();
  readonly #times = new Set<string>();
  readonly #unsupported = new Set<string>();
  // Arguments and result of the last call to `#getSeriesLabels`: consecutive samples often have the same labels.
  #cachedLabels: Sample['labels'] | undefined;
  #cachedExcluded: string | undefined;
  #cachedResult: Labels = [];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** @param names the names of all families of the body */
  addFamily(family: SampleFamily, names: ReadonlySet<string>): void {
    const type = STORED_TYPES[family.type];
    if (isTimeName(family.name) && !isCounterOfEvents(family, names)) {
      this.#times.add(family.name);
      if (type === 'gauge') this.#addScalars(family, toStoredFamily(family, type));
      else if (type === 'counter') this.#addScalars(family, toStoredFamily(family, 'gauge'));
      else this.#skip(family);
    } else if (type === undefined) {
      this.#unsupported.add(family.name);
      this.#skip(family);
    } else if (type === 'histogram') this.#addComposite(family, toStoredFamily(family, type), HISTOGRAM);
    else if (type === 'summary') this.#addComposite(family, toStoredFamily(family, type), SUMMARY);
    else this.#addScalars(family, toStoredFamily(family, type));
  }

  finish(): Placement {
    return {
      samples: this.#samples,
      slots: keepLastPerSlot(this.#slots, this.#layout.slotCount),
      composites: [...this.#composites],
      omitted: { times: [...this.#times], unsupported: [...this.#unsupported] },
    };
  }

  #add(sample: Sample, slot: Slot): void {
    this.#samples.push(sample);
    this.#slots.push(slot);
  }

  #skip({ samples }: SampleFamily): void {
    for (const sample of samples) this.#add(sample, -1);
  }

  #addScalars({ samples }: SampleFamily, family: Family): void {
    let name: string | undefined;
    let target = family;
    for (const sample of samples) {
      if (sample.name !== name) {
        name = sample.name;
        const isCreationTime = name !== family.name && name.endsWith(CREATED_SUFFIX);
        target = isCreationTime ? toCreatedFamily(family) : family;
      }
      this.#add(sample, this.#layout.scalar(target, this.#getSeriesLabels(sample.labels)).value);
    }
  }

  #addComposite<S extends Composite>(
    { samples }: SampleFamily,
    family: Family,
    kind: CompositeKind<S>,
  ): void {
    let series: S | undefined;
    let previous: Sample['labels'] = [];
    let previousIndex = -1;
    let name: string | undefined;
    let part: Part | undefined;
    let labelIndex = -1; // the index of the `le` or `quantile` label
    let label: string = kind.label; // the label name as the string object that consecutive lines share
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
      if (part === 'created') {
        const created = this.#layout.scalar(toCreatedFamily(family), this.#getSeriesLabels(labels));
        this.#add(sample, created.value);
        continue;
      }
      if (sample.native || part === undefined || (part === 'number' && Number.isNaN(number))) {
        this.#add(sample, -1);
        continue;
      }
      // The lines of a series are usually adjacent, so the labels are first compared with the previous line.
      const isSameSeries =
        labelIndex !== -1 && labelIndex === previousIndex && differOnlyAt(previous, labels, labelIndex);
      if (!series || !(isSameSeries || haveSameLabels(previous, labels, kind.label))) {
        series = kind.addSeries(this.#layout, family, this.#getSeriesLabels(labels, kind.label));
        this.#composites.add(series);
      }
      previous = labels;
      previousIndex = labelIndex;
      this.#add(sample, part === 'number' ? kind.addSlot(this.#layout, series, number, text!) : series[part]);
    }
  }

  /** Returns the sorted labels of a series, without the `excluded` label. */
  #getSeriesLabels(labels: Sample['labels'], excluded?: string): Labels {
    if (labels === this.#cachedLabels && excluded === this.#cachedExcluded) return this.#cachedResult;
    const includedLabels: Label[] = [];
    for (const label of labels) if (label[0] !== excluded) includedLabels.push(label);
    this.#cachedLabels = labels;
    this.#cachedExcluded = excluded;
    this.#cachedResult = includedLabels.length < 2 ? includedLabels : sortLabels(includedLabels);
    return this.#cachedResult;
  }
}

/** Returns the slots of all samples, with -1 for all but the last sample of each slot. */
function keepLastPerSlot(allSlots: readonly Slot[], slotCount: number): Int32Array {
  const slots = new Int32Array(allSlots);
  const isUsed = new Uint8Array(slotCount);
  for (let index = slots.length - 1; index >= 0; index--) {
    const slot = slots[index]!;
    if (slot === -1) continue;
    if (isUsed[slot] === 1) slots[index] = -1;
    isUsed[slot] = 1;
  }
  return slots;
}

/**
 * Reports whether a family is a counter of events despite its name, such as Envoy's counters of created connections:
 * no other family exists that it could be the creation time of.
 */
function isCounterOfEvents({ name, type }: SampleFamily, names: ReadonlySet<string>): boolean {
  if (type !== 'counter') return false;
  return !name.endsWith(CREATED_SUFFIX) || !names.has(name.slice(0, -CREATED_SUFFIX.length));
}

/** Returns the family of the creation times of a family's series. */
function toCreatedFamily({ name }: Family): Family {
  return { name: `${name}${CREATED_SUFFIX}`, type: 'gauge', help: '' };
}

function toStoredFamily({ name, type, help, unit }: SampleFamily, storedType: FamilyType): Family {
  const family = { name: type === 'info' ? `${name}_info` : name, type: storedType, help };
  return unit === undefined ? family : { ...family, declaredUnit: unit };
}

function classifySuffix(
  suffix: string,
  { suffix: numberSuffix }: { readonly suffix: string },
): Part | undefined {
  if (suffix === numberSuffix) return 'number';
  if (suffix === '_sum') return 'sum';
  if (suffix === CREATED_SUFFIX) return 'created';
  return suffix === '_count' ? 'count' : undefined;
}

/** Reports whether two label lists share all label objects except for the one at `labelIndex`. */
function differOnlyAt(a: Sample['labels'], b: Sample['labels'], labelIndex: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (i !== labelIndex && a[i] !== b[i]) return false;
  return true;
}

/** Reports whether two label lists are equal, including the order, ignoring the label `except`. */
function haveSameLabels(a: Sample['labels'], b: Sample['labels'], except: string): boolean {
  if (a === b) return true;
  let i = 0;
  let j = 0;
  for (;;) {
    // Consecutive lines share label objects.
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
