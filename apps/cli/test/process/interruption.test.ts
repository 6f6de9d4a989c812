import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Interruption, type InterruptSignal, toExitCode } from '../../src/process/interruption.ts';

let interruption: Interruption;
let calls: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  calls = [];
  interruption = new Interruption();
  interruption.onFirst = signal => calls.push(`first ${signal}`);
  interruption.onSecond = signal => calls.push(`second ${signal}`);
  onTestFinished(() => {
    interruption.release();
    vi.useRealTimers();
  });
});

function emit(signal: InterruptSignal, msSincePrevious = 0): void {
  vi.advanceTimersByTime(msSincePrevious);
  process.emit(signal, signal);
}

test('aborts on the first signal', () => {
  expect(interruption.signal.aborted).toBe(false);
  expect(interruption.received).toBeUndefined();
  emit('SIGTERM');
  expect(interruption.signal.aborted).toBe(true);
  expect(interruption.received).toBe('SIGTERM');
  expect(calls).toEqual(['first SIGTERM']);
});

test('ignores repeated signals within 300 ms', () => {
  emit('SIGINT');
  emit('SIGINT', 300);
  expect(calls).toEqual(['first SIGINT']);
  emit('SIGINT', 1);
  expect(calls).toEqual(['first SIGINT', 'second SIGINT']);
});

test.each(['SIGTERM', 'SIGHUP'] as const)('ignores a later %s after SIGINT', signal => {
  emit('SIGINT');
  emit(signal, 1000);
  expect(calls).toEqual(['first SIGINT']);
  expect(interruption.received).toBe('SIGINT');
});

test('removes its signal handlers when released', () => {
  const count = process.listenerCount('SIGINT');
  interruption.release();
  expect(process.listenerCount('SIGINT')).toBe(count - 1);
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('converts %s to the exit code %d', (signal, code) => {
  expect(toExitCode(signal)).toBe(code);
});
