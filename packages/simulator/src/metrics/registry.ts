import { type Labels, labelsKey, sortedLabels } from '@org/core';
import type { TruthRecorder } from '../truth.ts';
import { Counter, Gauge, Histogram, Summary } from './series.ts';

/** Types a family can have; `untyped` is printed without a TYPE line. */
export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'info' | 'untyped';

/** Label values by name, as one writes them down. */
export type LabelValues = Readonly<Record<string, string>>;

/** All series of one metric. */
export interface MetricFamily<S = Counter | Gauge | Histogram | Summary> {
  /** Without `_total`, `_info` and the like. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** For a counter that is exposed without `_total` (Triton has such). */
  readonly bare: boolean;
  /** Whether it has `_created` samples where the style has them; the client's own families have none. */
  readonly created: boolean;
  /** Quantiles of a summary, ascending. */
  readonly quantiles: readonly number[];
  readonly series: readonly S[];
  /** The series with these labels, made on first use. */
  labels(values: LabelValues): S;
}

type FamilyHead = Omit<MetricFamily, 'series' | 'labels'>;

/** What a registry needs besides the families. */
export interface RegistryOptions {
  /** Wall time in seconds, for `_created` samples. */
  readonly clockS: () => number;
  /** Where histograms note what they observe. */
  readonly truth: TruthRecorder | undefined;
}

/** The metrics of one page, in the order in which they were declared. */
export class Registry {
  readonly #families: MetricFamily[] = [];
  readonly #options: RegistryOptions;
  #made = 0;

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
    const make = (labels: Labels): Counter => new Counter(labels, this.#createdS());
    return this.#add({ ...head(name, 'counter', help), bare, created }, make);
  }

  gauge(name: string, help: string): MetricFamily<Gauge> {
    return this.#add(head(name, 'gauge', help), labels => new Gauge(labels));
  }

  untyped(name: string, help = ''): MetricFamily<Gauge> {
    return this.#add(head(name, 'untyped', help), labels => new Gauge(labels));
  }

  /** A constant 1 whose labels tell something. Exposed as `<name>_info`. */
  info(name: string, help: string, values: LabelValues): void {
    this.#add(head(name, 'info', help), labels => new Gauge(labels))
      .labels(values)
      .set(1);
  }

  histogram(name: string, help: string, bounds: readonly number[]): MetricFamily<Histogram> {
    const shared = Float64Array.from(bounds).sort();
    const make = (labels: Labels): Histogram => {
      return new Histogram(labels, shared, this.#createdS(), this.#options.truth?.observations(name, labels));
    };
    return this.#add(head(name, 'histogram', help), make);
  }

  summary(name: string, help: string, quantiles: readonly number[] = []): MetricFamily<Summary> {
    const make = (labels: Labels): Summary => new Summary(labels, this.#createdS());
    return this.#add({ ...head(name, 'summary', help), quantiles }, make);
  }

  /** Series are made one after the other, some microseconds apart. */
  #createdS(): number {
    this.#made += 1;
    return this.#options.clockS() + this.#made * 1.2e-5;
  }

  #add<S extends Counter | Gauge | Histogram | Summary>(
    head: FamilyHead,
    make: (labels: Labels) => S,
  ): MetricFamily<S> {
    if (this.#families.some(({ name, type }) => name === head.name && type === head.type)) {
      throw new Error(`the ${head.type} "${head.name}" is declared twice`);
    }
    const series: S[] = [];
    const byLabels = new Map<string, S>();
    const labels = (values: LabelValues): S => {
      const sorted = sortedLabels(Object.entries(values));
      const key = labelsKey(sorted);
      let found = byLabels.get(key);
      if (!found) {
        found = make(sorted);
        byLabels.set(key, found);
        series.push(found);
      }
      return found;
    };
    const family: MetricFamily<S> = { ...head, series, labels };
    this.#families.push(family as MetricFamily);
    return family;
  }
}

function head(name: string, type: MetricType, help: string): FamilyHead {
  return { name, type, help, bare: false, created: true, quantiles: [] };
}
