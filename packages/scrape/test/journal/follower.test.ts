import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JournalFollower } from '../../src/journal/follower.ts';
import { HEADER_BYTES } from '../../src/journal/format.ts';
import { type Replay, replayJournal } from '../../src/journal/replay.ts';
import { writeJournal } from './support/journals.ts';

const { bytes, ends } = writeJournal(40);

function createPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-follow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'run.journal');
}

function follow(path: string): JournalFollower {
  const follower = new JournalFollower(path);
  onTestFinished(() => follower.close());
  return follower;
}

/** Returns what a replay contains, without its objects. */
function describeReplay(replay: Replay | undefined): unknown {
  return (
    replay && {
      ...replay,
      endpoints: replay.endpoints.map(({ store, layout: _, ...endpoint }) => ({
        ...endpoint,
        times: store.timeline(),
        values: Array.from({ length: store.layout.slotCount }, (_, slot) => [...store.column(slot)]),
      })),
    }
  );
}

describe('a journal that grows', () => {
  it.each([1, 7, 100, 4096])('is the same as a complete journal after pieces of %d bytes', size => {
    const path = createPath();
    const follower = follow(path);
    writeFileSync(path, '');
    for (let at = 0; at < bytes.length; at += size) {
      appendFileSync(path, bytes.subarray(at, at + size));
      const replay = follower.read();
      expect(replay?.damage).toBeUndefined();
    }
    expect(describeReplay(follower.read())).toEqual(describeReplay(replayJournal(bytes)));
  });

  it('has each complete record as soon as it is written, and an incomplete one later', () => {
    const path = createPath();
    writeFileSync(path, bytes.subarray(0, ends[20]! + 5));
    const follower = follow(path);
    const first = follower.read()!;
    expect(first).toMatchObject({ state: 'truncated', truncatedBytes: 5 });
    const [frames] = first.endpoints.map(({ store }) => store.frameCount);
    appendFileSync(path, bytes.subarray(ends[20]! + 5, ends[30]!));
    const second = follower.read()!;
    expect(second.state).toBe('complete');
    expect(second.endpoints[0]!.store.frameCount).toBeGreaterThan(frames!);
    expect(describeReplay(second)).toEqual(describeReplay(replayJournal(bytes.subarray(0, ends[30]!))));
  });

  it('continues after the writer has cut off an incomplete record and written another one', () => {
    const path = createPath();
    writeFileSync(path, Buffer.concat([bytes.subarray(0, ends[20]!), Buffer.from('incomplete')]));
    const follower = follow(path);
    follower.read();
    truncateSync(path, ends[20]!);
    appendFileSync(path, bytes.subarray(ends[20]!));
    expect(describeReplay(follower.read())).toEqual(describeReplay(replayJournal(bytes)));
  });

  it.each([
    ['was replaced by another file', (path: string) => rmSync(path)],
    ['is shorter than what was read', (path: string) => truncateSync(path, 0)],
  ])('is read from its start if it %s', (_, change) => {
    const path = createPath();
    writeFileSync(path, bytes);
    const follower = follow(path);
    follower.read();
    change(path);
    writeFileSync(path, bytes.subarray(0, ends[10]!));
    const expected = replayJournal(bytes.subarray(0, ends[10]!));
    expect(describeReplay(follower.read())).toEqual(describeReplay(expected));
  });

  it('is unknown until its header is complete', () => {
    const path = createPath();
    const follower = follow(path);
    for (let size = 0; size <= HEADER_BYTES; size++) {
      writeFileSync(path, bytes.subarray(0, size));
      expect(follower.read()).toBeUndefined();
    }
  });

  it('is rejected if it is not a journal', () => {
    const path = createPath();
    writeFileSync(path, 'a text that is not a journal');
    expect(() => follow(path).read()).toThrow('it is not a Servelens journal');
  });
});
