import type { Layout, Series } from '@org/core';
import type { Gpu, GpuReading } from '../sample.ts';
import { isBlank } from './blankValues.ts';
import { EXPORTERS, type Exporter, type ExporterField } from './exporterFields.ts';
import { combineInstances, type InstanceValue } from './migInstances.ts';

/** A series of an exporter that becomes a value of a GPU. */
interface PageSeries {
  readonly slot: number;
  readonly gpu: Gpu;
  readonly key: string;
  readonly metric: ExporterField;
  /** Position of the metric among the metrics of its field; the first one with a value is used. */
  readonly rank: number;
  readonly instance: string;
  readonly profile: string;
}

/** Reads the GPUs of one exporter from the frames of its page. */
export class ExporterPage {
  readonly #layout: Layout;
  readonly #series: PageSeries[] = [];
  /** Number of series of the layout that have been examined. */
  #examined = 0;
  /** GPUs by key, so that all series of a GPU share its first description. */
  readonly #gpus = new Map<string, Gpu>();
  /** MIG instances by the key of their GPU. */
  readonly #instances = new Map<string, Set<string>>();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Returns the values of each GPU in a frame. GPUs without values are omitted. */
  read(values: Float64Array): GpuReading[] {
    this.#examineNewSeries();
    const byGpu = new Map<string, Map<string, InstanceValue[]>>();
    for (const series of this.#series) {
      const value = values[series.slot];
      if (value === undefined || isBlank(value)) continue;
      const fields = getOrAdd(byGpu, series.key, () => new Map<string, InstanceValue[]>());
      const { instance, profile, rank, metric } = series;
      getOrAdd(fields, metric.field, () => []).push({
        instance,
        profile,
        rank,
        value: value * metric.factor,
      });
    }
    return [...byGpu].map(([key, fields]) => ({
      gpu: this.#describe(key),
      values: Object.fromEntries(
        [...fields].flatMap(([field, instances]) => {
          const value = combineInstances(field, instances);
          return value === undefined ? [] : [[field, value]];
        }),
      ),
    }));
  }

  #describe(key: string): Gpu {
    const gpu = this.#gpus.get(key)!;
    const migInstances = this.#instances.get(key)?.size;
    return migInstances === undefined ? gpu : { ...gpu, migInstances };
  }

  #examineNewSeries(): void {
    const { series } = this.#layout;
    for (; this.#examined < series.length; this.#examined++) this.#examine(series[this.#examined]!);
  }

  #examine(series: Series): void {
    if (series.kind !== 'scalar') return;
    // AMD's exporter has a setting for a prefix, which AMD's operator for Kubernetes sets.
    const name = series.family.name.replace(/^amd_/, '');
    // Exporters declare some counters as gauges, with and without the suffix.
    const found = findMetric(name) ?? findMetric(name.replace(/_total$/, ''));
    if (!found) return;
    const { exporter, metric, rank } = found;
    const labels = new Map(series.labels);
    const index = Number.parseInt(labels.get(exporter.indexLabel) ?? '', 10);
    if (!(index >= 0)) return;
    const { instance, profile } = exporter.labels;
    const described = describeGpu(exporter, index, labels);
    const key = `${described.hostname ?? ''}|${exporter.platform}|${described.uuid}`;
    const gpu = getOrAdd(this.#gpus, key, () => described);
    const instanceId = readLabel(labels, instance) ?? '';
    if (instanceId !== '') getOrAdd(this.#instances, key, () => new Set()).add(instanceId);
    this.#series.push({
      slot: series.value,
      gpu,
      key,
      metric,
      rank,
      instance: instanceId,
      profile: readLabel(labels, profile) ?? '',
    });
  }
}

function findMetric(
  name: string,
): { readonly exporter: Exporter; readonly metric: ExporterField; readonly rank: number } | undefined {
  for (const exporter of EXPORTERS) {
    const metric = exporter.metrics.get(name);
    if (metric) return { exporter, metric, rank: [...exporter.metrics.keys()].indexOf(name) };
  }
  return undefined;
}

function describeGpu(
  { platform, labels }: Exporter,
  index: number,
  values: ReadonlyMap<string, string>,
): Gpu {
  const hostname = readLabel(values, labels.hostname);
  const optional = {
    pciBusId: readLabel(values, labels.pciBusId),
    device: readLabel(values, labels.device),
    hostname,
    namespace: readLabel(values, labels.namespace),
    pod: readLabel(values, labels.pod),
  };
  return {
    index,
    uuid: readLabel(values, labels.uuid) ?? `GPU-${index}`,
    model: readLabel(values, labels.model) ?? 'unknown',
    platform,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

/** Returns the first label of a list with a value that is not empty. */
function readLabel(values: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = values.get(name);
    if (value) return value;
  }
  return undefined;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
