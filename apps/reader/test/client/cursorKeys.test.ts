import { describe, expect, test } from 'vitest';
import { findPointRange, moveCursor, type PointRange } from '../../client/cursorKeys.ts';

describe('findPointRange', () => {
  test.each<[number, number, PointRange | undefined]>([
    [0, 10, [0, 4]],
    [-Infinity, Infinity, [0, 4]],
    [1, 3, [1, 3]],
    [0.5, 3.5, [1, 3]],
    [2, 2, [2, 2]],
    [2.2, 2.8, undefined],
    [5, 9, undefined],
    [-9, -5, undefined],
  ])('finds the points from %d to %d', (from, to, expected) => {
    expect(findPointRange([0, 1, 2, 3, 4], from, to)).toEqual(expected);
  });

  test('finds nothing without points', () => {
    expect(findPointRange([], 0, 1)).toBeUndefined();
  });
});

describe('moveCursor', () => {
  const all: PointRange = [0, 99];
  test.each<[string, number | null, PointRange, number | undefined]>([
    ['ArrowRight', 5, all, 6],
    ['ArrowLeft', 5, all, 4],
    ['ArrowRight', 99, all, 99],
    ['ArrowLeft', 0, all, 0],
    ['PageUp', 5, all, 15],
    ['PageDown', 15, all, 5],
    ['PageUp', 95, all, 99],
    ['PageDown', 5, all, 0],
    ['Home', 50, all, 0],
    ['End', 50, all, 99],
    // Without a cursor.
    ['ArrowRight', null, all, 0],
    ['ArrowLeft', null, all, 99],
    ['PageUp', null, all, 9],
    ['PageDown', null, all, 90],
    ['Home', null, all, 0],
    ['End', null, all, 99],
    // After a zoom, with the cursor outside of what is in sight.
    ['ArrowRight', 5, [20, 29], 20],
    ['ArrowLeft', 50, [20, 29], 29],
    ['Home', 50, [20, 29], 20],
    ['End', 5, [20, 29], 29],
    ['PageUp', 20, [20, 23], 21],
    ['ArrowRight', 20, [20, 20], 20],
    // For the page.
    ['ArrowUp', 5, all, undefined],
    ['Tab', 5, all, undefined],
    ['toString', 5, all, undefined],
  ])('%s moves from %j within %j', (key, at, range, expected) => {
    expect(moveCursor(key, at, range)).toBe(expected);
  });
});
