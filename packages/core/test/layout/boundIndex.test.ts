import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundIndex } from '../../src/layout/boundIndex.ts';

it('lists items in ascending order and finds them by bound, in any order of insertion', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.double({ noNaN: true }).map(x => x + 0)), numbers => {
      const parts = new BoundIndex<{ le: number }>(({ le }) => le);
      const seen: number[] = [];
      for (const le of numbers) {
        parts.add({ le });
        seen.push(le);
        if (seen.length % 3 === 0)
          expect(parts.sorted.map(part => part.le)).toEqual([...seen].sort((a, b) => a - b));
      }
      expect(parts.sorted.map(part => part.le)).toEqual([...numbers].sort((a, b) => a - b));
      for (const le of numbers) expect(parts.get(le)).toEqual({ le });
      expect(parts.get(Number.NaN)).toBeUndefined();
    }),
  );
});

it('handles 200,000 items in descending order', () => {
  const parts = new BoundIndex<number>(x => x);
  for (let n = 200_000; n > 0; n--) if (parts.get(n) === undefined) parts.add(n);
  expect(parts.sorted[0]).toBe(1);
  expect(parts.sorted).toHaveLength(200_000);
});
