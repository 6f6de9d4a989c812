import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerMetricsDocument, validate } from '@org/formats';
import { readServerMetricsJson } from '@org/formats/read';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ScriptedServer } from './support/scriptedServer.ts';

const BIN = fileURLToPath(new URL('../bin/servelens.js', import.meta.url));
const FAST = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.02',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1',
};

/** A disk of 1 MB, where this process may mount one. */
const disk = mkdtempSync(join(tmpdir(), 'servelens-small-disk-'));
const isMounted = mounted();
if (!isMounted) console.log('skipped: runs on a disk that is really full, for which a tmpfs must be mounted');

function mounted(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Its scrapes fill a page soon, however few of them a busy machine makes. */
const server = new ScriptedServer(150);
let base = '';
beforeAll(async () => {
  base = await server.listen();
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

/** Fills the disk but for some pages. */
function fillDisk(freePages: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc((bavail - freePages) * bsize));
}

interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly ended: Promise<number | null>;
  /** What was said on stderr so far. */
  readonly said: () => string;
  /** Resolves when that is said. */
  readonly until: (words: string) => Promise<void>;
}

function collect(run: number, ...options: string[]): Running {
  const folder = join(disk, String(run));
  const args = [
    'collect',
    '--server-metrics',
    `${base}/${run}/metrics`,
    '--artifact-dir',
    folder,
    ...options,
  ];
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, ...FAST },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const waiting: (() => void)[] = [];
  child.stderr!.on('data', text => {
    said += text;
    for (const check of waiting) check();
  });
  const ended = new Promise<number | null>(resolve => child.on('close', code => resolve(code)));
  const until = (words: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (said.includes(words)) resolve();
      };
      waiting.push(check);
      check();
      void ended.then(code => reject(new Error(`ended with ${code} before it said "${words}":\n${said}`)));
    });
  return { child, folder, ended, said: () => said, until };
}

const times = (text: string, words: string): number => text.split(words).length - 1;

async function expectWholeExports(run: number, folder: string): Promise<void> {
  const names = ['csv', 'json', 'parquet'].map(kind => `server_metrics_export.${kind}`);
  expect(
    readdirSync(folder)
      .filter(name => !name.endsWith('.sock'))
      .sort(),
  ).toEqual(names);
  for (const name of names) expect((await validate(join(folder, name))).issues, name).toEqual([]);
  const { summary } = (await readServerMetricsJson(join(folder, names[1]!))) as ServerMetricsDocument;
  const { total_fetches } = Object.values(summary.endpoint_info)[0]!;
  expect(total_fetches).toBeGreaterThanOrEqual(server.sent.get(run)! - 1);
}

test.skipIf(!isMounted)(
  'a disk that is full during the run is reported once, and the exports are complete',
  async () => {
    fillDisk(1);
    const run = collect(1, '--duration', '2');
    await run.until('cannot write the journal');
    rmSync(ballast);
    expect(await run.ended, run.said()).toBe(0);
    expect(times(run.said(), 'cannot write the journal')).toBe(1);
    await expectWholeExports(1, run.folder);
  },
);

test.skipIf(!isMounted)('exports to a full disk are retried until there is space', async () => {
  fillDisk(1);
  const run = collect(2, '--duration', '2');
  await run.until('are in memory only; free some space; retrying the exports for 30 s');
  rmSync(ballast);
  expect(await run.ended, run.said()).toBe(0);
  await expectWholeExports(2, run.folder);
});

test.skipIf(!isMounted)(
  'a disk that stays full is reported with the data loss and the command to recover',
  async () => {
    fillDisk(1);
    const run = collect(3, '--duration', '2');
    await run.until('retrying the exports');
    run.child.kill('SIGINT');
    expect(await run.ended, run.said()).toBe(1);
    expect(run.said()).toMatch(
      /json export failed: cannot write .*: the disk is full; free some space and export again/,
    );
    expect(run.said()).toMatch(
      /the journal is kept; to write the exports, free some space, then run: servelens recover .*; \d+ scrapes? could not be written and will be lost/,
    );
    expect(readdirSync(run.folder).filter(name => !name.endsWith('.sock'))).toEqual([
      'server_metrics.journal',
    ]);
  },
);

test.skipIf(!isMounted)('a full disk does not change the exit code of a successful command', async () => {
  fillDisk(1);
  const run = collect(4, '--', 'sleep', '2');
  await run.until('retrying the exports');
  run.child.kill('SIGINT');
  expect(await run.ended, run.said()).toBe(0);
  expect(run.said()).toContain('could not be written and will be lost');
});
