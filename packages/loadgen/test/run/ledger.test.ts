import { expect, test } from 'vitest';
import { Ledger } from '../../src/run/ledger.ts';

/** What so many threads see of the same memory. */
function shared(workers: number): Ledger[] {
  const memory = new SharedArrayBuffer(Ledger.bytes(workers));
  const ledgers = Array.from({ length: workers }, () => new Ledger(workers, memory));
  ledgers[0]!.reset();
  return ledgers;
}

test('requests are numbered once, and no more than there are', () => {
  const [a, b] = shared(2) as [Ledger, Ledger];
  expect([a.takeRequest(3), b.takeRequest(3), a.takeRequest(3), b.takeRequest(3)]).toEqual([
    0,
    1,
    2,
    undefined,
  ]);
  expect(a.requests).toBeGreaterThanOrEqual(3);
});

test('sessions are dealt out in turn', () => {
  const [a, b] = shared(2) as [Ledger, Ledger];
  expect([a.takeSession(0, 5), a.takeSession(0, 5), b.takeSession(1, 5)]).toEqual([0, 2, 1]);
  expect([a.hasSession(0, 5), a.hasSession(0, 4), b.hasSession(1, 3)]).toEqual([true, false, false]);
  expect(b.sessionsEnd).toBe(3);
});

test('whoever has had all of its own takes those of others', () => {
  const [a, b] = shared(2) as [Ledger, Ledger];
  const taken = Array.from({ length: 6 }, () => a.takeAnySession(0, 5));
  expect(taken).toEqual([0, 2, 4, 1, 3, undefined]);
  expect(b.hasAnySession(5)).toBe(false);
  expect(b.takeAnySession(1, 5)).toBeUndefined();
});

test('places are common, and the oldest arrival has the first free one', () => {
  const [a, b] = shared(2) as [Ledger, Ledger];
  expect(a.enter(0, 10, 2)).toBe(true);
  expect(a.enter(0, 20, 2)).toBe(true);
  expect(b.enter(1, 30, 2)).toBe(false);
  expect(a.enter(0, 40, 2)).toBe(false);
  expect([a.othersWait(0), b.othersWait(1)]).toEqual([true, true]);
  expect([a.stopWaiting(0), a.stopWaiting(0)]).toEqual([true, false]);
  a.leave();
  expect(a.enter(0, 40, 2)).toBe(false);
  expect(b.enter(1, 30, 2)).toBe(true);
  expect(a.othersWait(0)).toBe(false);
  b.leave();
  expect(a.enter(0, 40, 2)).toBe(true);
});

test('a new phase begins at zero, and what has been taken from a thread goes on', () => {
  const [a, b] = shared(2) as [Ledger, Ledger];
  a.takeRequest(9);
  a.takeSession(0, 9);
  a.add(0, 'sent');
  b.add(1, 'sent', 2);
  b.add(1, 'taken', 500);
  expect([a.total('sent'), b.count(1, 'sent')]).toEqual([3, 2]);
  a.reset();
  expect([b.requests, b.sessionsEnd, b.total('sent'), a.count(1, 'taken')]).toEqual([0, 0, 0, 500]);
});
