import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BackgroundTask } from '../../src/journal/backgroundTask.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs once for all requests within the delay', async () => {
  const run = vi.fn(async () => false);
  const task = new BackgroundTask(100, run);
  task.schedule();
  await vi.advanceTimersByTimeAsync(50);
  task.schedule();
  expect(run).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(50);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(run).toHaveBeenCalledTimes(1);
});

test('runs again while there is more to do', async () => {
  const run = vi.fn(async () => run.mock.calls.length < 3);
  new BackgroundTask(100, run).schedule();
  await vi.advanceTimersByTimeAsync(1000);
  expect(run).toHaveBeenCalledTimes(3);
});

test('does not run after it was stopped', async () => {
  const run = vi.fn(async () => false);
  const task = new BackgroundTask(100, run);
  task.schedule();
  await task.stop();
  task.schedule();
  await vi.advanceTimersByTimeAsync(1000);
  expect(run).not.toHaveBeenCalled();
});
