import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { URL_A } from './documents.ts';

/** Test data that several repositories share. */
export const SHARED: string = resolve(
  process.env.SERVELENS_SHARED ?? join(import.meta.dirname, '../../../../shared'),
);

/** A metric of a run. */
export interface RecordedMetric {
  readonly type: string;
  readonly series: {
    readonly endpoint_url: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly stats: Readonly<Record<string, number>> | undefined;
  }[];
}

/** Samples of a page by name and labels. */
type Page = ReadonlyMap<string, number>;

function readPage(path: string): { readonly types: ReadonlyMap<string, string>; readonly samples: Page } {
  const text = path === '' ? '' : readFileSync(resolve(SHARED, 'peers', path), 'utf8');
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!] as const);
  const samples = [...text.matchAll(/^([^#\s{]+(?:\{.*\})?) (\S+)$/gm)].map(
    ([, key, value]) => [key!, Number(value)] as const,
  );
  return { types: new Map(types), samples: new Map(samples) };
}

function parseLabels(text = ''): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key!, value!]),
  );
}

/** Creates the metrics of a run from its first and its last page. */
export function createMetrics(from: string, to: string): Record<string, RecordedMetric> {
  const [before, after] = [readPage(from), readPage(to)];
  const metrics: Record<string, RecordedMetric> = {};
  for (const [key, value] of after.samples) {
    const [, sample = '', labels] = /^([^{]+)(\{.*\})?$/.exec(key)!;
    const family = sample.replace(/_(?:sum|count|bucket)$/, '');
    const type = after.types.get(family) ?? after.types.get(sample);
    if (type === undefined || type === 'summary' || sample.endsWith('_bucket') || sample.endsWith('_sum'))
      continue;
    const increase = value - (before.samples.get(key) ?? 0);
    const sumKey = `${family}_sum${labels ?? ''}`;
    const sum = (after.samples.get(sumKey) ?? 0) - (before.samples.get(sumKey) ?? 0);
    const stats = {
      counter: { total: increase },
      gauge: { avg: value, max: value },
      histogram: { count: increase, sum },
    }[type] as Record<string, number> | undefined;
    const name = (type === 'histogram' ? family : sample).replace(
      /_total$/,
      type === 'counter' ? '' : '_total',
    );
    metrics[name] ??= { type, series: [] };
    metrics[name].series.push({ endpoint_url: URL_A, labels: parseLabels(labels), stats });
  }
  return metrics;
}
