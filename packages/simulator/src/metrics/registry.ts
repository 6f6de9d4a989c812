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
  /** True if a counter is exposed without the suffix `_total`, as in Triton. */
  readonly omitsTotal: boolean;
  /**
   * True if the family has `_created` samples in exposition styles that include them. The
   * Prometheus client library's own metrics have none.
   */
  readonly hasCreationTime: boolean;
  /** Quantiles of a summary, ascending. */
  readonly quantiles: readonly number[];
  readonly series: readonly S[];
  /** Returns the series with the given labels, creating it on first use. */
  labels(values: LabelValues): S;
}

type FamilyMetadata = Omit<MetricFamily, 'series' | 'labels'>;

/** Dependencies of a registry. */
export interface RegistryOptions {
  /** Returns the Unix time in seconds, for `_created` samples. */
  readonly getTimeS: () => number;
  /** Records every histogram observation. */
  readonly truth: TruthRecorder | undefined;
}

/** The metric families of one page, in declaration order. */
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
    options: Partial<Pick<MetricFamily, 'omitsTotal' | 'hasCreationTime'>> = {},
  ): MetricFamily<Counter> {
    const create = (labels: Labels): Counter => new Counter(labels, this.#nextCreationS());
    return this.#add({ ...createMetadata(name, 'counter', help), ...options }, create);
  }

  gauge(name: string, help: string): MetricFamily<Gauge> {
    return this.#add(createMetadata(name, 'gauge', help), labels => new Gauge(labels));
  }

  untyped(name: string, help = ''): MetricFamily<Gauge> {
    return this.#add(createMetadata(name, 'untyped', help), labels => new Gauge(labels));
  }

  /** Declares a metric with the constant value 1 and descriptive labels, exposed as `<name>_info`. */
  info(name: string, help: string, values: LabelValues): void {
    this.#add(createMetadata(name, 'info', help), labels => new Gauge(labels))
      .labels(values)
      .set(1);
  }

  histogram(name: string, help: string, bounds: readonly number[]): MetricFamily<Histogram> {
    const sortedBounds = Float64Array.from(bounds).sort();
    const create = (labels: Labels): Histogram => {
      return new Histogram(
        labels,
        sortedBounds,
        this.#nextCreationS(),
        this.#options.truth?.getObservations(name, labels),
      );
    };
    return this.#add(createMetadata(name, 'histogram', help), create);
  }

  summary(name: string, help: string, quantiles: readonly number[] = []): MetricFamily<Summary> {
    const create = (labels: Labels): Summary => new Summary(labels, this.#nextCreationS());
    return this.#add({ ...createMetadata(name, 'summary', help), quantiles }, create);
  }

  /** Returns the Unix creation time of the next series, in seconds. Successive series are 12 µs apart. */
  #nextCreationS(): number {
    this.#createdCount += 1;
    return this.#options.getTimeS() + this.#createdCount * 1.2e-5;
  }

  #add<S extends Counter | Gauge | Histogram | Summary>(
    metadata: FamilyMetadata,
    create: (labels: Labels) => S,
  ): MetricFamily<S> {
    if (this.#families.some(({ name, type }) => name === metadata.name && type === metadata.type)) {
      throw new Error(`the ${metadata.type} "${metadata.name}" is declared twice`);
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
    const family: MetricFamily<S> = { ...metadata, series, labels };
    this.#families.push(family as MetricFamily);
    return family;
  }
}

function createMetadata(name: string, type: MetricType, help: string): FamilyMetadata {
  return { name, type, help, omitsTotal: false, hasCreationTime: true, quantiles: [] };
}

/** Returns the series of a family for each value of one label, creating missing series. */
export function getSeriesByLabel<S, K extends string>(
  family: MetricFamily<S>,
  labels: LabelValues,
  label: string,
  values: readonly K[],
): Readonly<Record<K, S>> {
  const entries = values.map(value => [value, family.labels({ ...labels, [label]: value })]);
  return Object.fromEntries(entries) as Record<K, S>;
}

/** Returns the series with the given labels from each of several families. */
export function getSeries<F extends Readonly<Record<string, MetricFamily<unknown>>>>(
  families: F,
  labels: LabelValues,
): FamilySeries<F> {
  const entries = Object.entries(families).map(([name, family]) => [name, family.labels(labels)]);
  return Object.fromEntries(entries) as FamilySeries<F>;
}

/** The series type of each family. */
export type FamilySeries<F> = { readonly [K in keyof F]: F[K] extends MetricFamily<infer S> ? S : never };
