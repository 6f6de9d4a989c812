import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { computeDerived } from '../../src/derived/computeDerived.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument, URL_A } from '../documents.ts';

/** Test data that several repositories share. */
const SHARED = resolve(process.env.SERVELENS_SHARED ?? join(import.meta.dirname, '../../../../../shared'));

/** Samples of a page by name and labels. */
type Page = ReadonlyMap<string, number>;

function readPage(path: string): { readonly types: ReadonlyMap<string, string>; readonly samples: Page } {
  const text = path === '' ? '' : readFileSync(join(SHARED, 'peers', path), 'utf8');
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
function createMetrics(from: string, to: string): Record<string, object> {
  const [before, after] = [readPage(from), readPage(to)];
  const metrics: Record<string, { type: string; series: object[] }> = {};
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
    }[type];
    const name = (type === 'histogram' ? family : sample).replace(
      /_total$/,
      type === 'counter' ? '' : '_total',
    );
    metrics[name] ??= { type, series: [] };
    metrics[name].series.push({ endpoint_url: URL_A, labels: parseLabels(labels), stats });
  }
  return metrics;
}

/** The first and the last page of a server, and the values that its counters give by hand. */
const PAGES: readonly [string, string, Readonly<Record<string, number>>][] = [
  [
    'vllm-0.29.0/base-before.prom',
    'vllm-0.29.0/base-after.prom',
    {
      prefix_cache_hit_rate: 340_864 / 682_998,
      prefill_token_share: 342_134 / 509_430,
      tokens_per_step: 509_430 / 23_061,
      kv_cache_size: 1_048_576,
    },
  ],
  [
    'vllm-0.29.0/dp2-before.prom',
    'vllm-0.29.0/dp2-after.prom',
    {
      output_token_imbalance: 4922 / 4705,
      tokens_per_step: (26_940 + 24_486) / (1617 + 1432),
      kv_cache_size: 2 * 1_048_576,
    },
  ],
  [
    '',
    'dynamo-1.6.1/kv3/after.frontend.prom',
    { router_cache_hit_rate: 48_000 / 122_626, router_cache_hit_loss: 0 },
  ],
];

const isMissing = !existsSync(join(SHARED, 'peers/vllm-0.29.0'));
if (isMissing) console.warn(`skipped: no shared test data at ${SHARED} (set SERVELENS_SHARED)`);

describe.skipIf(isMissing)('recorded pages (shared test data)', () => {
  test.each(PAGES)('from %j to %s', (from, to, expected) => {
    const values = computeDerived(createRunFromView(createDocument(createMetrics(from, to))));
    const found = values.filter(({ name, value }) => value !== undefined && Object.hasOwn(expected, name));
    expect(Object.fromEntries(found.map(({ name, value }) => [name, value]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, expect.closeTo(value, 12)])),
    );
  });
});
