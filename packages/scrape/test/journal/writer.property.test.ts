import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readJournal } from '../../src/journal/reader.ts';
import { FSYNC_MS, JournalBench, readGauge } from './support/bench.ts';
import { anyGrowth, describeSlots, type Growth, grow } from './support/layouts.ts';
import { anyValues, toHex } from './support/values.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('loses only frames that are reported as missing, wherever the disk becomes full', () => {
  const run = (capacity: number): JournalBench => {
    const bench = new JournalBench(files => {
      files.capacity = capacity;
    });
    const appendedFrames: number[][] = [[], []];
    for (let value = 1; value <= 12; value++) {
      if (value === 10) bench.files.capacity = Number.POSITIVE_INFINITY;
      if (value === 4) bench.journal.addMark({ kind: 'profiling_start', atNs: 4n });
      if (value === 7) bench.journal.addHealth(0, value);
      bench.nowMs += 20_000;
      for (const index of [0, 1]) if (bench.appendGauge(value, index)) appendedFrames[index]!.push(value);
    }
    const replay = bench.replay();
    expect([readGauge(replay), readGauge(replay, 1)]).toEqual(appendedFrames);
    expect(replay.marks).toHaveLength(1);
    expect(replay.endpoints[0]!.health).toBe(7);
    expect(replay.missedFrames).toBe(24 - appendedFrames.flat().length);
    expect(replay.state).toBe('complete');
    return bench;
  };
  const { length } = run(Number.POSITIVE_INFINITY).files.bytes;
  expect(length).toBeGreaterThan(300);
  for (let capacity = 0; capacity <= length; capacity++) run(capacity);
});

type Step =
  | { do: 'append'; index: number; values: Float64Array }
  | { do: 'grow'; index: number; growth: Growth }
  | { do: 'mark' | 'health' | 'move' | 'space' | 'wait' | 'fine' }
  | { do: 'full'; bytes: number }
  | { do: 'fail'; operation: 'write' | 'truncate' | 'sync' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('append' as const), index: fc.nat(1), values: anyValues }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('grow' as const), index: fc.nat(1), growth: anyGrowth }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('mark' as const, 'health', 'move', 'space', 'wait', 'fine') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('full' as const), bytes: fc.nat(200) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      operation: fc.constantFrom('write' as const, 'truncate', 'sync'),
    }),
  },
);

/** Runs the steps, checks the readable content after each, and returns the bench. */
async function play(steps: readonly Step[]): Promise<JournalBench> {
  const bench = new JournalBench();
  bench.addEndpoint(0);
  bench.addEndpoint(1);
  const appendedFrames: string[][] = [[], []];
  let appended = 0;
  let notes = 0;
  for (const step of steps) {
    bench.nowMs += 700;
    if (step.do === 'append') {
      const layout = bench.layouts[step.index]!;
      const values = step.values.subarray(0, layout.slotCount);
      appended++;
      bench.journal.append(step.index, layout, {
        timestampNs: BigInt(appended),
        latencyNs: appended,
        changed: false,
        values,
      });
      appendedFrames[step.index]!.push(`${appended}: ${toHex(values)}`);
    } else if (step.do === 'grow') grow(bench.layouts[step.index]!, step.growth);
    else if (step.do === 'mark') bench.journal.addMark({ kind: 'note', atNs: BigInt(++notes) });
    else if (step.do === 'health') bench.journal.addHealth(1, ++notes);
    else if (step.do === 'move') bench.journal.addEndpoint(0, { url: `moved${++notes}`, configuredUrl: '' });
    else if (step.do === 'full') bench.files.capacity = bench.files.bytes.length + step.bytes;
    else if (step.do === 'space') bench.files.capacity = Number.POSITIVE_INFINITY;
    else if (step.do === 'fail') bench.files.failing.set(step.operation, 'EIO');
    else if (step.do === 'fine') bench.files.failing.clear();
    else await vi.advanceTimersByTimeAsync(FSYNC_MS);
    checkAgainst(bench, appendedFrames);
  }
  bench.files.capacity = Number.POSITIVE_INFINITY;
  bench.files.failing.clear();
  expect(bench.journal.end()).toBe(true);
  const kept = checkAgainst(bench, appendedFrames);
  const replay = bench.replay();
  expect(replay).toMatchObject({ complete: true, missedFrames: appended - kept, truncatedBytes: 0 });
  expect(bench.journal.missedFrames).toBe(appended - kept);
  const marks = steps.filter(step => step.do === 'mark');
  expect(replay.marks).toHaveLength(marks.length);
  expect(replay.marks.map(({ atNs }) => atNs)).toEqual(
    replay.marks.map(({ atNs }) => atNs).sort((a, b) => Number(a - b)),
  );
  return bench;
}

/**
 * Checks that the readable frames are a subset of the appended ones, in order and bit by bit; returns their
 * number.
 */
function checkAgainst(bench: JournalBench, appendedFrames: readonly string[][]): number {
  const next = [0, 0];
  let kept = 0;
  for (const record of readJournal(bench.files.bytes)) {
    if (record.kind === 'series') {
      const { layout } = record;
      expect(describeSlots(layout)).toEqual(
        describeSlots(bench.layouts[record.endpoint]!).slice(0, layout.slotCount),
      );
    }
    if (record.kind !== 'frame') continue;
    const { endpoint, frame } = record;
    const at = appendedFrames[endpoint]!.indexOf(
      `${frame.timestampNs}: ${toHex(frame.values)}`,
      next[endpoint],
    );
    expect(at).toBeGreaterThanOrEqual(0);
    expect(frame).toMatchObject({ latencyNs: Number(frame.timestampNs), changed: false });
    next[endpoint] = at + 1;
    kept++;
  }
  return kept;
}

it('keeps its guarantees in any sequence of steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async steps => void (await play(steps))),
    { numRuns: 150 },
  );
});
