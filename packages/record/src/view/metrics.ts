import { inferUnit, type Series } from '@org/core';
import type { EndpointRecord, RunRecord } from '../runRecord.ts';

/** A series and where it comes from. */
export interface PlacedSeries {
  readonly endpoint: EndpointRecord;
  readonly series: Series;
}

/** All series of one name and type on all endpoints. */
export interface PlacedMetric {
  /** Its name in the exports: one of its own, also when two types of metrics share theirs. */
  readonly name: string;
  readonly type: Series['family']['type'];
  /** HELP text; empty when no endpoint gave one. */
  readonly description: string;
  readonly unit: string | null;
  readonly series: readonly PlacedSeries[];
}

/**
 * The metrics of a run, sorted by name; the series of each by endpoint and labels (seed 001, "Data Organization").
 *
 * Two families of one name and different types (a counter `a_total` is called `a`, and so is a gauge `a`) must not share an
 * entry: the one that comes later in the order counter, gauge, histogram, summary, unknown takes its type as a suffix.
 */
export function metricsOf(record: RunRecord): PlacedMetric[] {
  const byIdentity = new Map<string, PlacedSeries[]>();
  for (const endpoint of record.endpoints) {
    for (const series of endpoint.store.layout.series) {
      const identity = `${series.family.name}\0${series.family.type}`;
      const placed = byIdentity.get(identity);
      if (placed) placed.push({ endpoint, series });
      else byIdentity.set(identity, [{ endpoint, series }]);
    }
  }
  const taken = new Set<string>();
  return [...byIdentity.entries()]
    .sort(([a], [b]) => compare(a, b))
    .map(([, series]) => metricOf(series, taken))
    .sort((a, b) => compare(a.name, b.name));
}

function metricOf(series: PlacedSeries[], taken: Set<string>): PlacedMetric {
  const { name: familyName, type } = series[0]!.series.family;
  let name = familyName;
  while (taken.has(name)) name += `_${type}`;
  taken.add(name);
  const description = series.map(one => one.series.family.help).find(help => help !== '') ?? '';
  const declaredUnit = series.map(one => one.series.family.declaredUnit).find(Boolean);
  const unit = inferUnit(familyName, description, { declaredUnit });
  return { name, type, description, unit, series: series.sort(byEndpointAndLabels) };
}

function byEndpointAndLabels(a: PlacedSeries, b: PlacedSeries): number {
  return compare(a.endpoint.url, b.endpoint.url) || compareLabels(a.series.labels, b.series.labels);
}

function compareLabels(a: Series['labels'], b: Series['labels']): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compare(a[i]![0], b[i]![0]) || compare(a[i]![1], b[i]![1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
