import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recognizeServers, SERVERS, SERVERS_FROM_CLIENT, stripServerPrefix } from '../src/servers.ts';

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
  [['node_cpu_seconds', 'go_goroutines'], []],
])('recognizes %j as %j', (names, servers) => {
  expect(recognizeServers(names).map(({ name }) => name)).toEqual(servers);
});

test('puts frontends first in the order from the client', () => {
  expect(SERVERS_FROM_CLIENT.map(({ name }) => name)).toEqual([
    'Dynamo',
    'vLLM',
    'SGLang',
    'TensorRT-LLM',
    'Triton',
  ]);
});

describe.each(SERVERS)('$name', server => {
  const { keyMetrics, roles, reconciliation, promptTokenCache, metricPrefixes } = server;

  test('names only metrics with its own prefix', () => {
    const { running, ...metrics } = reconciliation;
    const names = [
      ...keyMetrics.map(({ name }) => name),
      ...Object.values(roles).map(({ metric }) => metric),
      ...Object.values(metrics).flatMap(list => list.map(({ name }) => name)),
      ...running,
      ...Object.values(promptTokenCache ?? {}),
    ];
    expect(names.filter(name => !metricPrefixes.some(prefix => name.startsWith(prefix)))).toEqual([]);
  });

  test('has a headline for the live line', () => {
    expect(keyMetrics.some(({ headline }) => headline !== undefined)).toBe(true);
  });
});

const seeds = process.env.SERVELENS_SHARED ?? join(import.meta.dirname, '../../../../shared');
const guide = existsSync(join(seeds, 'seeds'))
  ? readdirSync(join(seeds, 'seeds')).find(name => name.startsWith('002'))
  : undefined;

describe.skipIf(guide === undefined)('the guide to server metrics (shared test data)', () => {
  test('every metric of "What to Watch" is a key metric with the statistic that the guide names', () => {
    const text = readFileSync(join(seeds, 'seeds', guide!), 'utf8').split('## Quick Start')[0]!;
    const rows = [
      ...text.matchAll(/^\| `([a-z_:]+)` \| (?:gauge|counter|histogram) \| .*\(`stats\.(\w+)`/gm),
    ];
    const keyMetrics = new Map(
      SERVERS.flatMap(server => server.keyMetrics.map(metric => [metric.name, metric.stat])),
    );
    const listed = rows.map(([, name, stat]) => [name!, stat!] as const);
    expect(listed.length).toBeGreaterThan(50);
    // "split into reasons (stats.max)" and the like name one statistic each, with one exception of wording.
    for (const [name, stat] of listed)
      if (name !== 'vllm:prompt_tokens_by_source') expect([name, keyMetrics.get(name)]).toEqual([name, stat]);
    expect(keyMetrics.has('vllm:prompt_tokens_by_source')).toBe(true);
  });
});

test.each([
  ['vllm:generation_tokens', 'generation_tokens'],
  ['nv_inference_count', 'inference_count'],
  ['request_latency', 'request_latency'],
])('strips the prefix of %s to %s', (name, bare) => {
  expect(stripServerPrefix(name)).toBe(bare);
});
