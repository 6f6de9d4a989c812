import { expect, test } from 'vitest';
import { countPoints } from '../../src/metrics/batch.ts';
import {
  BatchQueue,
  MAX_BATCHES,
  MAX_LIVE_PART,
  MAX_POINTS,
  MAX_STATISTICS,
} from '../../src/send/batchQueue.ts';
import { createBatch, createGauges } from '../support/batches.ts';

const readValue = (batch: ReturnType<BatchQueue['take']>) => batch?.families[0]?.points[0]?.value;

test('drops the oldest batches if too many wait, and counts their points', () => {
  const queue = new BatchQueue();
  for (let value = 0; value < MAX_BATCHES + 3; value++) queue.add(createBatch(value));
  expect(queue.droppedPoints).toBe(3);
  expect(readValue(queue.take())).toBe(3);
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

test('returns a large batch in parts, and counts the parts that remain', () => {
  const queue = new BatchQueue();
  queue.add(createGauges(2 * MAX_LIVE_PART + 5));
  expect(countPoints(queue.take()!)).toBe(MAX_LIVE_PART);
  queue.add(createBatch(1));
  expect(countPoints(queue.take()!)).toBe(MAX_LIVE_PART);
  expect(queue.clear()).toBe(6);
});

test('returns live values before statistics, which are created one by one', () => {
  const created: number[] = [];
  function* createAll() {
    for (const value of [10, 11]) {
      created.push(value);
      yield createBatch(value);
    }
  }
  const queue = new BatchQueue();
  queue.addStatistics(createAll());
  queue.add(createBatch(1));
  expect(readValue(queue.take())).toBe(1);
  expect(created).toEqual([]);
  expect(readValue(queue.take())).toBe(10);
  expect(created).toEqual([10]);
  expect(readValue(queue.take())).toBe(11);
  expect(queue.take()).toBeUndefined();
});

test('drops the statistics of the oldest run if those of too many runs wait', () => {
  const queue = new BatchQueue();
  for (let run = 0; run <= MAX_STATISTICS; run++) queue.addStatistics([createBatch(run), createBatch(run)]);
  expect(queue.droppedPoints).toBe(2);
  expect(readValue(queue.take())).toBe(1);
});

test('counts the points that are removed at the end', () => {
  const queue = new BatchQueue();
  queue.add(createBatch());
  queue.addStatistics([createBatch(), createBatch()]);
  expect(queue.clear()).toBe(3);
  expect(queue.take()).toBeUndefined();
});
