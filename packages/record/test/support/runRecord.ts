import { EndpointStore, type Family, Layout, sortLabels } from '@org/core';
import type { EndpointRecord, RunRecord } from '../../src/runRecord.ts';

export const T0 = 1_765_615_837_721_140_145n;
const SECOND = 1_000_000_000n;

/** The time of a scrape, in seconds after T0, and its samples by `name{label=value}`. */
export type ScrapeRow = readonly [
  seconds: number,
  samples: Readonly<Record<string, number | Histogram | Summary>>,
];

export interface Summary {
  readonly sum: number;
  readonly count: number;
  readonly quantiles: Readonly<Record<string, number>>;
}

export interface Histogram {
  readonly sum: number;
  readonly count: number;
  readonly buckets: Readonly<Record<string, number>>;
}

/**
 * Creates the record of an endpoint from a table of scrapes. `types` contains the type of each family. A
 * suffix such as `@2` distinguishes families of the same name and is removed.
 */
export function createEndpointRecord(
  url: string,
  types: Readonly<Record<string, Family['type']>>,
  rows: readonly ScrapeRow[],
): EndpointRecord {
  const layout = new Layout();
  const store = new EndpointStore(layout);
  const families = new Map(
    Object.entries(types).map(([name, type]) => [
      name,
      { name: name.replace(/@.*/, ''), type, help: `Help of ${name}` },
    ]),
  );
  let previousText = '';
  for (const [seconds, samples] of rows) {
    const values: number[] = [];
    for (const [key, value] of Object.entries(samples)) {
      const [, name, labelText] = /^([^{]*)(?:\{(.*)\})?$/s.exec(key)!;
      const labels = sortLabels(
        labelText ? labelText.split(',').map(pair => pair.split('=', 2) as [string, string]) : [],
      );
      const family = families.get(name!)!;
      if (typeof value === 'number') values[layout.scalar(family, labels).value] = value;
      else if ('quantiles' in value) {
        const series = layout.summary(family, labels);
        values[series.sum] = value.sum;
        values[series.count] = value.count;
        for (const [text, quantile] of Object.entries(value.quantiles))
          values[layout.quantile(series, Number(text), text)] = quantile;
      } else {
        const series = layout.histogram(family, labels);
        values[series.sum] = value.sum;
        values[series.count] = value.count;
        for (const [le, count] of Object.entries(value.buckets))
          values[layout.bucket(series, Number(le.replace('+Inf', 'Infinity')), le)] = count;
      }
    }
    const samplesText = JSON.stringify(samples);
    store.append({
      timestampNs: T0 + BigInt(Math.round(seconds * 1e6)) * 1000n,
      latencyNs: 2_000_000,
      changed: samplesText !== previousText,
      values: Float64Array.from({ length: layout.slotCount }, (_, slot) => values[slot] ?? Number.NaN),
    });
    previousText = samplesText;
  }
  return { url, configuredUrl: url, store, health: HEALTHY };
}

export const HEALTHY: EndpointRecord['health'] = {
  status: 'active',
  last_error: null,
  scrapes_failed: 0,
  scrapes_late: 0,
  samples_dropped: 0,
  lines_dropped: 0,
  bytes: 100,
  outages: [],
  outages_omitted: 0,
  unsupported: [],
};

/** Creates a run whose profiling period lasts from `start` to `end` seconds after T0. */
export function createRunRecord(endpoints: readonly EndpointRecord[], start: number, end: number): RunRecord {
  return {
    benchmarkId: '550e8400-e29b-41d4-a716-446655440000',
    version: '1.2.3',
    startNs: T0,
    endNs: T0 + 100n * SECOND,
    period: { startNs: T0 + BigInt(start) * SECOND, endNs: T0 + BigInt(end) * SECOND },
    cancelled: false,
    endpoints,
    inputConfig: { model: 'm' },
  };
}
