import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInServers } from '../src/builtInServers.ts';
import { toDefinition } from '../src/definitionFile.ts';
import { servesRequests } from '../src/serverCatalog.ts';
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
  expect(builtInServers.recognize(names).map(({ name }) => name)).toEqual(servers);
});

test.each([
  ['vllm:time_to_first_token_seconds', true],
  ['kserve_vllm:time_to_first_token_seconds', true],
  ['vllm:gpu_cache_usage_perc', true],
  ['vllm:request_params_max_tokens', false],
  ['toString', false],
])('reports whether figures can use %s: %s', (name, isUsed) => {
  expect(builtInServers.isUsed(name)).toBe(isUsed);
});

test('lists servers in the order in which requests reach them, then caches and devices', () => {
  expect(builtInServers.frontendsFirst.map(({ name }) => name)).toEqual([
    'Envoy',
    'Istio',
    'LiteLLM',
    'Dynamo',
    'llm-d EPP',
    'SGLang router',
    'vLLM',
    'SGLang',
    'TensorRT-LLM',
    'Triton',
    'llama.cpp',
    'TEI',
    'TGI',
    'LMCache',
    'Mooncake',
    'NIXL',
    'AMD device metrics',
    'NVIDIA DCGM',
  ]);
});

describe.each(builtInServers.servers)('$name', server => {
  const { keyMetrics, roles, failures, reconciliation, promptTokenCache, kvCacheConfig } = server;

  test('uses only metrics that it is recognized by', () => {
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
    const isOwn = (name: string): boolean => builtInServers.recognize([name]).includes(server);
    expect(names.filter(name => !isOwn(name))).toEqual([]);
  });

  test('has a key metric with a headline for the live status line if requests pass it and it has gauges', () => {
    const hasGauge = keyMetrics.some(({ stat }) => stat === 'avg' || stat === 'max');
    expect(keyMetrics.some(({ headline }) => headline !== undefined)).toBe(
      servesRequests(server) && hasGauge,
    );
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
      builtInServers.servers.flatMap(({ keyMetrics }) =>
        keyMetrics.map(({ name, stat }) => [name, stat] as const),
      ),
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
  expect(builtInServers.stripPrefix(name)).toBe(bare);
});

const mine = toDefinition({
  name: 'Mine',
  recognize: { prefixes: ['mine_'], metrics: ['queue_length'] },
  roles: { waiting: { metrics: ['queue_length'], operation: 'sum' } },
});

test('a catalog with a further server recognizes it, and the original catalog stays as it is', () => {
  const catalog = builtInServers.with([mine]);
  expect(catalog.servers.at(-1)).toBe(mine);
  expect(catalog.recognize(['queue_length'])).toEqual([mine]);
  expect(catalog.stripPrefix('mine_requests')).toBe('requests');
  expect(builtInServers.recognize(['queue_length', 'mine_requests'])).toEqual([]);
});

test('a server with the name of a known one replaces it at its place in the list', () => {
  const replacement = toDefinition({ name: 'vLLM', recognize: { prefixes: ['vllm_'] } });
  const catalog = builtInServers.with([replacement]);
  expect(catalog.servers[0]).toBe(replacement);
  expect(catalog.servers).toHaveLength(builtInServers.servers.length);
  expect(catalog.recognize(['vllm:num_requests_running'])).toEqual([]);
});

test.each<[string[], string[]]>([
  [['gpu_id', 'card_model'], ['AMD device metrics']],
  [['gpu'], []],
])('recognizes gpu_used_vram with the labels %j as %j', (labels, servers) => {
  const recognized = builtInServers.recognize(['gpu_used_vram'], () => labels);
  expect(recognized.map(({ name }) => name)).toEqual(servers);
  expect(builtInServers.isKnown('gpu_used_vram', labels)).toBe(servers.length > 0);
});

test('keeps a prefix that other servers use, too', () => {
  expect(builtInServers.stripPrefix('gpu_used_vram')).toBe('gpu_used_vram');
});
