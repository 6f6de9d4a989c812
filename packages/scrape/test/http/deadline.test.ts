import { getEventListeners, setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Deadline } from '../../src/http/deadline.ts';

test('aborts an exchange that exceeds its time limit', async () => {
  const deadline = new Deadline(20, undefined);
  let abortCount = 0;
  deadline.onAbort = () => abortCount++;
  expect(deadline.isAborted).toBe(false);
  await sleep(200);
  expect(deadline).toMatchObject({ hasTimedOut: true, isAborted: true });
  expect(abortCount).toBe(1);
});

test('aborts when the outer signal is aborted, which is not a timeout', () => {
  const outer = new AbortController();
  const deadline = new Deadline(60_000, outer.signal);
  outer.abort();
  deadline.end();
  expect(deadline).toMatchObject({ hasTimedOut: false, isAborted: true });
  const late = new Deadline(60_000, outer.signal);
  late.end();
  let wasCalled = false;
  late.onAbort = () => {
    wasCalled = true;
  };
  expect(late.isAborted).toBe(true);
  expect(wasCalled).toBe(true);
});

test('removes its listener and its timer when it ends', async () => {
  const outer = new AbortController();
  setMaxListeners(0, outer.signal);
  const deadlines = Array.from({ length: 100 }, () => new Deadline(20, outer.signal));
  for (const deadline of deadlines) deadline.end();
  expect(getEventListeners(outer.signal, 'abort')).toEqual([]);
  await sleep(60);
  expect(deadlines.some(({ hasTimedOut }) => hasTimedOut)).toBe(false);
});
