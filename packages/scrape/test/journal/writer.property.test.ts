import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readJournal } from '../../src/journal/reader.ts';
import { FSYNC_MS, JournalFixture, readGauge } from './support/journalFixture.ts';
import { anyGrowth, describeSlots, type Growth, grow } from './support/layouts.ts';
import { anyValues, toHex } from './support/values.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('loses only frames that are reported as missing, wherever the disk becomes full', () => {
  const run = (capacity: number): JournalFixture => {
    const fixture = new JournalFixture(files => {
      files.capacity = capacity;
    });
    const appendedFrames: number[][] = [[], []];
    for (let value = 1; value <= 12; value++) {
      if (value === 10) fixture.files.capacity = Number.POSITIVE_INFINITY;
      if (value === 4) fixture.journal.addMark({ kind: 'profiling_start', atNs: 4n });
      if (value === 7) fixture.journal.addHealth(0, value);
      fixture.nowMs += 20_000;
      for (const index of [0, 1]) if (fixture.appendGauge(value, index)) appendedFrames[index]!.push(value);
    }
    const replay = fixture.replay();
    expect([readGauge(replay), readGauge(replay, 1)]).toEqual(appendedFrames);
    expect(replay.marks).toHaveLength(1);
    expect(replay.endpoints[0]!.health).toBe(7);
    expect(replay.missedFrames).toBe(24 - appendedFrames.flat().length);
    expect(replay.state).toBe('complete');
    return fixture;
  };
  const { length } = run(Number.POSITIVE_INFINITY).files.bytes;
  expect(length).toBeGreaterThan(300);
  for (let capacity = 0; capacity <= length; capacity++) run(capacity);
});

type Step =
  | { do: 'append'; index: number; values: Float64Array }
  | { do: 'grow'; index: number; growth: Growth }
  | { do: 'mark' | 'health' | 'move' | 'freeDisk' | 'wait' | 'clearErrors' }
  | { do: 'limitDisk'; bytes: number }
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
    arbitrary: fc.record({
      do: fc.constantFrom('mark' as const, 'health', 'move', 'freeDisk', 'wait', 'clearErrors'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limitDisk' as const), bytes: fc.nat(200) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      operation: fc.constantFrom('write' as const, 'truncate', 'sync'),
    }),
  },
);

/** Runs the steps, checks the readable content after each step, and returns the fixture. */
async function play(steps: readonly Step[]): Promise<JournalFixture> {
  const fixture = new JournalFixture();
  fixture.addEndpoint(0);
  fixture.addEndpoint(1);
  const appendedFrames: string[][] = [[], []];
  let appended = 0;
  let notes = 0;
  for (const step of steps) {
    fixture.nowMs += 700;
    if (step.do === 'append') {
      const layout = fixture.layouts[step.index]!;
      const values = step.values.subarray(0, layout.slotCount);
      appended++;
      fixture.journal.append(step.index, layout, {
        timestampNs: BigInt(appended),
        latencyNs: appended,
        changed: false,
        values,
      });
      appendedFrames[step.index]!.push(`${appended}: ${toHex(values)}`);
    } else if (step.do === 'grow') grow(fixture.layouts[step.index]!, step.growth);
    else if (step.do === 'mark') fixture.journal.addMark({ kind: 'note', atNs: BigInt(++notes) });
    else if (step.do === 'health') fixture.journal.addHealth(1, ++notes);
    else if (step.do === 'move')
      fixture.journal.addEndpoint(0, { url: `moved${++notes}`, configuredUrl: '' });
    else if (step.do === 'limitDisk') fixture.files.capacity = fixture.files.bytes.length + step.bytes;
    else if (step.do === 'freeDisk') fixture.files.capacity = Number.POSITIVE_INFINITY;
    else if (step.do === 'fail') fixture.files.failing.set(step.operation, 'EIO');
    else if (step.do === 'clearErrors') fixture.files.failing.clear();
    else await vi.advanceTimersByTimeAsync(FSYNC_MS);
    checkReadableFrames(fixture, appendedFrames);
  }
  fixture.files.capacity = Number.POSITIVE_INFINITY;
  fixture.files.failing.clear();
  expect(fixture.journal.end()).toBe(true);
  const readableFrames = checkReadableFrames(fixture, appendedFrames);
  const replay = fixture.replay();
  expect(replay).toMatchObject({
    complete: true,
    missedFrames: appended - readableFrames,
    truncatedBytes: 0,
  });
  expect(fixture.journal.missedFrames).toBe(appended - readableFrames);
  const marks = steps.filter(step => step.do === 'mark');
  expect(replay.marks).toHaveLength(marks.length);
  expect(replay.marks.map(({ atNs }) => atNs)).toEqual(
    replay.marks.map(({ atNs }) => atNs).sort((a, b) => Number(a - b)),
  );
  return fixture;
}

/**
 * Checks that the readable frames are a subset of the appended frames, in order and with identical bits.
 * Returns the number of readable frames.
 */
function checkReadableFrames(fixture: JournalFixture, appendedFrames: readonly string[][]): number {
  const nextIndexes = [0, 0];
  let readableFrames = 0;
  for (const record of readJournal(fixture.files.bytes)) {
    if (record.kind === 'series') {
      const { layout } = record;
      expect(describeSlots(layout)).toEqual(
        describeSlots(fixture.layouts[record.endpoint]!).slice(0, layout.slotCount),
      );
    }
    if (record.kind !== 'frame') continue;
    const { endpoint, frame } = record;
    const index = appendedFrames[endpoint]!.indexOf(
      `${frame.timestampNs}: ${toHex(frame.values)}`,
      nextIndexes[endpoint],
    );
    expect(index).toBeGreaterThanOrEqual(0);
    expect(frame).toMatchObject({ latencyNs: Number(frame.timestampNs), changed: false });
    nextIndexes[endpoint] = index + 1;
    readableFrames++;
  }
  return readableFrames;
}

it('keeps a readable subset of the frames, and all marks, in any sequence of steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async steps => void (await play(steps))),
    { numRuns: 150 },
  );
});
