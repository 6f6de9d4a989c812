import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInServers } from '../src/builtInServers.ts';
import { toDefinition } from '../src/definitionFile.ts';
import type { MetricDescription } from '../src/metricDescription.ts';
import { findMetrics, findSimilarMetrics, listMetrics } from '../src/metrics.ts';
import { findPage, SHARED_FOLDER } from './support/recordedPages.ts';

describe.each(builtInServers.servers)('$name', server => {
  const described = new Map(listMetrics(server).map(metric => [metric.name, metric]));

  test('describes every metric that it uses', () => {
    const { keyMetrics, roles, failures, reconciliation } = server;
    const { running, ...counted } = reconciliation;
    const used = [
      ...keyMetrics.map(({ name }) => name),
      ...Object.values(roles).flatMap(({ metrics }) => metrics),
      ...failures.map(({ metric }) => metric),
      ...Object.values(counted).flatMap(list => list.map(({ name }) => name)),
      ...running,
    ];
    expect(used.filter(name => !described.has(name))).toEqual([]);
  });

  test('describes only metrics that it is recognized by, in sentences', () => {
    const texts = [...described.values()].flatMap(({ meaning, watch, do: advice }) => [
      meaning,
      watch,
      advice,
    ]);
    expect([...described.keys()].filter(name => !builtInServers.recognize([name]).includes(server))).toEqual(
      [],
    );
    expect(
      texts.filter(text => text !== undefined && !/^(?:[A-Z0-9]|p99 |[a-z_]+ ).*\.$/.test(text)),
    ).toEqual([]);
  });

  test('says what to do about every metric that needs attention', () => {
    const advised = [...described.values()].filter(
      ({ watch, do: advice }) => watch === undefined && advice !== undefined,
    );
    expect(advised.map(({ name }) => name)).toEqual([]);
  });
});

/** Recorded pages, by server. */
const PAGES: readonly (readonly [server: string, page: string])[] = [
  ['vLLM', 'fixtures/exposition/vllm-2025.txt'],
  ['vLLM', 'fixtures/exposition/vllm-2026.txt'],
  ['vLLM', 'peers/vllm-0.29.0/base-after.prom'],
  ['vLLM', 'peers/vllm-0.29.0/kv-after.prom'],
  ['vLLM', 'peers/dynamo-1.6.1/agg/after.worker1.prom'],
  ['SGLang', 'fixtures/exposition/sglang-docs.txt'],
  ['SGLang', 'fixtures/exposition/sglang-2024.txt'],
  ['LMCache', 'fixtures/exposition/dynamo-component-vllm.txt'],
  ['SGLang', 'peers/dynamo-1.6.1/agg-sglang/after.worker1.prom'],
  ['TensorRT-LLM', 'fixtures/exposition/dynamo-component-trtllm.txt'],
  ['Triton', 'fixtures/exposition/triton-summaries.txt'],
  ['Triton', 'fixtures/exposition/triton-tensorrtllm.txt'],
  ['llama.cpp', 'peers/llama.cpp-2026.10/after.prom'],
  ['SGLang router', 'peers/sglang-router-0.3.2/after.prom'],
  ...['agg', 'kv3'].flatMap(folder =>
    ['frontend', 'worker1'].map(
      page => ['Dynamo', `peers/dynamo-1.6.1/${folder}/after.${page}.prom`] as const,
    ),
  ),
  ['Dynamo', 'peers/dynamo-1.6.1/disagg/after.decode1.prom'],
  ['NVIDIA DCGM', 'fixtures/exposition/dcgm-exporter-l4.txt'],
  ['NVIDIA DCGM', 'fixtures/exposition/dcgm-exporter-l40s.txt'],
  ['NVIDIA DCGM', 'fixtures/exposition/dcgm-exporter-k8s-pod-labels.txt'],
];
const missing = PAGES.find(([, page]) => !existsSync(join(SHARED_FOLDER, page)));
if (missing)
  console.warn(`skipped: no shared test data at ${join(SHARED_FOLDER, missing[1])} (set SERVELENS_SHARED)`);

/** Pages of this package: recorded ones, and those written from the source of a server. */
const OWN_PAGES: readonly (readonly [server: string, page: string])[] = [
  ['TGI', 'pages/tgi-3.3-names.prom'],
  ['TEI', 'pages/tei-1.8-names.prom'],
  ['AMD device metrics', 'pages/amd-mi300x.prom'],
  ['LiteLLM', 'pages/litellm-1.109.1.prom'],
  ['llm-d EPP', 'pages/llm-d-epp-0.9-names.prom'],
  ['Istio', 'pages/istio-1.24-names.prom'],
  ['Envoy', 'pages/envoy-1.40.0.prom'],
  ['LMCache', 'pages/lmcache-0.5.6-names.prom'],
  ['Mooncake', 'pages/mooncake-0.3.13.prom'],
  ['NIXL', 'pages/nixl-1.5.1-names.prom'],
];

/** Lists the metrics of a server on a page, with their type there and their description. */
function listRecorded(
  name: string,
  page: string,
): { readonly name: string; readonly type: string; readonly described: MetricDescription | undefined }[] {
  const server = builtInServers.servers.find(candidate => candidate.name === name)!;
  const described = new Map(listMetrics(server).map(metric => [metric.name, metric]));
  return [...readFileSync(findPage(page), 'utf8').matchAll(/^# TYPE (\S+) (\w+)/gm)]
    .map(([, metric, type]) => ({
      name: type === 'counter' ? metric!.replace(/_total$/, '') : metric!,
      type: type!,
    }))
    .filter(metric => builtInServers.recognize([metric.name]).includes(server))
    .filter(metric => !metric.name.endsWith('_created'))
    .map(metric => ({ ...metric, described: described.get(metric.name) }));
}

function expectDescribed(server: string, page: string): void {
  const recorded = listRecorded(server, page);
  expect(recorded.length).toBeGreaterThan(0);
  expect(recorded.map(({ name, described }) => [name, described?.type])).toEqual(
    recorded.map(({ name, type }) => [name, type]),
  );
}

test.each(OWN_PAGES)('%s describes every metric on %s, with its type', expectDescribed);

describe.skipIf(missing !== undefined)('recorded pages (shared test data)', () => {
  test.each(PAGES)('%s describes every metric on %s, with its type', expectDescribed);
});

test.skipIf(missing !== undefined)(
  'SGLang describes every metric on a page of 2025, and states which ones were gauges',
  () => {
    const page = 'fixtures/exposition/dynamo-component-sglang.txt';
    const differing = listRecorded('SGLang', page).filter(({ type, described }) => type !== described?.type);
    expect(differing.map(({ name, type, described }) => [name, type, described?.versions])).toEqual(
      ['speed_gb_s', 'latency_ms', 'bootstrap_ms', 'alloc_ms', 'total_mb'].map(name => [
        ...[`sglang:kv_transfer_${name}`, 'gauge', 'a gauge in versions of 2025'],
      ]),
    );
  },
);

test.each([
  ['vllm:num_preemptions', ['vllm:num_preemptions']],
  ['vllm:num_preemptions_total', ['vllm:num_preemptions']],
  ['vllm:iteration_tokens_total', ['vllm:iteration_tokens_total']],
  ['vllm:iteration_tokens_total_bucket', ['vllm:iteration_tokens_total']],
  ['sglang:queue_time_seconds_sum', ['sglang:queue_time_seconds']],
  ['vllm:num_preemption', []],
])('finds %s as %j', (name, found) => {
  expect(findMetrics(name, builtInServers).map(metric => metric.name)).toEqual(found);
});

test.each([
  ['vllm:num_requests_runing', 'vllm:num_requests_running'],
  ['num_requests_waiting', 'vllm:num_requests_waiting'],
  ['vllm_kv_cache_usage', 'vllm:kv_cache_usage_perc'],
  ['dynamo_router_queue', 'dynamo_request_queue'],
])('suggests the metric most similar to %s', (name, similar) => {
  expect(findSimilarMetrics(name, builtInServers)).toContain(similar);
});

test('suggests nothing for a name without a similar metric', () => {
  expect(findSimilarMetrics('xyzzy', builtInServers)).toEqual([]);
});

test('describes the metrics of a server that a user defined', () => {
  const mine = toDefinition({
    name: 'Mine',
    recognize: { prefixes: ['mine_'] },
    roles: { waiting: { metrics: ['mine_queue'], operation: 'sum' } },
    metrics: { mine_queue: { type: 'gauge', meaning: 'Requests that wait.' } },
  });
  expect(findMetrics('mine_queue', builtInServers.with([mine]))).toEqual([
    { server: 'Mine', name: 'mine_queue', roles: ['waiting'], type: 'gauge', meaning: 'Requests that wait.' },
  ]);
});

describe.each(builtInServers.servers)('versions and names of $name', server => {
  const described = listMetrics(server);
  const byName = new Map(described.map(metric => [metric.name, metric]));

  test('a metric ends after it begins, and before its newer name is the only one', () => {
    const wrong = described.filter(({ since, until, replaced_by: newer }) => {
      const start = newer === undefined ? undefined : byName.get(newer)?.since;
      return (
        (since !== undefined && until !== undefined && compareVersions(since, until) > 0) ||
        (start !== undefined && until !== undefined && compareVersions(start, until) > 0)
      );
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('a newer name has the same type', () => {
    const older = described.filter(metric => metric.replaced_by !== undefined);
    expect(older.map(metric => [metric.name, byName.get(metric.replaced_by!)?.type])).toEqual(
      older.map(({ name, type }) => [name, type]),
    );
  });
});

/** Compares versions such as `0.9.2` and `0.11` by their numbers. */
function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map(version => version.split('.').map(Number));
  const index = x!.findIndex((part, position) => part !== (y![position] ?? 0));
  return index === -1 ? x!.length - y!.length : x![index]! - (y![index] ?? 0);
}
