import type { Io } from '@org/terminal/program';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CollectProgress } from '../../src/screens/collectProgress.ts';
import { createTestLog } from '../support/log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('shows the time since the start of the phase', () => {
  const progress = new CollectProgress({});
  const log = createTestLog();
  const passTime = (seconds: number): void => void vi.advanceTimersByTime(1000 * seconds);
  passTime(7); // The probe of the endpoints is not part of the warm-up.
  progress.start([], {} as Io, log, false);
  passTime(10);
  progress.setPhase('profiling');
  passTime(20);
  progress.stop();
  passTime(20);
  expect(log.lines).toEqual([
    'info: warm-up 10 s, 0/0 up, 0 samples',
    'info: profiling 10 s, 0/0 up, 0 samples',
    'info: profiling 20 s, 0/0 up, 0 samples',
  ]);
});
