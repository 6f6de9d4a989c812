import { type Batch, type HistogramValue, isHistogram, type Point } from './batch.ts';
import type { MetricDefinition } from './definition.ts';
import { toPrometheusLabels, toPrometheusName } from './prometheusNames.ts';

/** A sample of a series of Prometheus, with its labels sorted by name. */
export interface FlatSample {
  /** The name of the series. Sums, counts and buckets have suffixes. */
  readonly name: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
}

/** A metric with its samples. */
export interface FlatFamily {
  readonly definition: MetricDefinition;
  readonly name: string;
  readonly samples: readonly FlatSample[];
}

/** Converts a batch to Prometheus series. Each bucket of a histogram becomes a series. */
export function flattenBatch({ families }: Pick<Batch, 'families'>, common: Point['labels']): FlatFamily[] {
  return families.map(({ definition, points }) => {
    const name = toPrometheusName(definition);
    return { definition, name, samples: points.flatMap(point => flattenPoint(name, point, common)) };
  });
}

/** Counts the samples of a batch: a histogram has one for each bucket, and two more. */
export function countSamples({ families }: Pick<Batch, 'families'>): number {
  const values = families.flatMap(({ points }) => points.map(({ value }) => value));
  return values.reduce<number>((sum, value) => sum + (isHistogram(value) ? value.counts.length + 2 : 1), 0);
}

function flattenPoint(name: string, { labels, value }: Point, common: Point['labels']): FlatSample[] {
  const pairs = toPrometheusLabels({ ...common, ...labels });
  if (isHistogram(value)) return flattenHistogram(name, pairs, value);
  return [{ name, labels: sortLabels(pairs), value }];
}

function flattenHistogram(
  name: string,
  labels: readonly [string, string][],
  { bounds, counts, count, sum }: HistogramValue,
): FlatSample[] {
  let cumulative = 0;
  const buckets = counts.map((bucket, index) => {
    cumulative += bucket;
    const le = bounds[index] === undefined ? '+Inf' : String(bounds[index]);
    return { name: `${name}_bucket`, labels: sortLabels([...labels, ['le', le]]), value: cumulative };
  });
  const sorted = sortLabels(labels);
  return [
    ...buckets,
    { name: `${name}_sum`, labels: sorted, value: sum },
    { name: `${name}_count`, labels: sorted, value: count },
  ];
}

function sortLabels(labels: readonly (readonly [string, string])[]): [string, string][] {
  return labels.map(([name, value]): [string, string] => [name, value]).sort(([a], [b]) => (a < b ? -1 : 1));
}
