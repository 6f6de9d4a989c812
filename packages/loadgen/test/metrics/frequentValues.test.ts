import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { FrequentValues } from '../../src/metrics/frequentValues.ts';

test.each(['first', 'last', 'mixed'])('finds a frequent value that occurs %s', when => {
  const random = new Random(3);
  const repeated = Array.from({ length: 1000 }, () => 7.5);
  const others = Array.from({ length: 200_000 }, () => 10 + random.next());
  const frequent = new FrequentValues();
  const step = when === 'mixed' ? 200 : Number.POSITIVE_INFINITY;
  const all =
    when === 'last'
      ? [...others, ...repeated]
      : when === 'first'
        ? [...repeated, ...others]
        : others.flatMap((value, at) => (at % step === 0 ? [7.5, value] : [value]));
  for (const value of all) frequent.add(value);
  expect(frequent.has(7.5)).toBe(true);
  expect(frequent.has(9)).toBe(false);
  expect(others.filter(value => frequent.has(value)).length).toBeLessThan(1300);
});
