import type { LabelValues, MetricFamily } from '../metrics/registry.ts';

/** Returns the series of a family for each value of one label; missing series are created. */
export function getSeriesByLabel<S, K extends string>(
  family: MetricFamily<S>,
  labels: LabelValues,
  label: string,
  values: readonly K[],
): Readonly<Record<K, S>> {
  const entries = values.map(value => [value, family.labels({ ...labels, [label]: value })]);
  return Object.fromEntries(entries) as Record<K, S>;
}

/** Returns the series with these labels in each of several families. */
export function getSeries<F extends Readonly<Record<string, MetricFamily<unknown>>>>(
  families: F,
  labels: LabelValues,
): FamilySeries<F> {
  const entries = Object.entries(families).map(([name, family]) => [name, family.labels(labels)]);
  return Object.fromEntries(entries) as FamilySeries<F>;
}

/** The series type of each family. */
export type FamilySeries<F> = { readonly [K in keyof F]: F[K] extends MetricFamily<infer S> ? S : never };
