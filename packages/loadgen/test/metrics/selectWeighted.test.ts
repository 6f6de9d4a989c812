import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectWeighted } from '../../src/metrics/selectWeighted.ts';

test('the selected value is the one that sorting finds', () => {
  const pair = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 1000 }));
  const pairs = fc.array(pair, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(pairs, fc.constantFrom(0.5, 0.9, 0.95, 0.99), (values, q) => {
      const sorted = [...values].sort(([a], [b]) => a - b);
      const total = sorted.reduce((sum, [, weight]) => sum + weight, 0);
      let below = 0;
      const expected = sorted.find(([, weight]) => {
        below += weight;
        return below / total >= q;
      })![0];
      const columns = [0, 1].map(column => Float64Array.from(values, item => item[column as 0 | 1]));
      expect(selectWeighted(columns[0]!, columns[1]!, q, total)).toBe(expected);
    }),
  );
});
