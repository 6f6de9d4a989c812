import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInServers } from '@org/servers';
import { listMetrics } from '@org/servers/metrics';
import { expect, test } from 'vitest';
import { describeServer } from '../../src/servers/serverDocument.ts';
import { renderMetric, renderServer, renderServerList } from '../../src/servers/serverScreens.ts';
import { runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
writeFileSync(
  join(folder, 'mine.yaml'),
  `name: Mine
recognize: { prefixes: [mine_] }
metrics:
  mine_queue: { type: gauge, unit: requests, better: lower, meaning: Requests that wait. }
`,
);

async function runServers(...args: string[]): ReturnType<typeof runServelens> {
  return runServelens(['servers', ...args], { cwd: folder });
}

test('list names every known server, with the prefixes of its metrics', async () => {
  const { code, out } = await runServers('list');
  expect(code).toBe(0);
  expect(out).toMatch(/^server +kind +metrics +recognized by$/m);
  expect(out).toMatch(/^vLLM +engine +\d+ +vllm:, kserve_vllm:$/m);
  expect(out).toMatch(/^Dynamo +frontend +\d+ +dynamo_$/m);
  expect(out).toMatch(/^TensorRT-LLM +engine +\d+ +trtllm_, trtllm:$/m);
});

test('show lists the roles and the metrics of a server', async () => {
  const { code, out } = await runServers('show', 'vllm');
  expect(code).toBe(0);
  expect(out).toMatch(/^ {2}kv_cache_usage +vllm:kv_cache_usage_perc, else vllm:gpu_cache_usage_perc$/m);
  expect(out).toContain('  vllm:num_preemptions  counter, preemptions, lower is better\n');
});

test.each([
  ['istio', 'version: label tag of istio_build'],
  ['llama.cpp', 'version: unknown; the known pages of the server do not have it'],
  ['Mine', 'version: unknown; the definition does not say where the server states it'],
])('show says where %s states its version', async (name, line) => {
  const { out } = await runServers('show', name, '--servers', 'mine.yaml');
  expect(out).toContain(`  ${line}\n`);
});

test('show adds up metrics of different requests', async () => {
  const { out } = await runServers('show', 'dynamo');
  expect(out.replace(/\s+/g, ' ')).toContain(
    'waiting dynamo_frontend_router_queue_pending_requests + dynamo_request_queue',
  );
});

test('explain describes a metric as the server spells it', async () => {
  const { code, out } = await runServers('explain', 'vllm:num_preemptions_total');
  expect(code).toBe(0);
  expect(out).toBe(`vllm:num_preemptions  vLLM, counter, preemptions, lower is better

  Running requests that lost their KV cache, because it was full, and are computed again.

  watch     It grows. Work is done twice, and single tokens take much longer.
  do        Give the KV cache more memory (--gpu-memory-utilization), or reduce --max-num-seqs.
  role      preemptions
`);
});

test('explain --json prints the description', async () => {
  const { out } = await runServers('explain', 'sglang:queue_time_seconds', '--json');
  expect(JSON.parse(out)).toMatchObject([
    {
      server: 'SGLang',
      name: 'sglang:queue_time_seconds',
      type: 'histogram',
      unit: 'seconds',
      better: 'lower',
    },
  ]);
});

test('no line of the screens is longer than a terminal of 80 columns', () => {
  const style = { width: 80, color: false };
  const { servers } = builtInServers;
  const screens = [
    renderServerList(servers.map(describeServer), style),
    ...servers.map(server => renderServer(describeServer(server), style)),
    ...servers.flatMap(listMetrics).map(metric => renderMetric(metric, style)),
  ];
  const lines = screens.flatMap(screen => screen.split('\n'));
  // URLs and names of metrics are never split, so that they can be copied.
  const isWhole = (line: string): boolean => line.startsWith('  https://') || /^ *\w+$/.test(line);
  expect(lines.filter(line => line.length > 80 && !isWhole(line))).toEqual([]);
});

test.each([
  [
    ['explain', 'vllm:num_requests_runing'],
    'unknown metric "vllm:num_requests_runing"; similar names are vllm:num_requests_',
  ],
  [['explain', 'xyzzy'], 'unknown metric "xyzzy"; servelens servers show NAME lists the metrics of a server'],
  [['show', 'nginx'], 'unknown server "nginx"; expected one of vLLM, Dynamo, SGLang'],
])('rejects %j', async (args, message) => {
  const { code, err } = await runServers(...args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('--servers adds the server of a file', async () => {
  const list = await runServers('list', '--servers', 'mine.yaml');
  expect(list.out).toMatch(/^Mine +engine +1 +mine_$/m);
  const { out } = await runServers('explain', 'mine_queue', '--servers', 'mine.yaml');
  expect(out).toBe('mine_queue  Mine, gauge, requests, lower is better\n\n  Requests that wait.\n');
});
