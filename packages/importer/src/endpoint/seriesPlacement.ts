import type { Labels, Layout } from '@org/core';
import { type Exposition, placeSamples, type Sample, type SampleFamily } from '@org/scrape/exposition';
import type { FamilyResolver, NameEvidence, ResolvedFamily, TypeSource } from '../families/familyResolver.ts';
import { getLabel, NAME_LABEL } from '../series.ts';
import { toServerLabels } from './targetLabels.ts';

/** A series of an endpoint that is added to its layout. */
export interface NewSeries {
  readonly key: string;
  readonly labels: Labels;
  /** Time of the first sample, in Unix milliseconds. */
  readonly firstMs: number;
}

/** Assigns slots to the stored series of one endpoint, as the parser of a metrics page would. */
export class SeriesPlacement implements NameEvidence {
  readonly #layout: Layout;
  readonly #resolver: FamilyResolver;
  readonly #names = new Set<string>();
  readonly #quantiles = new Set<string>();
  readonly #slots = new Map<string, number>();
  readonly #sources = new Map<string, TypeSource>();
  /** Names of families of types that are not exported. */
  readonly unsupported: Set<string> = new Set<string>();

  constructor(layout: Layout, resolver: FamilyResolver) {
    this.#layout = layout;
    this.#resolver = resolver;
  }

  has = (name: string): boolean => this.#names.has(name);
  hasQuantiles = (name: string): boolean => this.#quantiles.has(name);

  /** The origin of the type of each family, by name. */
  get typeSources(): ReadonlyMap<string, TypeSource> {
    return this.#sources;
  }

  /** Returns the slot of a series; -1 if it is not recorded, and undefined if it has not been added. */
  getSlot(key: string): number | undefined {
    return this.#slots.get(key);
  }

  /**
   * Adds series to the layout, in the order of their first samples, as if the pages had been scraped. Series of one family
   * must be added together where possible, as types depend on names.
   */
  add(series: readonly NewSeries[], target: ReadonlyMap<string, string>): void {
    for (const { labels } of series) {
      const name = getLabel(labels, NAME_LABEL);
      this.#names.add(name);
      if (getLabel(labels, 'quantile') !== '') this.#quantiles.add(name);
    }
    for (const scraped of groupByFirstSample(series)) this.#place(scraped, target);
  }

  #place(series: readonly NewSeries[], target: ReadonlyMap<string, string>): void {
    const families = this.#group(series, target);
    const exposition: Exposition = { families: [...families.values()], badLines: [], badLineCount: 0 };
    const { slots, samples, omitted } = placeSamples(this.#layout, exposition);
    samples.forEach((sample, index) => {
      this.#slots.set((sample as KeyedSample).key, slots[index]!);
    });
    for (const name of omitted.unsupported) this.unsupported.add(name);
  }

  #group(series: readonly NewSeries[], target: ReadonlyMap<string, string>): Map<string, MutableFamily> {
    const families = new Map<string, MutableFamily>();
    const resolved = new Map<string, ResolvedFamily>();
    for (const { key, labels } of series) {
      const name = getLabel(labels, NAME_LABEL);
      const family = resolved.get(name) ?? this.#resolver.resolve(name, this);
      resolved.set(name, family);
      this.#sources.set(family.name, family.source);
      const id = `${family.type} ${family.name}`;
      const group = families.get(id) ?? createGroup(family);
      families.set(id, group);
      group.samples.push(createSample(key, family.sampleName, toServerLabels(labels, target)));
    }
    return families;
  }
}

/** Groups series by the time of their first samples, ascending. */
function groupByFirstSample(series: readonly NewSeries[]): Iterable<readonly NewSeries[]> {
  const groups = new Map<number, NewSeries[]>();
  for (const one of series.toSorted((a, b) => a.firstMs - b.firstMs)) {
    const group = groups.get(one.firstMs);
    if (group) group.push(one);
    else groups.set(one.firstMs, [one]);
  }
  return groups.values();
}

interface MutableFamily extends SampleFamily {
  readonly samples: Sample[];
}

interface KeyedSample extends Sample {
  readonly key: string;
}

function createGroup({ name, type, help, unit }: ResolvedFamily): MutableFamily {
  return { name, type, help, ...(unit === undefined ? {} : { unit }), samples: [] };
}

function createSample(key: string, name: string, labels: Labels): KeyedSample {
  return { key, name, labels, value: 0, valueStart: -1, lineEnd: -1 };
}
