import { expect, test } from 'vitest';
import { cancellations } from '../../src/run/cancellation.ts';

test('takes the share that it is told, by the seed', () => {
  const after = cancellations({ percent: 20, delayS: 1.5 }, 3);
  const all = Array.from({ length: 5000 }, (_, session) => after(session, 0));
  const cancelled = all.filter(ms => ms !== undefined);
  // Three standard deviations of a share of 0.2 in 5,000.
  expect(Math.abs(cancelled.length / 5000 - 0.2)).toBeLessThan(0.017);
  expect(new Set(cancelled)).toEqual(new Set([1500]));
  expect(
    Array.from({ length: 5000 }, (_, session) => cancellations({ percent: 20, delayS: 1.5 }, 3)(session, 0)),
  ).toEqual(all);
});

test.each([
  [undefined, 0],
  [{ percent: 0 }, 0],
  [{ percent: 100 }, 50],
])('%j cancels %d of 50', (options, count) => {
  const after = cancellations(options, 1);
  expect(Array.from({ length: 50 }, (_, turn) => after(1, turn)).filter(ms => ms !== undefined)).toHaveLength(
    count,
  );
});
