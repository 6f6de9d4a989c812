import { expect, test } from 'vitest';
import { type Batch, countPoints } from '../../src/metrics/batch.ts';
import {
  BatchQueue,
  MAX_BATCHES,
  MAX_LIVE_PART,
  MAX_POINTS,
  MAX_STATISTICS,
} from '../../src/send/batchQueue.ts';
import { createBatch, createCursor, createGauges } from '../support/batches.ts';

const readValue = (batch: Batch | undefined) => batch?.families[0]?.points[0]?.value;

test('drops the oldest batches if too many wait, and counts their points', async () => {
  const queue = new BatchQueue();
  for (let value = 0; value < MAX_BATCHES + 3; value++) queue.add(createBatch(value));
  expect(queue.droppedPoints).toBe(3);
  expect(readValue(await queue.take())).toBe(3);
});

test('drops the oldest batches if too many values wait, and counts them', () => {
  const queue = new BatchQueue();
  for (let reading = 0; reading < 5; reading++) queue.add(createGauges(MAX_POINTS / 2));
  expect(queue.droppedPoints).toBe((3 * MAX_POINTS) / 2);
  expect(queue.clear()).toBe(MAX_POINTS);
});

test('keeps the newest batch even if it has too many values', () => {
  const queue = new BatchQueue();
  for (let reading = 0; reading < 2; reading++) queue.add(createGauges(MAX_POINTS + 1));
  expect(queue.droppedPoints).toBe(MAX_POINTS + 1);
  expect(queue.clear()).toBe(MAX_POINTS + 1);
});

test('returns a large batch in parts, and counts the parts that remain', async () => {
  const queue = new BatchQueue();
  queue.add(createGauges(2 * MAX_LIVE_PART + 5));
  expect(countPoints((await queue.take())!)).toBe(MAX_LIVE_PART);
  queue.add(createBatch(1));
  expect(countPoints((await queue.take())!)).toBe(MAX_LIVE_PART);
  expect(queue.clear()).toBe(6);
});

test('returns live values before statistics, which are read part by part', async () => {
  const read: number[] = [];
  const queue = new BatchQueue();
  queue.addStatistics(createCursor([createBatch(10), createBatch(11)], part => read.push(part)));
  queue.add(createBatch(1));
  expect(readValue(await queue.take())).toBe(1);
  expect(read).toEqual([]);
  expect(readValue(await queue.take())).toBe(10);
  expect(read).toEqual([0]);
  expect(readValue(await queue.take())).toBe(11);
  expect(await queue.take()).toBeUndefined();
});

test('drops the statistics of the oldest run if those of too many runs wait', async () => {
  const queue = new BatchQueue();
  for (let run = 0; run <= MAX_STATISTICS; run++)
    queue.addStatistics(createCursor([createBatch(run), createBatch(run)]));
  expect(queue.droppedPoints).toBe(2);
  expect(readValue(await queue.take())).toBe(1);
});

test('counts the points that are removed at the end', async () => {
  const queue = new BatchQueue();
  queue.add(createBatch());
  queue.addStatistics(createCursor([createBatch(), createBatch()]));
  expect(queue.clear()).toBe(3);
  expect(await queue.take()).toBeUndefined();
});

test('removes statistics that cannot be read, counts them, and continues with the next ones', async () => {
  const queue = new BatchQueue();
  queue.addStatistics(createCursor([createBatch(1), new Error('damaged'), createBatch(2)]));
  queue.addStatistics(createCursor([createBatch(3)]));
  expect(readValue(await queue.take())).toBe(1);
  await expect(queue.take()).rejects.toThrow('damaged');
  expect(queue.unreadPoints).toBe(1);
  expect(readValue(await queue.take())).toBe(3);
  expect(await queue.take()).toBeUndefined();
  expect(queue.isEmpty).toBe(true);
});

test('counts statistics once if they are dropped while a part is read', async () => {
  const queue = new BatchQueue();
  queue.addStatistics(createCursor([createBatch(0), createBatch(0)]));
  const taken = queue.take();
  for (let run = 1; run <= MAX_STATISTICS; run++) queue.addStatistics(createCursor([createBatch(run)]));
  expect(queue.droppedPoints).toBe(2);
  expect(readValue(await taken)).toBe(1);
});

test('queues of several receivers return the same parts of a batch', async () => {
  const batch = createGauges(2 * MAX_LIVE_PART);
  const parts = await Promise.all(
    [new BatchQueue(), new BatchQueue()].map(queue => {
      queue.add(batch);
      return queue.take();
    }),
  );
  expect(parts[0]).toBe(parts[1]);
});
