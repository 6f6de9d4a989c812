import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndpointStore, Layout } from '@org/core';
import { expect, it } from 'vitest';
import { replayJournal } from '../../src/journal/replay.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { header, makeRecord, writeJournal } from './support/journals.ts';
import { describeSlots } from './support/layouts.ts';
import { growLayout, makeFrame } from './support/server.mjs';
import { toHex } from './support/values.ts';

it('restores the samples of the run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-replay-'));
  try {
    const path = join(folder, 'run.journal');
    const journal = JournalWriter.open(path, { benchmark_id: 'b' }, { fsyncDelayMs: 0 });
    const layout = new Layout();
    const store = new EndpointStore(layout);
    journal.addEndpoint(0, { url: 'http://h/metrics', configuredUrl: 'h' });
    for (let scrape = 0; scrape < 100; scrape++) {
      growLayout(layout, scrape);
      const frame = makeFrame(layout, 7, scrape);
      store.append(frame);
      expect(journal.append(0, layout, frame)).toBe(true);
      if (scrape % 25 === 0) await new Promise(setImmediate);
    }
    journal.end();
    await journal.close();
    const replay = replayJournal(path);
    expect(replay).toMatchObject({
      run: { benchmark_id: 'b' },
      complete: true,
      state: 'complete',
      truncatedBytes: 0,
    });
    const [endpoint] = replay.endpoints;
    expect(endpoint).toMatchObject({
      index: 0,
      url: 'http://h/metrics',
      configuredUrl: 'h',
      health: undefined,
    });
    expect(describeSlots(endpoint!.layout)).toEqual(describeSlots(layout));
    expect(endpoint!.store.timeline()).toEqual(store.timeline());
    expect(endpoint!.store.latenciesNs()).toEqual(store.latenciesNs());
    expect(endpoint!.store.changed()).toEqual(store.changed());
    for (let slot = 0; slot < layout.slotCount; slot++)
      expect(toHex(endpoint!.store.column(slot))).toBe(toHex(store.column(slot)));
    await journal.remove();
    expect(() => replayJournal(path)).toThrow('ENOENT');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('restores everything before and after the damage, and reports its cost', () => {
  const { bytes, ends } = writeJournal(50);
  const damaged = Buffer.from(bytes).fill(0, ends[60]! + 4, ends[60]! + 20);
  const { endpoints, marks, ...outcome } = replayJournal(damaged);
  expect(outcome).toMatchObject({
    run: { scrapes: 50 },
    complete: false,
    state: 'corrupted',
    truncatedBytes: 0,
  });
  const undamaged = replayJournal(bytes);
  expect(marks).toEqual(undamaged.marks);
  const countFrames = (list: typeof endpoints): number =>
    list.reduce((sum, { store }) => sum + store.frameCount, 0);
  expect(countFrames(undamaged.endpoints) - countFrames(endpoints)).toBe(outcome.damage!.lostFrames);
  expect(outcome.message).toContain(`${outcome.damage!.lostFrames} scrapes are lost`);
});

it('restores a mark once that was written twice', () => {
  const mark = makeRecord(5, 2 * 23, ...Buffer.from('{"kind":"a","atNs":"1"}'));
  expect(replayJournal(Buffer.concat([header, mark, mark])).marks).toEqual([{ kind: 'a', atNs: 1n }]);
});

it.each([0, 5, header.length, header.length + 3])('restores nothing from a journal of %d bytes', length => {
  const { bytes } = writeJournal(1);
  expect(replayJournal(bytes.subarray(0, length))).toMatchObject({
    run: undefined,
    endpoints: [],
    marks: [],
    complete: false,
  });
});

it('restores the same content from a file and from its bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-replay-'));
  const path = join(folder, 'journal');
  const { bytes } = writeJournal(10);
  writeFileSync(path, bytes);
  const [fromFile, fromBytes] = [replayJournal(path), replayJournal(bytes)];
  expect(fromFile.marks).toEqual(fromBytes.marks);
  expect(fromFile.endpoints.map(({ url }) => url)).toEqual(['http://host0/metrics', 'http://host1/metrics']);
  rmSync(folder, { recursive: true });
});
