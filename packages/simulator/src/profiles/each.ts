import type { LabelValues, MetricFamily } from '../metrics/registry.ts';

/** The series of a family for each value of one label; asking for them makes them. */
export function eachValue<S, K extends string>(
  family: MetricFamily<S>,
  labels: LabelValues,
  label: string,
  values: readonly K[],
): Readonly<Record<K, S>> {
  const entries = values.map(value => [value, family.labels({ ...labels, [label]: value })]);
  return Object.fromEntries(entries) as Record<K, S>;
}

/** The series with these labels of each of several families. */
export function eachFamily<F extends Readonly<Record<string, MetricFamily<unknown>>>>(
  families: F,
  labels: LabelValues,
): SeriesOf<F> {
  const entries = Object.entries(families).map(([name, family]) => [name, family.labels(labels)]);
  return Object.fromEntries(entries) as SeriesOf<F>;
}

/** The series type of each family. */
export type SeriesOf<F> = { readonly [K in keyof F]: F[K] extends MetricFamily<infer S> ? S : never };
