import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareName, recognisedServers, SERVER_KINDS } from '../src/servers.ts';

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
])('%j gives away %j', (names, kinds) => {
  expect(recognisedServers(names).map(({ name }) => name)).toEqual(kinds);
});

test('every watched metric is one of its kind, and each kind has headlines', () => {
  for (const kind of SERVER_KINDS) {
    for (const { name } of kind.metrics)
      expect(
        kind.prefixes.some(prefix => name.startsWith(prefix)),
        name,
      ).toBe(true);
    expect(
      kind.metrics.some(({ headline }) => headline !== undefined),
      kind.name,
    ).toBe(true);
  }
});

const seeds = process.env.SERVELENS_SHARED ?? join(import.meta.dirname, '../../../../shared');
const guide = existsSync(join(seeds, 'seeds'))
  ? readdirSync(join(seeds, 'seeds')).find(name => name.startsWith('002'))
  : undefined;

describe.skipIf(guide === undefined)('the lists of seed 002 (shared test data)', () => {
  test('each metric of "What to Watch" is watched, by the statistic named there', () => {
    const text = readFileSync(join(seeds, 'seeds', guide!), 'utf8').split('## Quick Start')[0]!;
    const rows = [
      ...text.matchAll(/^\| `([a-z_:]+)` \| (?:gauge|counter|histogram) \| .*\(`stats\.(\w+)`/gm),
    ];
    const watched = new Map(
      SERVER_KINDS.flatMap(kind => kind.metrics.map(metric => [metric.name, metric.stat])),
    );
    const listed = rows.map(([, name, stat]) => [name!, stat!] as const);
    expect(listed.length).toBeGreaterThan(50);
    // "split into reasons (stats.max)" and the like name one statistic each, with one exception of wording.
    for (const [name, stat] of listed)
      if (name !== 'vllm:prompt_tokens_by_source') expect([name, watched.get(name)]).toEqual([name, stat]);
    expect(watched.has('vllm:prompt_tokens_by_source')).toBe(true);
  });
});

test.each([
  ['vllm:generation_tokens', 'generation_tokens'],
  ['nv_inference_count', 'inference_count'],
  ['request_latency', 'request_latency'],
])('%s without its server is %s', (name, bare) => {
  expect(bareName(name)).toBe(bare);
});
