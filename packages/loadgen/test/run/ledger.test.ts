import { expect, test } from 'vitest';
import { Ledger } from '../../src/run/ledger.ts';

/** Creates the ledgers of several threads over the same memory. */
function createLedgers(workers: number): Ledger[] {
  const memory = new SharedArrayBuffer(Ledger.computeBytes(workers));
  const ledgers = Array.from({ length: workers }, () => new Ledger(workers, memory));
  ledgers[0]!.reset();
  return ledgers;
}

test('assigns each request number once, up to the maximum', () => {
  const [a, b] = createLedgers(2) as [Ledger, Ledger];
  expect([a.takeRequest(3), b.takeRequest(3), a.takeRequest(3), b.takeRequest(3)]).toEqual([
    0,
    1,
    2,
    undefined,
  ]);
  expect(a.requests).toBeGreaterThanOrEqual(3);
});

test('assigns sessions to threads in turn', () => {
  const [a, b] = createLedgers(2) as [Ledger, Ledger];
  expect([a.takeSession(0, 5), a.takeSession(0, 5), b.takeSession(1, 5)]).toEqual([0, 2, 1]);
  expect([a.hasSession(0, 5), a.hasSession(0, 4), b.hasSession(1, 3)]).toEqual([true, false, false]);
  expect(b.sessionsEnd).toBe(3);
});

test('a thread without remaining sessions takes sessions of other threads', () => {
  const [a, b] = createLedgers(2) as [Ledger, Ledger];
  const taken = Array.from({ length: 6 }, () => a.takeAnySession(0, 5));
  expect(taken).toEqual([0, 2, 4, 1, 3, undefined]);
  expect(b.hasAnySession(5)).toBe(false);
  expect(b.takeAnySession(1, 5)).toBeUndefined();
});

test('a free shared slot goes to the oldest arrival', () => {
  const [a, b] = createLedgers(2) as [Ledger, Ledger];
  expect(a.takeSlot(0, 10, 2)).toBe(true);
  expect(a.takeSlot(0, 20, 2)).toBe(true);
  expect(b.takeSlot(1, 30, 2)).toBe(false);
  expect(a.takeSlot(0, 40, 2)).toBe(false);
  expect([a.hasOtherWaiting(0), b.hasOtherWaiting(1)]).toEqual([true, true]);
  expect([a.stopWaiting(0), a.stopWaiting(0)]).toEqual([true, false]);
  a.releaseSlot();
  expect(a.takeSlot(0, 40, 2)).toBe(false);
  expect(b.takeSlot(1, 30, 2)).toBe(true);
  expect(a.hasOtherWaiting(0)).toBe(false);
  b.releaseSlot();
  expect(a.takeSlot(0, 40, 2)).toBe(true);
});

test('reset clears the counters of a phase, but not the counters of the run', () => {
  const [a, b] = createLedgers(2) as [Ledger, Ledger];
  a.takeRequest(9);
  a.takeSession(0, 9);
  a.add(0, 'sent');
  b.add(1, 'sent', 2);
  b.add(1, 'processedBytes', 500);
  expect([a.sum('sent'), b.count(1, 'sent')]).toEqual([3, 2]);
  a.reset();
  expect([b.requests, b.sessionsEnd, b.sum('sent'), a.count(1, 'processedBytes')]).toEqual([0, 0, 0, 500]);
});
