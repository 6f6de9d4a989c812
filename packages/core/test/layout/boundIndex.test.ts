import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundIndex } from '../../src/layout/boundIndex.ts';

// `x + 0` turns -0 into 0.
it('lists items in ascending order and finds them by bound, in any order of insertion', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.double({ noNaN: true }).map(x => x + 0)), bounds => {
      const index = new BoundIndex<{ le: number }>(({ le }) => le);
      const addedBounds: number[] = [];
      for (const le of bounds) {
        index.add({ le });
        addedBounds.push(le);
        if (addedBounds.length % 3 === 0)
          expect(index.sorted.map(part => part.le)).toEqual([...addedBounds].sort((a, b) => a - b));
      }
      expect(index.sorted.map(part => part.le)).toEqual([...bounds].sort((a, b) => a - b));
      for (const le of bounds) expect(index.get(le)).toEqual({ le });
      expect(index.get(Number.NaN)).toBeUndefined();
    }),
  );
});

it('handles 200,000 items in descending order', () => {
  const index = new BoundIndex<number>(x => x);
  for (let n = 200_000; n > 0; n--) if (index.get(n) === undefined) index.add(n);
  expect(index.sorted[0]).toBe(1);
  expect(index.sorted).toHaveLength(200_000);
});
