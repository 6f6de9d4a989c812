import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { findFindings } from '../../src/findings/findFindings.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { createRun } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';
import type { Metrics } from './runs.ts';

/** A run of 100 requests with 512 tokens each, on vLLM with blocks of 128 tokens. */
interface Case {
  readonly dataset?: Readonly<Record<string, unknown>>;
  /** Tokens that the KV cache of each replica holds. */
  readonly cacheTokens?: number;
  readonly hitRate?: number;
  readonly replicas?: number;
  readonly hitRates?: readonly number[];
  readonly usage?: number;
}

function find(id: string, metrics: Metrics, dataset?: Case['dataset']): Finding | undefined {
  const profile = {
    request_count: { unit: 'requests', avg: 100 },
    input_sequence_length: { unit: 'tokens', avg: 512 },
    ...(dataset && { input_config: { datasets: [{ name: 'main', type: 'synthetic', ...dataset }] } }),
  } as unknown as ProfileExport;
  const view = createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo });
  const run = createRun({ name: '', layout: 'json', files: {}, view, profile });
  return findFindings(run).find(finding => finding.id === id);
}

function createMetrics({ cacheTokens, hitRate = 0, replicas = 1, hitRates, usage = 0.4 }: Case): Metrics {
  const urls = [URL_A, URL_B].slice(0, replicas);
  const queries = 51_200 / replicas;
  const config = { block_size: '128', kv_cache_size_tokens: String(cacheTokens) };
  const each = (create: (options: { readonly url: string }) => object): object[] =>
    urls.map(url => create({ url }));
  return {
    'vllm:num_requests_running': createMetric(
      'gauge',
      each(options => createGauge(8, options)),
    ),
    'vllm:kv_cache_usage_perc': createMetric(
      'gauge',
      each(options => createGauge(usage / 2, { ...options, max: usage })),
    ),
    'vllm:prefix_cache_queries': createMetric(
      'counter',
      each(options =>
        createCounter(queries, { ...options, ...(hitRates && { slices: hitRates.map(() => 1000) }) }),
      ),
    ),
    'vllm:prefix_cache_hits': createMetric(
      'counter',
      each(options =>
        createCounter(hitRate * queries, {
          ...options,
          ...(hitRates && { slices: hitRates.map(rate => 1000 * rate) }),
        }),
      ),
    ),
    ...(cacheTokens !== undefined && {
      'vllm:cache_config_info': createMetric(
        'gauge',
        each(options => createGauge(1, { ...options, labels: config })),
      ),
    }),
  };
}

const findReuse = (id: string, entry: Case): Finding | undefined =>
  find(id, createMetrics(entry), entry.dataset);

test('a cache that holds fewer tokens than the repeated prompts have is too small', () => {
  const entry = { dataset: { entries: 20 }, cacheTokens: 4096, hitRate: 0.1 };
  expect(findReuse('cache-too-small', entry)!.evidence[0]!.text).toBe(
    'hit rate 10%, possible are 60% (20 prompts in 100 requests); repeated prompts have 7680 tokens, the KV cache holds 4096',
  );
  expect(findReuse('scattered-prompts', entry)).toBeUndefined();
});

test('replicas whose caches hold all prompts, but rarely find them, receive scattered prompts', () => {
  const entry = { dataset: { entries: 20 }, cacheTokens: 4096, hitRate: 0.1, replicas: 2 };
  expect(findReuse('scattered-prompts', entry)!.evidence[0]!.text).toBe(
    'hit rate 10%, possible are 60% (20 prompts in 100 requests); 2 replicas, whose caches hold all prompts',
  );
  expect(findReuse('cache-too-small', entry)).toBeUndefined();
});

test.each<[string, Case]>([
  ['the prompts are found', { dataset: { entries: 20 }, cacheTokens: 4096, hitRate: 0.55, replicas: 2 }],
  ['no prompts repeat', { dataset: {}, cacheTokens: 4096, replicas: 2 }],
  ['most prompts are new', { dataset: { entries: 80 }, cacheTokens: 4096, replicas: 2 }],
  ['the size of the cache is unknown', { dataset: { entries: 20 }, replicas: 2 }],
  [
    'the prompts are parts of conversations',
    { dataset: { entries: 20, turns: { mean: 3 } }, cacheTokens: 4096 },
  ],
  [
    'one cache holds all prompts, so that the cause is unknown',
    { dataset: { entries: 20 }, cacheTokens: 65_536 },
  ],
])('no reuse is lost if %s', (_, entry) => {
  expect(findReuse('cache-too-small', entry)).toBeUndefined();
  expect(findReuse('scattered-prompts', entry)).toBeUndefined();
});

const FALLING = [0.6, 0.6, 0.6, 0.4, 0.3, 0.3, 0.1, 0.1, 0.1];

test('without knowledge of the prompts, the hit rate of a full cache must fall', () => {
  expect(findReuse('cache-too-small', { hitRates: FALLING, usage: 0.98 })!.evidence[0]).toMatchObject({
    endpoint: 'localhost:8000',
    text: 'hit rate 60% in the first third of the run, 10% in the last, with a full KV cache',
  });
});

test.each<[string, Case]>([
  ['has room', { hitRates: FALLING, usage: 0.5 }],
  ['keeps its hit rate', { hitRates: FALLING.map(() => 0.6), usage: 0.98 }],
  ['was measured in a few slices', { hitRates: FALLING.slice(3), usage: 0.98 }],
])('the hit rate does not fall because of a cache that %s', (_, entry) => {
  expect(findReuse('cache-too-small', entry)).toBeUndefined();
});

test.each([
  [30_000, 10_000, '20% of the tokens of prompts were in the cache of another worker than the router chose'],
  [12_000, 10_000, undefined],
])('a router that could choose %i cached tokens, and chose %i', (best, chosen, text) => {
  const metrics: Metrics = {
    dynamo_component_router_kv_best_eligible_cached_prefix_tokens: createMetric('counter', [
      createCounter(best),
    ]),
    dynamo_component_router_kv_selected_cached_prefix_tokens: createMetric('counter', [
      createCounter(chosen),
    ]),
    dynamo_component_router_input_sequence_tokens: createMetric('histogram', [
      { endpoint_url: URL_A, stats: { count: 100, sum: 100_000, avg: 1000 }, buckets: { '+Inf': 100 } },
    ]),
  };
  expect(find('scattered-prompts', metrics)?.evidence[0]?.text).toBe(text);
});
