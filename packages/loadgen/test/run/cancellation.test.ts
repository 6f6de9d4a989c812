import { expect, test } from 'vitest';
import { createCancellationRule } from '../../src/run/cancellation.ts';

test('cancels the requested percentage, reproducibly', () => {
  const after = createCancellationRule({ percent: 20, delayS: 1.5 }, 3);
  const all = Array.from({ length: 5000 }, (_, session) => after(session, 0));
  const cancelled = all.filter(ms => ms !== undefined);
  // Three standard deviations of a fraction of 0.2 in 5,000 requests.
  expect(Math.abs(cancelled.length / 5000 - 0.2)).toBeLessThan(0.017);
  expect(new Set(cancelled)).toEqual(new Set([1500]));
  expect(
    Array.from({ length: 5000 }, (_, session) =>
      createCancellationRule({ percent: 20, delayS: 1.5 }, 3)(session, 0),
    ),
  ).toEqual(all);
});

test.each([
  [undefined, 0],
  [{ percent: 0 }, 0],
  [{ percent: 100 }, 50],
])('%j cancels %d of 50', (options, count) => {
  const after = createCancellationRule(options, 1);
  expect(Array.from({ length: 50 }, (_, turn) => after(1, turn)).filter(ms => ms !== undefined)).toHaveLength(
    count,
  );
});
