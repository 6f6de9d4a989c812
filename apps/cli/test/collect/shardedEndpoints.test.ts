import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRecordingServer } from '../support/recordingServer.ts';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startRecordingServer();
const ENDPOINTS = ['a', 'b', 'c', 'd', 'e'].map(name => `${url}/${name}/metrics`);
const COLLECT = [
  'collect',
  '--server-metrics',
  ...ENDPOINTS,
  '--duration',
  '0.4',
  '--ui',
  'none',
  '--no-gpu-telemetry',
];

interface Export {
  readonly summary: {
    readonly endpoints_configured: string[];
    readonly endpoint_info: object;
    readonly shards?: object[];
  };
  readonly metrics: Readonly<
    Record<string, { readonly series: { readonly endpoint_url: string; readonly stats: object }[] }>
  >;
}

const readExport = (folder: string): Export =>
  JSON.parse(readFileSync(join(folder, 'server_metrics_export.json'), 'utf8')) as Export;

test('two shards scrape each endpoint once, and are merged into one run', async () => {
  const cwd = makeTestFolder();
  const run = (...args: string[]) => runServelens(args, { cwd, env: FAST_SCRAPES });
  const runs = [0, 1].map(index => run(...COLLECT, '--shard', `${index}/2`, '--artifact-dir', `s${index}`));
  for (const started of runs) expect(await started).toMatchObject({ code: 0 });
  const parts = [0, 1].map(index => readExport(join(cwd, `s${index}`)));
  expect(parts.map(({ summary }) => summary.endpoints_configured)).toEqual([
    [ENDPOINTS[0], ENDPOINTS[2], ENDPOINTS[4]],
    [ENDPOINTS[1], ENDPOINTS[3]],
  ]);
  expect(await run('merge', 's1', 's0', '-o', 'merged')).toMatchObject({
    code: 0,
    err: expect.stringContaining('clock offsets from shard 0 are unknown for shard 1'),
  });
  const merged = readExport(join(cwd, 'merged'));
  expect(Object.keys(merged.summary.endpoint_info).sort()).toEqual(ENDPOINTS);
  expect(merged.summary.shards).toMatchObject([
    { index: 0, endpoints: 3 },
    { index: 1, endpoints: 2 },
  ]);
  const listGauges = ({ metrics }: Export): unknown[] => metrics.depth!.series;
  expect(listGauges(merged)).toHaveLength(5);
  expect(await run('validate', join(cwd, 'merged'))).toMatchObject({ code: 0 });
});

test('each found endpoint belongs to one shard, also if it is listed as well', async () => {
  const cwd = makeTestFolder();
  const found = ['f', 'g', 'h'].map(name => `${url}/${name}/metrics`);
  writeFileSync(
    join(cwd, 'found.json'),
    JSON.stringify([{ targets: [...found, ENDPOINTS[0], ENDPOINTS[1]], labels: { role: 'decode' } }]),
  );
  const run = (...args: string[]) => runServelens(args, { cwd, env: FAST_SCRAPES });
  const runs = [0, 1].map(index =>
    run(
      ...COLLECT,
      '--server-metrics-source',
      'file_sd:found.json',
      '--shard',
      `${index}/2`,
      '-o',
      `s${index}`,
    ),
  );
  for (const started of runs) expect(await started).toMatchObject({ code: 0 });
  expect(await run('merge', 's0', 's1', '-o', 'merged')).toMatchObject({ code: 0 });
  const { endpoint_info } = readExport(join(cwd, 'merged')).summary;
  expect(Object.keys(endpoint_info).sort()).toEqual([...ENDPOINTS, ...found]);
  expect(endpoint_info).toMatchObject(
    Object.fromEntries([...found, ENDPOINTS[1]!].map(each => [each, { labels: { role: 'decode' } }])),
  );
});

test('a shard without found endpoints succeeds, and can be merged', async () => {
  const cwd = makeTestFolder();
  writeFileSync(join(cwd, 'found.json'), JSON.stringify([{ targets: [`${url}/a/metrics`] }]));
  const collect = ['collect', '--server-metrics-source', 'file_sd:found.json', ...COLLECT.slice(7)];
  const run = (...args: string[]) => runServelens(args, { cwd, env: FAST_SCRAPES });
  const runs = [0, 1].map(index => run(...collect, '--shard', `${index}/2`, '-o', `s${index}`));
  const ends = await Promise.all(runs);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(ends.map(({ err }) => err).join('')).toContain('no endpoint belongs to shard');
  expect(await run('merge', 's0', 's1', '-o', 'merged')).toMatchObject({ code: 0 });
  expect(Object.keys(readExport(join(cwd, 'merged')).summary.endpoint_info)).toEqual([`${url}/a/metrics`]);
});

test('refuses more shards than endpoints, and shards without endpoints', async () => {
  const cwd = makeTestFolder();
  const run = (shard: string) => runServelens([...COLLECT, '--shard', shard], { cwd });
  expect(await run('5/6')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'invalid --shard "5/6": expected at most 5 shards, because there are 5 endpoints',
    ),
  });
  expect(await run('2/2')).toMatchObject({
    code: 2,
    err: expect.stringContaining('expected I/N with I from 0 to N - 1'),
  });
});

test('refuses to merge shards that scraped the same URL', async () => {
  const cwd = makeTestFolder();
  const run = (...args: string[]) => runServelens(args, { cwd, env: FAST_SCRAPES });
  const repeated = [...COLLECT.slice(0, 2), ENDPOINTS[0]!, `${url}/x/metrics`, ...COLLECT.slice(7)];
  const swapped = [...COLLECT.slice(0, 2), `${url}/x/metrics`, ENDPOINTS[0]!, ...COLLECT.slice(7)];
  const runs = [
    run(...repeated, '--shard', '0/2', '--artifact-dir', 's0'),
    run(...swapped, '--shard', '1/2', '--artifact-dir', 's1'),
  ];
  for (const started of runs) expect(await started).toMatchObject({ code: 0 });
  expect(await run('merge', 's0', 's1', '-o', 'merged')).toMatchObject({
    code: 2,
    err: expect.stringContaining(`both contain ${ENDPOINTS[0]}, which may be different servers`),
  });
});
