import { describe, expect, test } from 'vitest';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { ArrivalQueue } from '../../src/run/arrivalQueue.ts';
import { createFixedSchedule } from '../../src/schedule/arrivalSchedule.ts';
import { writeJsonl } from '../support/files.ts';
import { runLoad, sortByIndex } from '../support/load.ts';
import {
  DONE,
  END,
  formatChatEvent,
  formatChunk,
  formatHead,
  formatResponse,
  startRawServer,
  startTokenServer,
} from '../support/server.ts';

function createQueue(worker: number, workers: number): ArrivalQueue {
  const queue = new ArrivalQueue(() => createFixedSchedule([0, 1, 2, 3, 4]), { worker, workers });
  queue.start(100e6);
  return queue;
}

test.each([
  [0, 1, [100, 101, 102, 103, 104]],
  [0, 2, [100, 102, 104]],
  [1, 2, [101, 103]],
  [2, 3, [102]],
])('thread %d of %d sends the arrivals at %j ms', (worker, workers, expectedMs) => {
  const queue = createQueue(worker, workers);
  queue.collect(Number.POSITIVE_INFINITY);
  const times: number[] = [];
  for (; queue.dueCount > 0; queue.removeOldest()) times.push(queue.oldestDueNs! / 1e6);
  expect(times).toEqual(expectedMs);
  expect(queue.isEmpty).toBe(true);
});

test('collects arrivals up to a time', () => {
  const queue = createQueue(0, 1);
  queue.collect(99e6);
  expect([queue.dueCount, queue.nextNs]).toEqual([0, 100e6]);
  queue.collect(102e6);
  expect([queue.dueCount, queue.oldestDueNs, queue.nextNs]).toEqual([3, 100e6, 103e6]);
  queue.clear();
  expect([queue.dueCount, queue.isEmpty]).toEqual([0, false]);
});

test('a queue without a schedule is empty', () => {
  const queue = new ArrivalQueue(undefined, { worker: 0, workers: 1 });
  queue.start(0);
  queue.collect(1e9);
  expect([queue.isEmpty, queue.nextNs, queue.oldestDueNs]).toEqual([true, undefined, undefined]);
});

describe('arrivals of a run', () => {
  test('sends requests on schedule regardless of responses', async () => {
    const { url } = await startRawServer(socket =>
      setTimeout(() => socket.write(formatResponse('200 OK', 'application/json', '{}')), 200),
    );
    const { records, summary } = await runLoad(url, {
      target: { streaming: false },
      profiling: { rate: 100, pattern: 'constant', requestCount: 10 },
    });
    const sorted = sortByIndex(records);
    const { startNs } = summary.phases[0]!;
    sorted.forEach(({ intendedNs }, index) => {
      expect(intendedNs - startNs).toBe(index * 1e7);
    });
    for (const { intendedNs, startNs: actualNs } of sorted)
      expect(actualNs).toBeGreaterThanOrEqual(intendedNs);
    // All requests were sent before the first response.
    expect(Math.max(...sorted.map(({ intendedNs }) => intendedNs))).toBeLessThan(sorted[0]!.endNs);
    expect(summary.sendDelay.count).toBe(10);
  });

  test('records the send delays caused by a concurrency limit', async () => {
    let max = 0;
    let active = 0;
    const { url } = await startRawServer(socket => {
      active += 1;
      max = Math.max(max, active);
      setTimeout(() => {
        active -= 1;
        socket.write(formatHead() + formatChunk(formatChatEvent('a') + DONE) + END);
      }, 40);
    });
    const { records } = await runLoad(url, {
      profiling: { rate: 500, pattern: 'constant', concurrency: 2, requestCount: 10 },
    });
    expect(max).toBe(2);
    const delaysMs = sortByIndex(records).map(({ startNs, intendedNs }) => (startNs - intendedNs) / 1e6);
    // The last request waits for four pairs of requests before it; its intended time is 18 ms.
    expect(delaysMs.at(-1)).toBeGreaterThan(100);
  });

  test('counts requests that were due but not sent', async () => {
    const { url } = await startRawServer(socket =>
      socket.write(formatHead() + formatChunk(formatChatEvent('a'))),
    );
    const { summary } = await runLoad(url, {
      profiling: { rate: 100, pattern: 'constant', concurrency: 2, durationS: 0.8, graceS: 0 },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 2, stopReason: 'duration' });
    // About 80 requests are due in 0.8 s, but only two are sent.
    expect(summary.phases[0]!.unsent).toBeGreaterThanOrEqual(60);
  });

  test('does not repeat a fixed schedule', async () => {
    const { url } = await startTokenServer();
    const path = writeJsonl(
      { text: 'a', timestamp: 500 },
      { text: 'b', timestamp: 540 },
      { text: 'c', timestamp: 540 },
    );
    const { records, summary } = await runLoad(url, {
      inputs: await openFileInputs(path),
      profiling: { fixedSchedule: true },
    });
    expect(summary.phases[0]).toMatchObject({ sent: 3, stopReason: 'schedule' });
    const { startNs } = summary.phases[0]!;
    expect(sortByIndex(records).map(({ intendedNs }) => Math.round((intendedNs - startNs) / 1e6))).toEqual([
      0, 40, 40,
    ]);
  });

  test('sends later turns of a schedule on time, but not before the previous response', async () => {
    const { url } = await startTokenServer();
    const path = writeJsonl(
      { session_id: 's', text: 'a', timestamp: 500 },
      { session_id: 's', text: 'b', timestamp: 620 },
      { session_id: 's', text: 'c', timestamp: 500 },
      { session_id: 's', text: 'd', delay: 60 },
    );
    const { records, summary } = await runLoad(url, {
      inputs: await openFileInputs(path),
      profiling: { fixedSchedule: true },
    });
    const { startNs } = summary.phases[0]!;
    const [a, b, c, d] = [...records].sort((left, right) => left.startNs - right.startNs);
    expect([a, b, c].map(record => Math.round((record!.intendedNs - startNs) / 1e6))).toEqual([0, 120, 0]);
    expect(b!.startNs).toBeGreaterThanOrEqual(b!.intendedNs);
    expect(c!.startNs).toBeGreaterThanOrEqual(b!.endNs);
    expect(d!.intendedNs - c!.endNs).toBeGreaterThanOrEqual(60e6);
  });

  test('sends later turns at arrivals of the schedule if a rate is set', async () => {
    const { url } = await startTokenServer();
    const path = writeJsonl(...[1, 2, 3].map(id => ({ session_id: `${id}`, turns: ['a', 'b'] })));
    const { records, summary } = await runLoad(url, {
      inputs: await openFileInputs(path),
      profiling: { rate: 100, pattern: 'constant' },
    });
    expect(records).toHaveLength(6);
    const gridTimes = sortByIndex(records).map(
      ({ intendedNs }) => (intendedNs - summary.phases[0]!.startNs) / 1e7,
    );
    for (const time of gridTimes) expect(time).toBeCloseTo(Math.round(time), 6);
    expect(new Set(gridTimes).size).toBe(6);
  });
});
