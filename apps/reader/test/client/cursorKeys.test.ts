import { describe, expect, test } from 'vitest';
import { moveCursor, type PointRange } from '../../client/cursorKeys.ts';

describe('moveCursor', () => {
  const FULL_RANGE: PointRange = [0, 99];
  test.each<[string, number | null, PointRange, number | undefined]>([
    ['ArrowRight', 5, FULL_RANGE, 6],
    ['ArrowLeft', 5, FULL_RANGE, 4],
    ['ArrowRight', 99, FULL_RANGE, 99],
    ['ArrowLeft', 0, FULL_RANGE, 0],
    ['PageUp', 5, FULL_RANGE, 15],
    ['PageDown', 15, FULL_RANGE, 5],
    ['PageUp', 95, FULL_RANGE, 99],
    ['PageDown', 5, FULL_RANGE, 0],
    ['Home', 50, FULL_RANGE, 0],
    ['End', 50, FULL_RANGE, 99],
    // Without a cursor.
    ['ArrowRight', null, FULL_RANGE, 0],
    ['ArrowLeft', null, FULL_RANGE, 99],
    ['PageUp', null, FULL_RANGE, 9],
    ['PageDown', null, FULL_RANGE, 90],
    ['Home', null, FULL_RANGE, 0],
    ['End', null, FULL_RANGE, 99],
    // With the cursor outside the visible range, after a zoom.
    ['ArrowRight', 5, [20, 29], 20],
    ['ArrowLeft', 50, [20, 29], 29],
    ['Home', 50, [20, 29], 20],
    ['End', 5, [20, 29], 29],
    ['PageUp', 20, [20, 23], 21],
    ['ArrowRight', 20, [20, 20], 20],
    // Keys that are left to the page.
    ['ArrowUp', 5, FULL_RANGE, undefined],
    ['Tab', 5, FULL_RANGE, undefined],
    ['toString', 5, FULL_RANGE, undefined],
  ])('%s moves from %j within %j', (key, position, range, expected) => {
    expect(moveCursor(key, position, range)).toBe(expected);
  });
});
