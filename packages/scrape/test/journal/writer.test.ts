import { Layout } from '@org/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JournalWriter } from '../../src/journal/writer.ts';
import { FSYNC_MS, JournalBench, makeFrame, readGauge } from './support/bench.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a journal', () => {
  it('contains everything that was appended', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    bench.journal.addMark({
      kind: 'profiling_start',
      atNs: 1_767_225_600_123_456_789n,
      data: { by: 'hand' },
    });
    bench.appendGauge(2, 1);
    bench.journal.addHealth(1, { outages: [{ start_ns: 5n }] });
    bench.journal.addEndpoint(1, { url: 'elsewhere', configuredUrl: 'c1' });
    bench.journal.addHealth(1, { outages: [] });
    bench.appendGauge(3);
    expect(bench.journal.end()).toBe(true);
    const replay = bench.replay();
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
    expect(bench.stateChanges).toEqual([]);
  });

  it('is complete only with its end record', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    expect(bench.replay().complete).toBe(false);
  });

  it('ignores records after its end', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    bench.journal.end();
    bench.journal.addMark({ kind: 'late', atNs: 0n });
    expect(bench.appendGauge(2)).toBe(false);
    expect(bench.journal.missedFrames).toBe(1);
    expect(bench.replay()).toMatchObject({ complete: true, marks: [] });
  });

  it('writes each frame immediately, with a single call', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    bench.files.calls.length = 0;
    bench.appendGauge(2);
    expect(bench.files.calls).toEqual(['write']);
  });

  it('continues after a short write', () => {
    const bench = new JournalBench(files => {
      files.maxWriteBytes = 3;
    });
    bench.appendGauge(1);
    bench.appendGauge(2);
    expect(readGauge(bench.replay())).toEqual([1, 2]);
  });

  it('does not open an existing file', () => {
    expect(() => new JournalBench(files => void files.create())).toThrow(
      'cannot create the journal /run/journal: the file exists; recover or remove the journal of the killed run first',
    );
  });

  it('rejects invalid calls', () => {
    const bench = new JournalBench();
    const { journal } = bench;
    const layout = bench.addEndpoint(0);
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
    expect(bench.appendGauge(1)).toBe(true);
    expect(bench.replay().endpoints[0]!.store.frameCount).toBe(2);
  });
});

describe('syncing', () => {
  it('runs once within the delay, and only if needed', async () => {
    const bench = new JournalBench();
    for (let value = 0; value < 10; value++) bench.appendGauge(value);
    expect(bench.files.calls).not.toContain('sync');
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(bench.files.calls.filter(call => call.startsWith('sync'))).toEqual(['sync', 'syncFolder']);
    bench.addEndpoint(0); // already in the file
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(bench.files.calls.filter(call => call.startsWith('sync'))).toEqual(['sync', 'syncFolder']);
    bench.appendGauge(1);
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(bench.files.calls.filter(call => call.startsWith('sync'))).toEqual(['sync', 'syncFolder', 'sync']);
  });

  it('never runs twice at once, and covers data appended meanwhile', async () => {
    const bench = new JournalBench(files => {
      files.holdsSyncs = true;
    });
    bench.appendGauge(1);
    await vi.advanceTimersByTimeAsync(FSYNC_MS);
    bench.appendGauge(2);
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(bench.files.calls).not.toContain('sync');
    bench.files.completeSyncs();
    await vi.advanceTimersByTimeAsync(FSYNC_MS);
    bench.files.completeSyncs();
    await vi.advanceTimersByTimeAsync(10 * FSYNC_MS);
    expect(bench.files.calls.filter(call => call === 'sync')).toHaveLength(2);
  });

  it('runs before closing', async () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    await bench.journal.close();
    expect(bench.files.calls.slice(-3)).toEqual(['sync', 'syncFolder', 'close']);
  });

  it('is awaited before the journal is removed', async () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    await bench.journal.remove();
    expect(bench.files.calls.slice(-2)).toEqual(['close', 'remove']);
    expect(bench.appendGauge(2)).toBe(false);
    expect(bench.files.exists).toBe(false);
  });

  it('goes back to the synced length on failure and writes later records again', async () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    bench.journal.addMark({ kind: 'first', atNs: 1n });
    await vi.advanceTimersByTimeAsync(2 * FSYNC_MS);
    bench.appendGauge(2, 1);
    bench.appendGauge(3);
    bench.journal.addMark({ kind: 'second', atNs: 2n });
    bench.journal.addHealth(1, 'well');
    bench.files.failing.set('sync', 'EIO');
    await vi.advanceTimersByTimeAsync(2 * FSYNC_MS);
    expect(bench.states).toEqual(['failing']);
    expect(bench.stateChanges[0]!.message).toContain(
      'cannot write the journal /run/journal: input/output error',
    );
    expect(bench.journal.missedFrames).toBe(2);
    expect(readGauge(bench.replay())).toEqual([1]);
    bench.files.failing.clear();
    bench.nowMs = 2000;
    expect(bench.appendGauge(4, 1)).toBe(true);
    expect(bench.appendGauge(5)).toBe(true);
    const replay = bench.replay();
    expect([readGauge(replay), readGauge(replay, 1)]).toEqual([[1, 5], [4]]);
    expect(replay.endpoints[1]!.health).toBe('well');
    expect(replay.marks.map(({ kind }) => kind)).toEqual(['first', 'second']);
    expect(replay.missedFrames).toBe(2);
    expect(bench.states).toEqual(['failing', 'resumed']);
  });
});

describe('a full disk', () => {
  it('is reported once, and the file stays complete', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    const whole = bench.files.bytes.length;
    bench.files.capacity = whole + 5;
    expect([2, 3, 4].map(value => bench.appendGauge(value))).toEqual([false, false, false]);
    expect(bench.files.bytes.length).toBe(whole);
    expect(bench.stateChanges).toMatchObject([
      { state: 'failing', missedFrames: 0, cause: { code: 'ENOSPC' } },
    ]);
    expect(bench.journal.missedFrames).toBe(3);
    expect(bench.replay()).toMatchObject({ state: 'complete', complete: false });
  });

  it('is retried with growing pauses', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    bench.files.capacity = bench.files.bytes.length;
    const tries: number[] = [];
    for (bench.nowMs = 0; bench.nowMs < 70_000; bench.nowMs += 500) {
      bench.files.calls.length = 0;
      bench.appendGauge(2);
      if (bench.files.calls.includes('write')) tries.push(bench.nowMs / 1000);
    }
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 61]);
  });

  it('receives self-contained frames and pending marks once there is space', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    bench.files.capacity = bench.files.bytes.length + 5;
    bench.appendGauge(2);
    bench.journal.addMark({ kind: 'profiling_start', atNs: 2n });
    bench.journal.addHealth(0, 'early');
    bench.journal.addHealth(0, 'late');
    bench.journal.addEndpoint(0, { url: 'moved', configuredUrl: 'c0' });
    bench.addEndpoint(1);
    bench.appendGauge(3, 1);
    bench.files.capacity = Number.POSITIVE_INFINITY;
    bench.nowMs = 1000;
    expect(bench.appendGauge(4)).toBe(true);
    expect(bench.appendGauge(5, 1)).toBe(true);
    const replay = bench.replay();
    expect([readGauge(replay), readGauge(replay, 1)]).toEqual([[1, 4], [5]]);
    expect(replay.endpoints[0]).toMatchObject({ url: 'moved', health: 'late' });
    expect(replay.marks).toEqual([{ kind: 'profiling_start', atNs: 2n }]);
    expect(replay.missedFrames).toBe(2);
    expect(bench.stateChanges[1]).toEqual({
      state: 'resumed',
      message: 'resumed writing the journal /run/journal; 2 scrapes are missing from it',
      missedFrames: 2,
    });
  });

  it('is retried at the end', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    bench.files.capacity = bench.files.bytes.length;
    bench.appendGauge(2);
    bench.files.capacity = Number.POSITIVE_INFINITY;
    expect(bench.journal.end()).toBe(true);
    expect(bench.replay()).toMatchObject({ complete: true, missedFrames: 1 });
  });

  it('leaves no journal until there is space', () => {
    const bench = new JournalBench(files => {
      files.failing.set('create', 'ENOSPC');
    });
    expect(bench.appendGauge(1)).toBe(false);
    bench.files.failing.clear();
    bench.nowMs = 1000;
    expect(bench.appendGauge(2)).toBe(true);
    expect(bench.replay()).toMatchObject({ run: { run: 1n }, missedFrames: 1 });
    expect(readGauge(bench.replay())).toEqual([2]);
  });

  it('may also fail to truncate', () => {
    const bench = new JournalBench();
    bench.appendGauge(1);
    const whole = bench.files.bytes.length;
    bench.files.capacity = whole + 5;
    bench.files.failing.set('truncate', 'EIO');
    bench.appendGauge(2);
    expect(bench.replay()).toMatchObject({ state: 'truncated', truncatedBytes: 5 });
    bench.files.capacity = Number.POSITIVE_INFINITY;
    bench.nowMs = 1000;
    expect(bench.appendGauge(3)).toBe(false);
    bench.files.failing.clear();
    bench.nowMs = 3000;
    expect(bench.appendGauge(4)).toBe(true);
    expect(readGauge(bench.replay())).toEqual([1, 4]);
    expect(bench.replay()).toMatchObject({ state: 'complete', missedFrames: 2 });
  });
});
