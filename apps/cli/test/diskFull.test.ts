import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerMetricsDocument, validate } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedServer } from './support/scriptedServer.ts';
import { type ServelensProcess, startServelens } from './support/servelens.ts';

const ENV = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.02',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1',
};

/** Mount point of a disk of 1 MB. */
const disk = mkdtempSync(join(tmpdir(), 'servelens-small-disk-'));
const isMounted = mountDisk();
if (!isMounted) console.log('skipped: tests with a full disk, which need the permission to mount a tmpfs');

/** Mounts the disk. Returns false without the permission to mount. */
function mountDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Large pages fill the free space after a few scrapes, so that the tests also pass on a busy machine, which
// scrapes less often.
const server = new ScriptedServer(150);
let baseUrl = '';
beforeAll(async () => {
  baseUrl = await server.listen();
});
afterEach(() => {
  for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true });
});
afterAll(() => {
  server.close();
  if (isMounted) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

const ballast = join(disk, 'ballast');

/** Fills the disk except for some blocks of 4 KiB. */
function fillDisk(freeBlocks = 1): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc((bavail - freeBlocks) * bsize));
}

function collectToDisk(run: number, ...options: string[]): ServelensProcess {
  const args = [
    '--server-metrics',
    `${baseUrl}/${run}/metrics`,
    '--artifact-dir',
    getFolder(run),
    ...options,
  ];
  return startServelens(['collect', ...args], { cwd: process.cwd(), env: ENV });
}

function getFolder(run: number): string {
  return join(disk, String(run));
}

function listFiles(run: number): string[] {
  return readdirSync(getFolder(run))
    .filter(name => !name.endsWith('.sock'))
    .sort();
}

function countMatches(text: string, words: string): number {
  return text.split(words).length - 1;
}

async function expectCompleteExports(run: number): Promise<void> {
  const names = ['csv', 'json', 'parquet'].map(format => `server_metrics_export.${format}`);
  expect(listFiles(run)).toEqual(names);
  for (const name of names)
    expect((await validate(fromPath(join(getFolder(run), name)))).issues, name).toEqual([]);
  const { summary } = (await readServerMetricsJson(
    fromPath(join(getFolder(run), names[1]!)),
  )) as ServerMetricsDocument;
  const { total_fetches } = Object.values(summary.endpoint_info)[0]!;
  expect(total_fetches).toBeGreaterThanOrEqual(server.sent.get(run)! - 1);
}

test.skipIf(!isMounted)(
  'a full disk during the run is reported once, and the exports are complete',
  async () => {
    fillDisk();
    const run = collectToDisk(1, '--duration', '2');
    await run.waitForOutput('cannot write the journal');
    rmSync(ballast);
    const { code, err } = await run.ended;
    expect(code, err).toBe(0);
    expect(countMatches(err, 'cannot write the journal')).toBe(1);
    await expectCompleteExports(1);
  },
);

test.skipIf(!isMounted)('exports to a full disk are retried until there is space', async () => {
  fillDisk();
  const run = collectToDisk(2, '--duration', '2');
  await run.waitForOutput('are in memory only; free some space; retrying the exports for 30 s');
  rmSync(ballast);
  const { code, err } = await run.ended;
  expect(code, err).toBe(0);
  await expectCompleteExports(2);
});

test.skipIf(!isMounted)(
  'a disk that stays full is reported with the number of lost scrapes and the recovery command',
  async () => {
    fillDisk();
    const run = collectToDisk(3, '--duration', '2');
    await run.waitForOutput('retrying the exports');
    run.kill('SIGINT');
    const { code, err } = await run.ended;
    expect(code, err).toBe(1);
    expect(err).toMatch(
      /json export failed: cannot write .*: the disk is full; free some space and export again/,
    );
    expect(err).toMatch(
      /the journal is kept; to write the exports, free some space, then run: servelens recover .*; \d+ scrapes? could not be written and will be lost/,
    );
    expect(listFiles(3)).toEqual(['server_metrics.journal']);
  },
);

test.skipIf(!isMounted)('a full disk does not change the exit code of a successful command', async () => {
  fillDisk();
  const run = collectToDisk(4, '--', 'sleep', '2');
  await run.waitForOutput('retrying the exports');
  run.kill('SIGINT');
  const { code, err } = await run.ended;
  expect(code, err).toBe(0);
  expect(err).toContain('could not be written and will be lost');
});

describe.skipIf(!isMounted)('an import to a full disk', () => {
  const recorded = join(import.meta.dirname, '../../../packages/importer/test/files');
  const { from, to } = JSON.parse(readFileSync(join(recorded, 'range-vector.json'), 'utf8'));
  const folder = join(disk, 'import');
  let api: Server;

  beforeAll(async () => {
    const body = readFileSync(join(recorded, 'streamed-read.bin'));
    const type = 'application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse';
    api = createServer((request, response) => {
      if (request.url === '/api/v1/read') response.writeHead(200, { 'content-type': type }).end(body);
      else response.writeHead(404).end();
    });
    await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    api.close();
  });

  function importToDisk(): ServelensProcess['ended'] {
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const range = ['--from', String(from / 1000 - 50), '--to', String(to / 1000 + 60)];
    const args = ['import', url, '--match', '{job="vllm"}', ...range, '--piece-duration', '1m'];
    return startServelens([...args, '--artifact-dir', folder], { cwd: process.cwd() }).ended;
  }

  test('keeps the complete pieces, and continues when there is space', async () => {
    // Space for the plan and one piece.
    fillDisk(7);
    const full = await importToDisk();
    expect(full.code, full.err).toBe(2);
    expect(full.err).toMatch(
      /cannot write .*piece-00002\.(?:data|json): the disk is full; free some space; 1 of 3 pieces of the time range were read, and no exports were written; to continue, run the same command/,
    );
    rmSync(ballast);
    const { code, err } = await importToDisk();
    expect(code, err).toBe(0);
    expect(err).toContain('continuing: 1 of 3 pieces were read before');
    expect(readdirSync(folder).sort()).toEqual(
      ['csv', 'json', 'parquet'].map(format => `server_metrics_export.${format}`),
    );
  });

  test('keeps all pieces if only the exports do not fit', async () => {
    // Space for the plan and all pieces.
    fillDisk(14);
    const full = await importToDisk();
    expect(full.code, full.err).toBe(1);
    expect(full.err).toContain('the data that was read is kept; to write the exports, run the same command');
    rmSync(ballast);
    const { code, err } = await importToDisk();
    expect(code, err).toBe(0);
    expect(err).toContain('continuing: 3 of 3 pieces were read before');
  });
});
