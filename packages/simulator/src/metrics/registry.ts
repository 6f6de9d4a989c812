import { formatLabelsKey, type Labels, sortLabels } from '@org/core';
import type { TruthRecorder } from '../truth.ts';
import { Counter, Gauge, Histogram, Summary } from './series.ts';

/** Type of a family; `untyped` is written without a TYPE line. */
export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'info' | 'untyped';

/** Label values by name. */
export type LabelValues = Readonly<Record<string, string>>;

/** All series of one metric. */
export interface MetricFamily<S = Counter | Gauge | Histogram | Summary> {
  /** Name without suffixes such as `_total` and `_info`. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** True if a counter is exposed without `_total`, as in Triton. */
  readonly bare: boolean;
  /**
   * True if the family has `_created` samples in styles with creation times; the metrics of the client
   * library itself have none.
   */
  readonly created: boolean;
  /** Quantiles of a summary, ascending. */
  readonly quantiles: readonly number[];
  readonly series: readonly S[];
  /** Returns the series with these labels; creates it on first use. */
  labels(values: LabelValues): S;
}

type FamilyHead = Omit<MetricFamily, 'series' | 'labels'>;

/** Dependencies of a registry. */
export interface RegistryOptions {
  /** Returns the wall time in seconds, for `_created` samples. */
  readonly clockS: () => number;
  /** Recorder of all observations of histograms. */
  readonly truth: TruthRecorder | undefined;
}

/** The metrics of one page, in order of declaration. */
export class Registry {
  readonly #families: MetricFamily[] = [];
  readonly #options: RegistryOptions;
  #createdCount = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  get families(): readonly MetricFamily[] {
    return this.#families;
  }

  counter(
    name: string,
    help: string,
    { bare = false, created = true }: { readonly bare?: boolean; readonly created?: boolean } = {},
  ): MetricFamily<Counter> {
    const create = (labels: Labels): Counter => new Counter(labels, this.#createdS());
    return this.#add({ ...createHead(name, 'counter', help), bare, created }, create);
  }

  gauge(name: string, help: string): MetricFamily<Gauge> {
    return this.#add(createHead(name, 'gauge', help), labels => new Gauge(labels));
  }

  untyped(name: string, help = ''): MetricFamily<Gauge> {
    return this.#add(createHead(name, 'untyped', help), labels => new Gauge(labels));
  }

  /** Declares a constant 1 with descriptive labels, exposed as `<name>_info`. */
  info(name: string, help: string, values: LabelValues): void {
    this.#add(createHead(name, 'info', help), labels => new Gauge(labels))
      .labels(values)
      .set(1);
  }

  histogram(name: string, help: string, bounds: readonly number[]): MetricFamily<Histogram> {
    const shared = Float64Array.from(bounds).sort();
    const create = (labels: Labels): Histogram => {
      return new Histogram(labels, shared, this.#createdS(), this.#options.truth?.observations(name, labels));
    };
    return this.#add(createHead(name, 'histogram', help), create);
  }

  summary(name: string, help: string, quantiles: readonly number[] = []): MetricFamily<Summary> {
    const create = (labels: Labels): Summary => new Summary(labels, this.#createdS());
    return this.#add({ ...createHead(name, 'summary', help), quantiles }, create);
  }

  /** Series are created one after the other, 12 µs apart. */
  #createdS(): number {
    this.#createdCount += 1;
    return this.#options.clockS() + this.#createdCount * 1.2e-5;
  }

  #add<S extends Counter | Gauge | Histogram | Summary>(
    head: FamilyHead,
    create: (labels: Labels) => S,
  ): MetricFamily<S> {
    if (this.#families.some(({ name, type }) => name === head.name && type === head.type)) {
      throw new Error(`the ${head.type} "${head.name}" is declared twice`);
    }
    const series: S[] = [];
    const byLabels = new Map<string, S>();
    const labels = (values: LabelValues): S => {
      const sorted = sortLabels(Object.entries(values));
      const key = formatLabelsKey(sorted);
      let existing = byLabels.get(key);
      if (!existing) {
        existing = create(sorted);
        byLabels.set(key, existing);
        series.push(existing);
      }
      return existing;
    };
    const family: MetricFamily<S> = { ...head, series, labels };
    this.#families.push(family as MetricFamily);
    return family;
  }
}

function createHead(name: string, type: MetricType, help: string): FamilyHead {
  return { name, type, help, bare: false, created: true, quantiles: [] };
}
