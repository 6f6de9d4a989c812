import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Layout } from '@org/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readJournal } from '../../src/journal/reader.ts';
import { replayJournal } from '../../src/journal/replay.ts';
import { growLayout, makeFrame } from './support/server.mjs';

/** Number of processes to kill. The CLI tests kill whole runs; this test kills only a journal writer. */
const KILLS = process.env.CI ? 100 : 30;
const CONCURRENT_PROCESSES = 3;
const appender = resolve(import.meta.dirname, 'support/appender.mjs');
/** True if the package is built. The child process runs the built package. */
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/journal/writer.js'));
if (!isBuilt) console.log('skipped the test that kills a writer: build the package first');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'servelens-kill-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Starts a process that writes a journal, and kills it after `afterMs` milliseconds. Returns the number of
 * records that it reported as appended, by kind.
 */
async function killWriter(path: string, seed: number, afterMs: number): Promise<Record<string, number>> {
  const report = openSync(`${path}.report`, 'w+');
  const child = spawn(process.execPath, [appender, path, String(seed), String(seed % 3)], {
    stdio: ['ignore', 'pipe', 'pipe', report],
  });
  let errors = '';
  child.stderr!.on('data', text => {
    errors += text;
  });
  child.stdout!.once('data', () => void setTimeout(() => child.kill('SIGKILL'), afterMs));
  const [, signal] = await once(child, 'close');
  expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' });
  const reported: Record<string, number> = { f: 0, m: 0, h: 0 };
  for (const byte of readFileSync(`${path}.report`)) reported[String.fromCharCode(byte)]!++;
  closeSync(report);
  return reported;
}

/** Checks the frames, marks and health records in a journal. Returns the number of records of each kind. */
function countValidRecords(path: string, seed: number): Record<string, number> {
  const counts: Record<string, number> = { f: 0, m: 0, h: 0 };
  const nextScrapes = [0, 0];
  const layouts = [new Layout(), new Layout()];
  const records = readJournal(path);
  for (const record of records) {
    if (record.kind === 'frame') {
      const { endpoint, frame } = record;
      const scrape = nextScrapes[endpoint]!++;
      growLayout(layouts[endpoint]!, scrape);
      const expected = makeFrame(layouts[endpoint]!, seed + endpoint, scrape);
      const isEqual =
        Buffer.compare(
          new Uint8Array(frame.values.slice().buffer),
          new Uint8Array(expected.values.slice().buffer),
        ) === 0 &&
        frame.timestampNs === expected.timestampNs &&
        frame.latencyNs === expected.latencyNs &&
        frame.changed === expected.changed;
      if (!isEqual) throw new Error(`scrape ${scrape} of endpoint ${endpoint} differs from the appended one`);
    }
    if (record.kind === 'mark')
      expect(record.mark).toEqual({ kind: 'note', atNs: BigInt(10 * counts.m! + 5) });
    if (record.kind === 'health') expect(record.health).toEqual({ scrape: 10 * counts.h! + 8 });
    const kind = record.kind[0]!;
    if (kind in counts) counts[kind]!++;
  }
  expect(records.tail!.state).not.toBe('corrupted');
  return counts;
}

/** Kills one process, checks its journal against the reported records, and returns the state of the journal. */
async function killOnce(seed: number): Promise<string> {
  const path = join(folder, `${seed}.journal`);
  const reported = await killWriter(path, seed, Math.random() * 30);
  if (!existsSync(path)) {
    expect(reported).toEqual({ f: 0, m: 0, h: 0 });
    return 'not created';
  }
  const counts = countValidRecords(path, seed);
  // The process may be killed between writing a record and reporting it.
  for (const kind of ['f', 'm', 'h'])
    expect([reported[kind], reported[kind]! + 1], `records ${kind}`).toContain(counts[kind]);
  const replay = replayJournal(path);
  expect(replay).toMatchObject({ complete: false, missedFrames: 0 });
  expect(replay.endpoints.reduce((sum, { store }) => sum + store.frameCount, 0)).toBe(counts.f);
  rmSync(path);
  rmSync(`${path}.report`);
  return replay.state;
}

it.skipIf(!isBuilt)(
  `a process killed at a random moment loses no appended record, ${KILLS} times`,
  async () => {
    const states: string[] = [];
    let seed = 0;
    const killSequentially = async (): Promise<void> => {
      while (seed < KILLS) states.push(await killOnce(++seed));
    };
    await Promise.all(Array.from({ length: CONCURRENT_PROCESSES }, killSequentially));
    expect(states).toHaveLength(KILLS);
  },
  300_000,
);
