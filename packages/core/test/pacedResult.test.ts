import { expect, test } from 'vitest';
import { PacedResult } from '../src/pacedResult.ts';

test.each([
  ['always, if it takes no time', 0, 0, [1, 2, 3]],
  ['not before it is due', 10, 99, [1, 1, 2]],
  ['when it is due', 10, 100, [1, 2, 3]],
])('computes a result %s', (_, takesMs, waitMs, expected) => {
  let nowMs = 5;
  let count = 0;
  const result = new PacedResult<number>(0.1, () => nowMs);
  const get = (): number =>
    result.get(() => {
      nowMs += takesMs;
      return ++count;
    });
  const values = [1, 2, 3].map(() => {
    const value = get();
    nowMs += waitMs;
    return value;
  });
  expect(values).toEqual(expected);
});

test('computes a new result after a reset', () => {
  let nowMs = 0;
  const result = new PacedResult<number>(0.1, () => nowMs++);
  expect([result.get(() => 1), result.get(() => 2)]).toEqual([1, 1]);
  result.reset();
  expect(result.get(() => 3)).toBe(3);
});
