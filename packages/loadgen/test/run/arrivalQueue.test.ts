import { expect, test } from 'vitest';
import { ArrivalQueue } from '../../src/run/arrivalQueue.ts';
import { createFixedSchedule } from '../../src/schedule/arrivalSchedule.ts';

function createQueue(worker: number, workers: number): ArrivalQueue {
  const queue = new ArrivalQueue(createFixedSchedule([0, 1, 2, 3, 4]), { worker, workers });
  queue.start(100e6);
  return queue;
}

test.each([
  [0, 1, [100, 101, 102, 103, 104]],
  [0, 2, [100, 102, 104]],
  [1, 2, [101, 103]],
  [2, 3, [102]],
])('thread %d of %d gets the arrivals %j', (worker, workers, expectedMs) => {
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

test('is empty without a schedule', () => {
  const queue = new ArrivalQueue(undefined, { worker: 0, workers: 1 });
  queue.start(0);
  queue.collect(1e9);
  expect([queue.isEmpty, queue.nextNs, queue.oldestDueNs]).toEqual([true, undefined, undefined]);
});
