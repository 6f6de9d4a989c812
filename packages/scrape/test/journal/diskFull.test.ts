import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Layout } from '@org/core';
import { afterAll, expect, it } from 'vitest';
import { replayJournal } from '../../src/journal/replay.ts';
import type { JournalStateChange } from '../../src/journal/stateChange.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { growLayout, makeFrame } from './support/server.mjs';

/** Mount point of a 256 KiB file system, if this process is permitted to mount one. */
const disk = mkdtempSync(join(tmpdir(), 'servelens-disk-'));
const isMounted = mountDisk();
if (!isMounted) console.log('skipped the test of a full disk: mounting a tmpfs is not permitted');

/** Mounts the file system and returns whether mounting succeeded. */
function mountDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

it.skipIf(!isMounted)('reports a full disk once, counts missing frames, and resumes', async () => {
  const path = join(disk, 'run.journal');
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(160 * 1024));
  const stateChanges: JournalStateChange[] = [];
  let nowMs = 0;
  const journal = JournalWriter.open(
    path,
    {},
    {
      fsyncDelayMs: 1,
      onStateChange: change => stateChanges.push(change),
      clock: { monotonicMs: () => nowMs },
    },
  );
  const layout = new Layout();
  journal.addEndpoint(0, { url: 'u', configuredUrl: 'c' });
  const appendedNs: bigint[] = [];
  const scrape = (number: number): void => {
    nowMs += 333;
    growLayout(layout, number);
    const frame = makeFrame(layout, 1, number);
    if (journal.append(0, layout, frame)) appendedNs.push(frame.timestampNs);
  };
  for (let number = 0; number < 2000; number++) scrape(number);
  expect(journal.missedFrames).toBeGreaterThan(100);
  expect(stateChanges).toMatchObject([{ state: 'failing', cause: { code: 'ENOSPC' } }]);
  expect(replayJournal(path)).toMatchObject({ state: 'complete', truncatedBytes: 0 });
  expect(statSync(path).size).toBe(journal.byteLength);
  rmSync(ballast);
  for (let number = 2000; number < 2300; number++) scrape(number);
  expect(stateChanges.map(({ state }) => state)).toEqual(['failing', 'resumed']);
  expect(journal.end()).toBe(true);
  await journal.close();
  const { endpoints, ...outcome } = replayJournal(path);
  expect(outcome).toMatchObject({ complete: true, missedFrames: 2300 - appendedNs.length });
  const { originNs, offsetsNs } = endpoints[0]!.store.timeline();
  expect(Array.from(offsetsNs, offset => originNs + BigInt(offset))).toEqual(appendedNs);
  await journal.remove();
  expect(existsSync(path)).toBe(false);
});
