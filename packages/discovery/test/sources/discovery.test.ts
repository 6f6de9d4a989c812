import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMetricsTarget, parseServerTarget } from '@org/scrape';
import { expect, onTestFinished, test } from 'vitest';
import { Discovery } from '../../src/sources/discovery.ts';
import type { DiscoveryInputs } from '../../src/sources/preparedSource.ts';
import { ApiServer, writeKubeconfig } from './kubernetes/apiServer.ts';
import { createPod } from './kubernetes/pods.ts';
import { SourceReader } from './sourceReader.ts';

const EXPLICIT = parseMetricsTarget('node1:9400');
const SERVER = parseServerTarget('http://vllm.llm.svc:8000');
const CHECK = { serverUrls: [], hasFallback: false, signal: new AbortController().signal };

function prepare(inputs: Partial<DiscoveryInputs>): Promise<Discovery> {
  return Discovery.prepare({
    discovery: {},
    sources: [],
    defaults: {},
    options: {},
    nameOption: key => `--${key.join('-')}`,
    cwd: '/',
    env: {},
    ...inputs,
  });
}

/** Writes a file with targets for one test. Returns its folder. */
function writeTargets(...targets: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'discovery-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'targets.json'), JSON.stringify([{ targets }]));
  return folder;
}

async function startCluster(...names: string[]): Promise<string> {
  const server = await ApiServer.start();
  server.lists.set('/api/v1/namespaces/llm/pods', {
    items: names.map(name => createPod({ name })),
    version: '1',
  });
  return writeKubeconfig(server.url);
}

test('without sources, the targets stay as they are', async () => {
  const discovery = await prepare({ discovery: { mode: 'auto' } });
  expect(discovery.hasSources).toBe(false);
  expect(discovery.resolve([EXPLICIT, SERVER], [])).toEqual({ targets: [EXPLICIT, SERVER], sources: [] });
});

test('endpoints of a source have its settings, and options take precedence', async () => {
  const discovery = await prepare({
    sources: [{ source: 'file_sd:targets.json', timeout: 1, interval: 2, headers: { A: '1' } }],
    defaults: { timeout: 9, compressed: true },
    options: { interval: 3 },
    cwd: writeTargets('h:1'),
  });
  const { targets, sources } = discovery.resolve([EXPLICIT, SERVER], []);
  expect(targets).toEqual([EXPLICIT, SERVER]);
  expect(await new SourceReader(sources[0]!).next()).toMatchObject([
    {
      url: 'http://h:1/metrics',
      access: { timeoutMs: 1000, intervalMs: 3000, compressed: true, headers: { A: '1' } },
    },
  ]);
});

test('pods replace the endpoints that were derived from URLs, and explicit endpoints stay', async () => {
  const kubeconfig = await startCluster('a');
  const discovery = await prepare({ discovery: { mode: 'kubernetes', kubeconfig } });
  const { targets, sources } = discovery.resolve([EXPLICIT, SERVER], []);
  expect(targets).toEqual([EXPLICIT]);
  const reader = new SourceReader(sources[0]!);
  expect(await reader.nextUrls()).toEqual(['http://10.0.0.1:8000/metrics']);
});

test('without pods, the derived endpoints are scraped', async () => {
  const kubeconfig = await startCluster();
  const discovery = await prepare({ discovery: { mode: 'kubernetes', kubeconfig } });
  await discovery.check({ ...CHECK, hasFallback: true });
  const reader = new SourceReader(discovery.resolve([SERVER], []).sources[0]!);
  expect(await reader.next()).toEqual([SERVER]);
  await expect(discovery.check(CHECK)).rejects.toThrow('kubernetes namespace "llm": found no endpoints');
});

test('the namespace is the one of AIPerf in the environment, or of the host of a service', async () => {
  const kubeconfig = writeKubeconfig('https://api');
  const name = async (context: string, env: Record<string, string>): Promise<string> => {
    const discovery = await prepare({ discovery: { mode: 'kubernetes', kubeconfig, context }, env });
    return discovery.resolve([], ['http://vllm.team-a.svc']).sources[0]!.name;
  };
  expect(await name('main', {})).toBe('kubernetes namespace "llm"');
  expect(await name('main', { AIPERF_NAMESPACE: 'x' })).toBe('kubernetes namespace "x"');
  expect(await name('other', {})).toBe('kubernetes namespace "team-a"');
});

test('check names the source that cannot be read', async () => {
  const folder = writeTargets();
  const missing = await prepare({ sources: [{ source: 'file_sd:none.json' }], cwd: folder });
  await expect(missing.check(CHECK)).rejects.toThrow(
    `file_sd "${folder}/none.json": cannot read the file: no such file`,
  );
  const empty = await prepare({ sources: [{ source: 'file_sd:targets.json' }], cwd: folder });
  await expect(empty.check(CHECK)).rejects.toThrow(`file_sd "${folder}/targets.json": found no endpoints`);
});

test('check waits for the first endpoint', async () => {
  const folder = writeTargets();
  const sources = [{ source: 'file_sd:*.json' }];
  const discovery = await prepare({ sources, discovery: { wait: 60, refresh: 0.02 }, cwd: folder });
  const checked = discovery.check(CHECK);
  writeFileSync(join(folder, 'more.json'), '[{"targets": ["h:1"]}]');
  await checked;
});

test('check accepts an optional source without endpoints', async () => {
  const sources = [{ source: 'file_sd:targets.json' }];
  const discovery = await prepare({ sources, discovery: { optional: true }, cwd: writeTargets() });
  await discovery.check(CHECK);
  expect(await new SourceReader(discovery.resolve([], []).sources[0]!).next()).toEqual([]);
});

test.each<[Partial<DiscoveryInputs>, string]>([
  [{ sources: [{ source: 'x' }] }, 'invalid source "x": unknown kind of source'],
  [{ options: { bearer_token_file: '/none' } }, 'invalid --bearer_token_file "/none": no such file'],
  [
    { discovery: { mode: 'kubernetes', kubeconfig: '/none' } },
    'cannot read the kubeconfig "/none": no such file',
  ],
])('rejects %j', async (inputs, message) => {
  await expect(prepare(inputs)).rejects.toThrow(message);
});
