import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findParetoPoints, type Tradeoff } from '../src/pareto.ts';

const of = (...pairs: readonly (readonly [more: number, less: number])[]): Tradeoff[] =>
  pairs.map(([more, less]) => ({ more, less }));

test.each([
  ['nothing of nothing', of(), []],
  ['one point', of([1, 1]), [0]],
  ['all of a curve that only rises', of([1, 1], [2, 2], [3, 3]), [0, 1, 2]],
  ['what turns back is surpassed', of([8, 100], [15, 120], [14, 300]), [0, 1]],
  ['the best of both alone', of([1, 5], [2, 4], [3, 3]), [2]],
  ['points that are alike stand together', of([2, 2], [2, 2], [1, 3]), [0, 1]],
  ['of the same throughput the lower latency', of([2, 5], [2, 4]), [1]],
])('%s', (_, points, expected) => {
  expect(findParetoPoints(points)).toEqual(expected);
});

test('is never empty, and what is left out is surpassed by one that is in', () => {
  const point = fc.record({ more: fc.integer({ min: 0, max: 9 }), less: fc.integer({ min: 0, max: 9 }) });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 12 }), points => {
      const best = findParetoPoints(points);
      expect(best.length).toBeGreaterThan(0);
      for (const [at, { more, less }] of points.entries()) {
        const isBeaten = best.some(
          one =>
            points[one]!.more >= more &&
            points[one]!.less <= less &&
            (points[one]!.more > more || points[one]!.less < less),
        );
        expect(isBeaten).toBe(!best.includes(at));
      }
    }),
    { numRuns: 200 },
  );
});
