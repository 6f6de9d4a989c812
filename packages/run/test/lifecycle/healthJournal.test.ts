import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HealthJournal } from '../../src/lifecycle/healthJournal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createJournal() {
  const written: string[] = [];
  const journal = new HealthJournal({
    writeHealth: () => written.push('health'),
    writeCost: () => written.push('cost'),
  });
  return { journal, written };
}

test('writes the health and the cost at intervals', () => {
  const { journal, written } = createJournal();
  journal.start();
  vi.advanceTimersByTime(10_000);
  expect(written).toEqual(['health', 'cost', 'health', 'cost']);
});

test('writes changes that follow each other once, and later changes again', () => {
  const { journal, written } = createJournal();
  journal.writeSoon();
  vi.advanceTimersByTime(200);
  journal.writeSoon();
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(written).toEqual(['health']);
  journal.writeSoon();
  vi.advanceTimersByTime(1000);
  expect(written).toEqual(['health', 'health']);
});

test('writes nothing after it was stopped', () => {
  const { journal, written } = createJournal();
  journal.start();
  journal.writeSoon();
  journal.stop();
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([]);
});
