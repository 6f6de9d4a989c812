import { Layout } from '@org/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JournalWriter } from '../../src/journal/writer.ts';
import { FSYNC_MS, JournalFixture, makeFrame, readGauge } from './support/journalFixture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a journal', () => {
  it('contains everything that was appended', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    fixture.journal.addMark({
      kind: 'profiling_start',
      atNs: 1_767_225_600_123_456_789n,
      data: { by: 'hand' },
    });
    fixture.appendGauge(2, 1);
    fixture.journal.addHealth(1, { outages: [{ start_ns: 5n }] });
    fixture.journal.addEndpoint(1, { url: 'elsewhere', configuredUrl: 'c1' });
    fixture.journal.addHealth(1, { outages: [] });
    fixture.appendGauge(3);
    expect(fixture.journal.end()).toBe(true);
    const replay = fixture.replay();
    expect(replay).toMatchObject({
      run: { run: 1n },
      marks: [{ kind: 'profiling_start', atNs: 1_767_225_600_123_456_789n, data: { by: 'hand' } }],
      complete: true,
      missedFrames: 0,
      truncatedBytes: 0,
      state: 'complete',
      message: '',
    });
    expect(
      replay.endpoints.map(({ index, url, configuredUrl, health }) => ({
        index,
        url,
        configuredUrl,
        health,
      })),
    ).toEqual([
      { index: 0, url: 'u0', configuredUrl: 'c0', health: undefined },
      { index: 1, url: 'elsewhere', configuredUrl: 'c1', health: { outages: [] } },
    ]);
    expect([readGauge(replay, 0), readGauge(replay, 1)]).toEqual([[1, 3], [2]]);
    expect(fixture.stateChanges).toEqual([]);
  });

  it('is complete only with its end record', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    expect(fixture.replay().complete).toBe(false);
  });

  it('ignores records after its end', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    fixture.journal.end();
    fixture.journal.addMark({ kind: 'late', atNs: 0n });
    expect(fixture.appendGauge(2)).toBe(false);
    expect(fixture.journal.missedFrames).toBe(1);
    expect(fixture.replay()).toMatchObject({ complete: true, marks: [] });
  });

  it('writes each frame immediately, in a single call', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    fixture.files.calls.length = 0;
    fixture.appendGauge(2);
    expect(fixture.files.calls).toEqual(['write']);
  });

  it('continues after a short write', () => {
    const fixture = new JournalFixture(files => {
      files.maxWriteBytes = 3;
    });
    fixture.appendGauge(1);
    fixture.appendGauge(2);
    expect(readGauge(fixture.replay())).toEqual([1, 2]);
  });

  it('does not open an existing file', () => {
    expect(() => new JournalFixture(files => void files.create())).toThrow(
      'cannot create the journal /run/journal: the file exists; recover or remove the journal of the killed run first',
    );
  });

  it('rejects invalid calls', () => {
    const fixture = new JournalFixture();
    const { journal } = fixture;
    const layout = fixture.addEndpoint(0);
    expect(() => journal.addEndpoint(-1, { url: '', configuredUrl: '' })).toThrow(RangeError);
    expect(() => journal.append(1, layout, makeFrame())).toThrow(
      'BUG: endpoint 1 was not added to the journal',
    );
    expect(() => journal.append(0, layout, makeFrame(1))).toThrow(
      'cannot journal a frame of 1 values: its layout has 0 slots',
    );
    journal.append(0, layout, makeFrame());
    expect(() => journal.append(0, new Layout(), makeFrame())).toThrow('BUG: endpoint 0 has two layouts');
    expect(() => journal.addMark({ kind: 'k', atNs: 0n, data: () => {} })).not.toThrow();
    expect(() => JournalWriter.open('/x', undefined)).toThrow(TypeError);
    expect(fixture.appendGauge(1)).toBe(true);
    expect(fixture.replay().endpoints[0]!.store.frameCount).toBe(2);
  });
});

describe('syncing', () => {
  it('runs once within the delay, and only if needed', async () => {
    const fixture = new JournalFixture();
    for (let value = 0; value < 10; value++) fixture.appendGauge(value);
    expect(fixture.files.calls).not.toContain('sync');
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(fixture.files.calls.filter(call => call.startsWith('sync'))).toEqual(['sync', 'syncFolder']);
    fixture.addEndpoint(0); // already in the file
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(fixture.files.calls.filter(call => call.startsWith('sync'))).toEqual(['sync', 'syncFolder']);
    fixture.appendGauge(1);
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(fixture.files.calls.filter(call => call.startsWith('sync'))).toEqual([
      'sync',
      'syncFolder',
      'sync',
    ]);
  });

  it('never runs concurrently, and runs again for data appended during a sync', async () => {
    const fixture = new JournalFixture(files => {
      files.holdsSyncs = true;
    });
    fixture.appendGauge(1);
    await vi.advanceTimersByTimeAsync(FSYNC_MS);
    fixture.appendGauge(2);
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(fixture.files.calls).not.toContain('sync');
    fixture.files.completeSyncs();
    await vi.advanceTimersByTimeAsync(FSYNC_MS);
    fixture.files.completeSyncs();
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(fixture.files.calls.filter(call => call === 'sync')).toHaveLength(2);
  });

  it('runs before closing', async () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    await fixture.journal.close();
    expect(fixture.files.calls.slice(-3)).toEqual(['sync', 'syncFolder', 'close']);
  });

  it('is awaited before the journal is removed', async () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    await fixture.journal.remove();
    expect(fixture.files.calls.slice(-2)).toEqual(['close', 'remove']);
    expect(fixture.appendGauge(2)).toBe(false);
    expect(fixture.files.exists).toBe(false);
  });

  it('rewinds to the synced length on failure, counts lost frames, and rewrites later marks and health', async () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    fixture.journal.addMark({ kind: 'first', atNs: 1n });
    await vi.advanceTimersByTimeAsync(2 * FSYNC_MS);
    fixture.appendGauge(2, 1);
    fixture.appendGauge(3);
    fixture.journal.addMark({ kind: 'second', atNs: 2n });
    fixture.journal.addHealth(1, 'well');
    fixture.files.failing.set('sync', 'EIO');
    await vi.advanceTimersByTimeAsync(2 * FSYNC_MS);
    expect(fixture.states).toEqual(['failing']);
    expect(fixture.stateChanges[0]!.message).toContain(
      'cannot write the journal /run/journal: input/output error',
    );
    expect(fixture.journal.missedFrames).toBe(2);
    expect(readGauge(fixture.replay())).toEqual([1]);
    fixture.files.failing.clear();
    fixture.nowMs = 2000;
    expect(fixture.appendGauge(4, 1)).toBe(true);
    expect(fixture.appendGauge(5)).toBe(true);
    const replay = fixture.replay();
    expect([readGauge(replay), readGauge(replay, 1)]).toEqual([[1, 5], [4]]);
    expect(replay.endpoints[1]!.health).toBe('well');
    expect(replay.marks.map(({ kind }) => kind)).toEqual(['first', 'second']);
    expect(replay.missedFrames).toBe(2);
    expect(fixture.states).toEqual(['failing', 'resumed']);
  });
});

describe('a full disk', () => {
  it('is reported once, and the file contains no partial record', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    const completeBytes = fixture.files.bytes.length;
    fixture.files.capacity = completeBytes + 5;
    expect([2, 3, 4].map(value => fixture.appendGauge(value))).toEqual([false, false, false]);
    expect(fixture.files.bytes.length).toBe(completeBytes);
    expect(fixture.stateChanges).toMatchObject([
      { state: 'failing', missedFrames: 0, cause: { code: 'ENOSPC' } },
    ]);
    expect(fixture.journal.missedFrames).toBe(3);
    expect(fixture.replay()).toMatchObject({ state: 'complete', complete: false });
  });

  it('is retried with growing pauses', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    fixture.files.capacity = fixture.files.bytes.length;
    const attemptSeconds: number[] = [];
    for (fixture.nowMs = 0; fixture.nowMs < 70_000; fixture.nowMs += 500) {
      fixture.files.calls.length = 0;
      fixture.appendGauge(2);
      if (fixture.files.calls.includes('write')) attemptSeconds.push(fixture.nowMs / 1000);
    }
    expect(attemptSeconds).toEqual([0, 1, 3, 7, 15, 31, 61]);
  });

  it('receives self-contained frames and pending marks after space is freed', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    fixture.files.capacity = fixture.files.bytes.length + 5;
    fixture.appendGauge(2);
    fixture.journal.addMark({ kind: 'profiling_start', atNs: 2n });
    fixture.journal.addHealth(0, 'early');
    fixture.journal.addHealth(0, 'late');
    fixture.journal.addEndpoint(0, { url: 'moved', configuredUrl: 'c0' });
    fixture.addEndpoint(1);
    fixture.appendGauge(3, 1);
    fixture.files.capacity = Number.POSITIVE_INFINITY;
    fixture.nowMs = 1000;
    expect(fixture.appendGauge(4)).toBe(true);
    expect(fixture.appendGauge(5, 1)).toBe(true);
    const replay = fixture.replay();
    expect([readGauge(replay), readGauge(replay, 1)]).toEqual([[1, 4], [5]]);
    expect(replay.endpoints[0]).toMatchObject({ url: 'moved', health: 'late' });
    expect(replay.marks).toEqual([{ kind: 'profiling_start', atNs: 2n }]);
    expect(replay.missedFrames).toBe(2);
    expect(fixture.stateChanges[1]).toEqual({
      state: 'resumed',
      message: 'resumed writing the journal /run/journal; 2 scrapes are missing from it',
      missedFrames: 2,
    });
  });

  it('is retried when the journal ends', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    fixture.files.capacity = fixture.files.bytes.length;
    fixture.appendGauge(2);
    fixture.files.capacity = Number.POSITIVE_INFINITY;
    expect(fixture.journal.end()).toBe(true);
    expect(fixture.replay()).toMatchObject({ complete: true, missedFrames: 1 });
  });

  it('delays the creation of the journal until space is freed', () => {
    const fixture = new JournalFixture(files => {
      files.failing.set('create', 'ENOSPC');
    });
    expect(fixture.appendGauge(1)).toBe(false);
    fixture.files.failing.clear();
    fixture.nowMs = 1000;
    expect(fixture.appendGauge(2)).toBe(true);
    expect(fixture.replay()).toMatchObject({ run: { run: 1n }, missedFrames: 1 });
    expect(readGauge(fixture.replay())).toEqual([2]);
  });

  it('is tolerated even if truncating a partial record fails', () => {
    const fixture = new JournalFixture();
    fixture.appendGauge(1);
    const completeBytes = fixture.files.bytes.length;
    fixture.files.capacity = completeBytes + 5;
    fixture.files.failing.set('truncate', 'EIO');
    fixture.appendGauge(2);
    expect(fixture.replay()).toMatchObject({ state: 'truncated', truncatedBytes: 5 });
    fixture.files.capacity = Number.POSITIVE_INFINITY;
    fixture.nowMs = 1000;
    expect(fixture.appendGauge(3)).toBe(false);
    fixture.files.failing.clear();
    fixture.nowMs = 3000;
    expect(fixture.appendGauge(4)).toBe(true);
    expect(readGauge(fixture.replay())).toEqual([1, 4]);
    expect(fixture.replay()).toMatchObject({ state: 'complete', missedFrames: 2 });
  });
});
