import { expect, it } from 'vitest';
import { findPathLines } from '../../src/json/pathLines.ts';

const text = `{
  "a": {
    "b": [
      1,
      { "c": 2 }
    ]
  },
  "d": 3
}`;

it.each([
  [[], 1],
  [['a'], 2],
  [['a', 'b', 0], 4],
  [['a', 'b', 1, 'c'], 5],
  [['d'], 8],
  // A missing field has the line of the closest parent that exists.
  [['a', 'x'], 2],
  [['a', 'b', 1, 'x', 'y'], 5],
  [['constructor'], 1],
])('%j is on line %i', (path, line) => {
  expect(findPathLines(text, [path])).toEqual([line]);
});
