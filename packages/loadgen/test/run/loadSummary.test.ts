import { expect, test } from 'vitest';
import { Ledger } from '../../src/run/ledger.ts';
import { readOutcomes, readProgress } from '../../src/run/loadSummary.ts';

test('reads the progress of all threads', () => {
  const ledger = new Ledger(2);
  ledger.add(0, 'sent', 5);
  ledger.add(1, 'sent', 4);
  ledger.add(0, 'succeeded', 3);
  ledger.add(1, 'failed', 2);
  ledger.add(1, 'cancelled', 1);
  expect(readProgress('profiling', ledger, 7e9)).toEqual({
    phase: 'profiling',
    sent: 9,
    inFlight: 3,
    succeeded: 3,
    failed: 2,
    cancelled: 1,
    elapsedNs: 7e9,
  });
});

test('reads the outcomes of one thread', () => {
  const ledger = new Ledger(2);
  ledger.add(0, 'sent', 9);
  for (const [name, count] of [
    ['sent', 4],
    ['succeeded', 1],
    ['failed', 2],
    ['cancelled', 1],
  ] as const)
    ledger.add(1, name, count);
  expect(readOutcomes(ledger, 1)).toEqual({ sent: 4, succeeded: 1, failed: 2, cancelled: 1 });
});
