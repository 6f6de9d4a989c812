import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '@org/formats';
import { fromPath } from '@org/formats/read';
import { beforeAll, expect, test } from 'vitest';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const servers = await Promise.all([1, 2].map(seed => startSimulator({ seed, arrivalRate: 20 })));
const folder = makeSuiteFolder();

type Outcome = Awaited<ReturnType<typeof runServelens>>;

function run(...args: string[]): Promise<Outcome> {
  return runServelens(args, { cwd: folder, env: FAST_SCRAPES });
}

/** Collects a run into a folder, with the endpoints of a configuration file. */
function collect(name: string, ...args: string[]): Promise<Outcome> {
  return run(
    ...['collect', '--config', 'servers.yaml', '--duration', '0.6', '--artifact-dir', name],
    ...['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'],
    ...args,
  );
}

const readExport = (name: string, extension: string): string =>
  readFileSync(join(folder, name, `server_metrics_export.${extension}`), 'utf8');

const ROLES = ['prefill', 'decode'];

beforeAll(async () => {
  const targets = servers.map(
    ({ url }, index) =>
      `  - { url: "${url}", labels: { pod: vllm-${index}, role: ${ROLES[index]}, api_token: hunter2secret } }`,
  );
  writeFileSync(join(folder, 'servers.yaml'), ['targets:', ...targets, ''].join('\n'));
  for (const name of ['a', 'b']) expect((await collect(name)).code).toBe(0);
  expect((await collect('aiperf', '--compat', 'aiperf-0.13')).code).toBe(0);
}, 120_000);

test('labels of the configuration file are in all exports, which are valid', async () => {
  const { endpoint_info } = JSON.parse(readExport('a', 'json')).summary;
  expect(endpoint_info[`${servers[0]!.url}/metrics`].labels).toMatchObject({
    pod: 'vllm-0',
    role: 'prefill',
  });
  expect(JSON.parse(readExport('a', 'jsonl').split('\n')[0]!).target_labels).toHaveProperty('pod');
  expect(readExport('a', 'csv')).toContain(',target:pod,target:role,');
  for (const extension of ['json', 'csv', 'jsonl', 'parquet']) {
    const path = join(folder, 'a', `server_metrics_export.${extension}`);
    const { issues } = await validate(fromPath(path));
    expect(issues, extension).toEqual([]);
    expect(readFileSync(path).includes('hunter2secret'), extension).toBe(false);
  }
});

test('files of AIPerf have no labels of targets', () => {
  for (const extension of ['json', 'csv', 'jsonl', 'parquet'])
    expect(readExport('aiperf', extension), extension).not.toContain('vllm-0');
});

test('read check selects series by labels of targets', async () => {
  const metric = 'vllm:num_requests_running';
  const { code, out } = await run(
    ...['read', 'check', join(folder, 'a'), '--assert', `count(${metric}{pod="vllm-1"}) == 1`],
    ...[
      '--assert',
      `count(${metric}{role=~"prefill|decode"}) == 2`,
      '--assert',
      `absent(${metric}{pod="x"})`,
    ],
  );
  expect(code, out).toBe(0);
});

test('read query has columns with labels of targets', async () => {
  const sql = 'SELECT target_role, count(DISTINCT endpoint_url) AS n FROM samples GROUP BY ALL ORDER BY ALL';
  const { code, out } = await run('read', 'query', join(folder, 'a'), sql, '--format', 'csv');
  expect(code, out).toBe(0);
  expect(out.trim().split(/\r?\n/)).toEqual(['target_role,n', 'decode,1', 'prefill,1']);
});

test('read compare matches by labels of targets', async () => {
  const { out, err } = await run(
    'read',
    'compare',
    join(folder, 'a'),
    join(folder, 'b'),
    '--by',
    'role',
    '--json',
  );
  expect(err).toBe('');
  const { rows } = JSON.parse(out) as { rows: { labels: Record<string, string> }[] };
  expect(new Set(rows.map(({ labels }) => labels.role).filter(Boolean))).toEqual(new Set(ROLES));
});

test('exports of the JSONL and Parquet exports keep the labels', async () => {
  for (const [source, target] of [
    ['a/server_metrics_export.jsonl', 'from-jsonl'],
    ['a/server_metrics_export.parquet', 'from-parquet'],
  ] as const) {
    const { code, err } = await run('export', source, '--formats', 'json', 'csv', '-o', target);
    expect(code, err).toBe(0);
    const { endpoint_info } = JSON.parse(readExport(target, 'json')).summary;
    expect(endpoint_info[`${servers[1]!.url}/metrics`].labels, source).toMatchObject({ pod: 'vllm-1' });
    const series = Object.values(JSON.parse(readExport(target, 'json')).metrics) as { series: object[] }[];
    expect(JSON.stringify(series), source).not.toContain('target_pod');
    expect(readExport(target, 'csv'), source).toContain(',target:pod,');
  }
});
