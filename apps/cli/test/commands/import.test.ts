import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runServelens, ServelensProcess } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const cwd = makeSuiteFolder();
const RECORDED = join(import.meta.dirname, '../../../../packages/importer/test/files');
const JSONL = join(import.meta.dirname, '../../../../packages/formats/test/files/valid/server-metrics.jsonl');
const STREAMED = 'application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse';
const { from, to } = JSON.parse(readFileSync(join(RECORDED, 'range-vector.json'), 'utf8'));

function writePages(folder: string): void {
  mkdirSync(join(cwd, folder), { recursive: true });
  for (const [second, requests] of [10, 12, 19].entries())
    writeFileSync(
      join(cwd, folder, `worker-a_${1_795_248_000 + second}_metrics.log`),
      `# TYPE requests_total counter\nrequests_total ${requests}\n# TYPE running gauge\nrunning ${second}\n`,
    );
}

function readJson(folder: string): {
  readonly summary: Record<string, unknown> & { readonly import: { readonly source: string } };
  readonly metrics: Record<
    string,
    { readonly series: readonly { readonly stats: Record<string, number> }[] }
  >;
} {
  return JSON.parse(readFileSync(join(cwd, folder, 'server_metrics_export.json'), 'utf8'));
}

test('imports a folder of metrics pages', async () => {
  writePages('pages');
  const { code, out, err } = await runServelens(['import', 'pages', '--artifact-dir', 'run'], { cwd });
  expect(code, err).toBe(0);
  expect(out).toContain('http://worker-a/metrics');
  const { summary, metrics } = readJson('run');
  expect(summary.import).toMatchObject({ source: 'metrics_pages', path: 'pages', samples: 6 });
  expect(metrics.requests?.series[0]?.stats.total).toBe(9);
  const { code: validateCode, out: report } = await runServelens(['validate', join(cwd, 'run')], { cwd });
  expect(validateCode, report).toBe(0);
});

test('does not overwrite exports', async () => {
  writePages('other');
  const { code, err } = await runServelens(['import', 'other', '--artifact-dir', 'run'], { cwd });
  expect(code).toBe(2);
  expect(err).toMatch(/server_metrics_export\.\w+ already exists; set --artifact-dir to another folder/);
});

test('imports a JSONL export', async () => {
  copyFileSync(JSONL, join(cwd, 'server_metrics_export.jsonl'));
  const args = ['import', 'server_metrics_export.jsonl', '--artifact-dir', 'from-jsonl'];
  const { code, err } = await runServelens(args, { cwd });
  expect(code, err).toBe(0);
  expect(readJson('from-jsonl').summary.import).toMatchObject({
    source: 'jsonl',
    path: 'server_metrics_export.jsonl',
  });
});

test.each([
  [['missing'], '"missing" does not exist; expected the base URL of an API'],
  [['http://localhost:9090'], '--match is required for an API'],
  [['http://localhost:9090', '--match', 'rate(up[5m])'], 'invalid --match "rate(up[5m])"'],
  [['http://localhost:9090', '--match', 'up', '--from', 'yesterday'], 'invalid --from "yesterday"'],
  [['http://localhost:9090', '--match', 'up', '--to', '2h'], '--from 1h is not before --to 2h'],
  [['http://localhost:9090', '--match', 'up', '--step', '15'], 'invalid --step "15": expected a duration'],
  [['http://localhost:9090', '--match', 'up', '--page-time', 'name'], '--page-time has no effect on an API'],
  [['.', '--match', 'up'], '--match has no effect on a folder of metrics pages'],
  [['.', '--artifact-dir', 'x', '--profiling-start', '2001-01-01T00:00:00'], 'invalid --profiling-start'],
  [['other', '--artifact-dir', 'x', '--profiling-end', '2001-01-01T00:00:00Z'], '--profiling-start is after'],
  [
    [
      'other',
      '--artifact-dir',
      'x',
      '--profiling-start',
      '2001-01-01T00:00:00Z',
      '--profiling-end',
      '2001-01-02T00:00:00Z',
    ],
    'the profiling phase contains no samples: they are from 2026-',
  ],
])('rejects %j', async (args, message) => {
  const { code, err } = await runServelens(['import', ...args], { cwd });
  expect(code).toBe(2);
  expect(err).toContain(message);
});

describe('an import from an API', () => {
  /** Requests of remote read that were received. The second one is not answered while `isBlocked`. */
  let reads = 0;
  let isBlocked = true;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url !== '/api/v1/read') response.writeHead(404).end();
      else if (++reads !== 2 || !isBlocked)
        response
          .writeHead(200, { 'content-type': STREAMED })
          .end(readFileSync(join(RECORDED, 'streamed-read.bin')));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });

  test('continues after Ctrl-C, and is not a run before', async () => {
    [reads, isBlocked] = [0, true];
    const run = join(cwd, 'api');
    // The recorded samples are in the first two of three pieces of a minute.
    const args = [
      ...['import', url, '--match', '{job="vllm"}', '--piece-duration', '1m', '--artifact-dir', run],
      ...['--from', String(from / 1000 - 50), '--to', String(to / 1000 + 60)],
    ];
    const child = new ServelensProcess(args, { cwd });
    await expect.poll(() => reads, { timeout: 60_000 }).toBe(2);
    child.kill('SIGINT');
    const { code, err } = await child.ended;
    expect(code).toBe(130);
    expect(err).toContain(
      'the import was interrupted, and no exports were written; to continue, run the same command with --artifact-dir api',
    );
    for (const command of [
      ['read', 'summary', run],
      ['export', run],
      ['read', 'check', run, '--assert', 'up == 1'],
    ]) {
      const { code: readCode, err: message } = await runServelens(command, { cwd });
      expect(readCode).toBe(2);
      expect(message).toContain(
        'contains an unfinished import, and no exports; to continue it, run the same servelens import',
      );
    }
    isBlocked = false;
    reads = 0;
    const { code: continuedCode, err: log } = await runServelens(args, { cwd });
    expect(continuedCode, log).toBe(0);
    expect(log).toContain('continuing: 1 of 3 pieces were read before');
    expect(reads).toBe(2);
    expect(readJson('api').summary.import).toMatchObject({
      source: 'remote_read',
      url,
      selectors: ['{job="vllm"}'],
    });
    expect(existsSync(join(run, 'server_metrics.import'))).toBe(false);
  });
});
