import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { FrequentValues } from '../../src/metrics/frequentValues.ts';

test.each(['at the start', 'at the end', 'throughout'])('finds a frequent value that occurs %s', position => {
  const random = new Random(3);
  const repeated = Array.from({ length: 1000 }, () => 7.5);
  const others = Array.from({ length: 200_000 }, () => 10 + random.next());
  const frequent = new FrequentValues();
  const step = position === 'throughout' ? 200 : Number.POSITIVE_INFINITY;
  const values =
    position === 'at the end'
      ? [...others, ...repeated]
      : position === 'at the start'
        ? [...repeated, ...others]
        : others.flatMap((value, index) => (index % step === 0 ? [7.5, value] : [value]));
  for (const value of values) frequent.add(value);
  expect(frequent.has(7.5)).toBe(true);
  expect(frequent.has(9)).toBe(false);
  // Fewer than 1300 candidates are kept.
  expect(others.filter(value => frequent.has(value)).length).toBeLessThan(1300);
});
