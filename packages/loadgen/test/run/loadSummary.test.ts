import { expect, test } from 'vitest';
import { Ledger } from '../../src/run/ledger.ts';
import { readProgress } from '../../src/run/loadSummary.ts';

test('reads the progress of all threads', () => {
  const ledger = new Ledger(2);
  ledger.add(0, 'sent', 5);
  ledger.add(1, 'sent', 4);
  ledger.add(0, 'succeeded', 3);
  ledger.add(1, 'failed', 2);
  expect(readProgress('profiling', ledger, 7e9)).toEqual({
    phase: 'profiling',
    sent: 9,
    inFlight: 4,
    succeeded: 3,
    failed: 2,
    elapsedNs: 7e9,
  });
});
