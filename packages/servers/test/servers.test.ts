import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recognizeServers, SERVERS, SERVERS_FRONTENDS_FIRST, stripServerPrefix } from '../src/servers.ts';
import { SHARED_FOLDER } from './support/recordedPages.ts';

test.each([
  [['vllm:num_requests_running'], ['vLLM']],
  [
    ['dynamo_component_requests', 'vllm:generation_tokens'],
    ['vLLM', 'Dynamo'],
  ],
  [
    ['sglang:x', 'trtllm_y', 'nv_z'],
    ['SGLang', 'TensorRT-LLM', 'Triton'],
  ],
  [
    ['dynamo_component_requests', 'trtllm:num_requests_running'],
    ['Dynamo', 'TensorRT-LLM'],
  ],
  [['node_cpu_seconds', 'go_goroutines'], []],
])('recognizes %j as %j', (names, servers) => {
  expect(recognizeServers(names).map(({ name }) => name)).toEqual(servers);
});

test('lists servers in the order in which requests reach them, frontends first', () => {
  expect(SERVERS_FRONTENDS_FIRST.map(({ name }) => name)).toEqual([
    'Dynamo',
    'vLLM',
    'SGLang',
    'TensorRT-LLM',
    'Triton',
  ]);
});

describe.each(SERVERS)('$name', server => {
  const { keyMetrics, roles, failures, reconciliation, promptTokenCache, kvCacheConfig, metricPrefixes } =
    server;

  test('uses only metrics with a prefix of the server', () => {
    const { running, ...counted } = reconciliation;
    const names = [
      ...keyMetrics.map(({ name }) => name),
      ...Object.values(roles).flatMap(({ metrics }) => metrics),
      ...Object.values(counted).flatMap(list => list.map(({ name }) => name)),
      ...running,
      ...failures.map(({ metric }) => metric),
      ...Object.values(promptTokenCache ?? {}).map(({ name }) => name),
      ...(kvCacheConfig ? [kvCacheConfig.metric] : []),
    ];
    expect(names.filter(name => !metricPrefixes.some(prefix => name.startsWith(prefix)))).toEqual([]);
  });

  test('has a key metric with a headline for the live status line', () => {
    expect(keyMetrics.some(({ headline }) => headline !== undefined)).toBe(true);
  });
});

const seedFolder = join(SHARED_FOLDER, 'seeds');
const guide = existsSync(seedFolder)
  ? readdirSync(seedFolder).find(name => name.startsWith('002'))
  : undefined;
if (guide === undefined) console.warn(`skipped: no shared test data at ${seedFolder} (set SERVELENS_SHARED)`);

describe.skipIf(guide === undefined)("AIPerf's guide to server metrics (shared test data)", () => {
  test('recommends the same statistic of each metric as the key metrics', () => {
    const text = readFileSync(join(seedFolder, guide!), 'utf8').split('## Quick Start')[0]!;
    const rows = [
      ...text.matchAll(/^\| `([a-z_:]+)` \| (?:gauge|counter|histogram) \| .*\(`stats\.(\w+)`/gm),
    ].map(([, name, stat]) => [name!, stat!] as const);
    expect(rows.length).toBeGreaterThan(50);
    const stats = new Map<string, string>(
      SERVERS.flatMap(({ keyMetrics }) => keyMetrics.map(({ name, stat }) => [name, stat] as const)),
    );
    expect(rows.map(([name]) => [name, stats.get(name)])).toEqual(rows);
    // The guide recommends this metric without a statistic, so that `rows` does not contain it.
    expect(stats.has('vllm:prompt_tokens_by_source')).toBe(true);
  });
});

test.each([
  ['vllm:generation_tokens', 'generation_tokens'],
  ['nv_inference_count', 'inference_count'],
  ['request_latency', 'request_latency'],
])('strips the prefix of %s to %s', (name, bare) => {
  expect(stripServerPrefix(name)).toBe(bare);
});
