import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Progress } from '../../src/collect/progress.ts';
import type { Io } from '../../src/io.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the time is that of the phase', () => {
  let ms = 0;
  const progress = new Progress({ monotonicMs: () => ms } as ConstructorParameters<typeof Progress>[0]);
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warning: () => {}, error: () => {} };
  const pass = (seconds: number): void => {
    ms += 1000 * seconds;
    vi.advanceTimersByTime(1000 * seconds);
  };
  ms = 7000; // finding the servers took so long
  progress.start([], {} as Io, log, false);
  pass(10);
  progress.phase = 'profiling';
  pass(20);
  progress.stop();
  pass(20);
  expect(lines).toEqual([
    'warm-up 10 s, 0/0 up, 0 samples',
    'profiling 20 s, 0/0 up, 0 samples',
    'profiling 20 s, 0/0 up, 0 samples',
  ]);
});
