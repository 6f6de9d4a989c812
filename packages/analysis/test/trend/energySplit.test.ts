import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { EnergySegment, type Split } from '../../src/trend/energySplit.ts';

/** Computes the best split from the definition of the statistic, with all pairs of values. */
function findByDefinition(values: readonly number[], minLength: number): Split | undefined {
  const meanOf = (pairs: readonly number[]): number =>
    pairs.length === 0 ? 0 : pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
  const within = (part: readonly number[]): number =>
    meanOf(part.flatMap((a, i) => part.slice(i + 1).map(b => Math.abs(a - b))));
  let best: Split | undefined;
  for (let at = minLength; at <= values.length - minLength; at++) {
    const [first, second] = [values.slice(0, at), values.slice(at)];
    const between = meanOf(first.flatMap(a => second.map(b => Math.abs(a - b))));
    const size = (first.length * second.length) / values.length;
    const energy = size * (2 * between - within(first) - within(second));
    if (best === undefined || energy > best.energy) best = { at, energy };
  }
  return best;
}

describe('findBestSplit', () => {
  test('the energy agrees with the definition, for any values and any order', () => {
    const value = fc.integer({ min: -1000, max: 1000 }).map(number => number / 8);
    const cases = fc.array(value, { minLength: 4, maxLength: 30 }).chain(values =>
      fc.record({
        values: fc.constant(values),
        order: fc.shuffledSubarray([...values.keys()], { minLength: values.length }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ values, order }) => {
        const found = new EnergySegment(values).findBestSplit(order, 2);
        const expected = findByDefinition(
          order.map(index => values[index]!),
          2,
        );
        expect(found!.energy).toBeCloseTo(expected!.energy, 6);
      }),
    );
  });

  it.each([
    ['a step', [1, 2, 1, 2, 9, 8, 9, 8, 9], 4],
    ['a step of values with a large offset', [1, 2, 1, 2, 9, 8, 9, 8].map(value => value + 1e12), 4],
  ])('finds the position of %s', (_, values, at) => {
    expect(new EnergySegment(values).findBestSplit([...values.keys()], 2)?.at).toBe(at);
  });

  it('returns nothing for fewer values than both parts need', () => {
    expect(new EnergySegment([1, 2, 9]).findBestSplit([0, 1, 2], 2)).toBeUndefined();
  });
});
