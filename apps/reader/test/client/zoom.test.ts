import { beforeEach, describe, expect, test } from 'vitest';
import { Zoom } from '../../client/zoom.ts';

let zoom: Zoom;
beforeEach(() => {
  zoom = new Zoom(0, 100);
});

test.each<[string, () => void, [number, number]]>([
  ['zooming in', () => zoom.scaleBy(0.5), [25, 75]],
  ['zooming out beyond the axis', () => zoom.scaleBy(2), [0, 100]],
  ['selecting a range', () => zoom.set(10, 30), [10, 30]],
  ['selecting a range across the start', () => zoom.set(-10, 30), [0, 40]],
  ['selecting a range across the end', () => zoom.set(90, 110), [80, 100]],
  ['selecting a single time', () => zoom.set(50, 50), [50, 50.1]],
])('%s shows the expected range', (_, action, expected) => {
  action();
  expect(zoom.range[0]).toBeCloseTo(expected[0], 9);
  expect(zoom.range[1]).toBeCloseTo(expected[1], 9);
});

describe('moving', () => {
  test.each<[number, [number, number]]>([
    [0.5, [50, 70]],
    [-0.5, [30, 50]],
    [5, [80, 100]],
    [-5, [0, 20]],
  ])('by %d lengths of the range', (fraction, expected) => {
    zoom.set(40, 60);
    zoom.moveBy(fraction);
    expect(zoom.range).toEqual(expected);
  });
});

test('a change or reset updates all listeners', () => {
  const updates: unknown[] = [];
  for (const name of ['a', 'b']) zoom.onChange(() => updates.push([name, ...zoom.range]));
  zoom.set(20, 40);
  zoom.reset();
  expect(updates).toEqual([
    ['a', 20, 40],
    ['b', 20, 40],
    ['a', 0, 100],
    ['b', 0, 100],
  ]);
});
