import { expect, test } from 'vitest';
import { findArrayEnd } from '../../src/json/arrayEnd.ts';

test.each([
  { array: '[]' },
  { array: '[[1, [2]], [3]]' },
  { array: '["]", "[", "\\"]", "\\\\"]' },
  { array: '[{"a": "]"}, {"b": [1]}]' },
])('finds the end of $array', ({ array }) => {
  expect(findArrayEnd(`x${array}, 1]`, 1)).toBe(array.length + 1);
});

test.each(['[', '[1, [2]', '["]', '["\\'])('finds no end of %s', array => {
  expect(findArrayEnd(array, 0)).toBeUndefined();
});
