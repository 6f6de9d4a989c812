import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findParetoPoints, type Tradeoff } from '../src/pareto.ts';

const createTradeoffs = (
  ...pairs: readonly (readonly [maximized: number, minimized: number])[]
): Tradeoff[] => pairs.map(([maximized, minimized]) => ({ maximized, minimized }));

test.each([
  ['no point is kept if there are none', createTradeoffs(), []],
  ['a single point is kept', createTradeoffs([1, 1]), [0]],
  ['a rising curve is kept completely', createTradeoffs([1, 1], [2, 2], [3, 3]), [0, 1, 2]],
  [
    'a point with less throughput and more latency is dominated',
    createTradeoffs([8, 100], [15, 120], [14, 300]),
    [0, 1],
  ],
  [
    'a point that is best in both objectives dominates all others',
    createTradeoffs([1, 5], [2, 4], [3, 3]),
    [2],
  ],
  ['equal points are kept together', createTradeoffs([2, 2], [2, 2], [1, 3]), [0, 1]],
  ['of equal throughputs, the lower latency is kept', createTradeoffs([2, 5], [2, 4]), [1]],
])('%s', (_, points, expected) => {
  expect(findParetoPoints(points)).toEqual(expected);
});

test('returns at least one point, and omits a point if and only if a returned point dominates it', () => {
  const point = fc.record({
    maximized: fc.integer({ min: 0, max: 9 }),
    minimized: fc.integer({ min: 0, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 12 }), points => {
      const best = findParetoPoints(points);
      expect(best.length).toBeGreaterThan(0);
      for (const [position, { maximized, minimized }] of points.entries()) {
        const isDominated = best.some(
          index =>
            points[index]!.maximized >= maximized &&
            points[index]!.minimized <= minimized &&
            (points[index]!.maximized > maximized || points[index]!.minimized < minimized),
        );
        expect(isDominated).toBe(!best.includes(position));
      }
    }),
    { numRuns: 200 },
  );
});
