import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawLayer } from '../../src/svg/layers.ts';
import { type Point, splitRuns, writeMarks, writePath } from '../../src/svg/path.ts';
import { createLinearScale } from '../../src/svg/scale.ts';
import { listNumbers } from '../support/drawings.ts';

const point = fc.tuple(
  fc.double({ min: 0, max: 2000, noNaN: true }),
  fc.double({ min: 0, max: 400, noNaN: true }),
);

/** Returns the points of relative path data. */
function readPoints(path: string): Point[] {
  const numbers = listNumbers(path.replaceAll('h0', ''));
  let [x, y] = [0, 0];
  return Array.from({ length: numbers.length / 2 }, (_, i) => {
    x += numbers[2 * i]!;
    y += numbers[2 * i + 1]!;
    return [x, y];
  });
}

test('relative marks are where their points are, within a tenth of a pixel, however many there are', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 200 }), points => {
      const written = readPoints(writeMarks(points, 'h0'));
      const sorted = points
        .map(([x, y]): Point => [Math.round(x * 10) / 10, Math.round(y * 10) / 10])
        .sort(([a], [b]) => a - b);
      expect(written).toHaveLength(points.length);
      for (const [i, [x, y]] of sorted.entries()) {
        expect(written[i]![0]).toBeCloseTo(x, 6);
        expect(written[i]![1]).toBeCloseTo(y, 6);
      }
    }),
  );
});

test.each<[Point[], string]>([
  [[], ''],
  [[[1, 2]], 'M1 2h0'],
  [
    [
      [0, 5],
      [10, 5],
      [20, 5],
      [30, 4.5],
    ],
    'M0 5h20l10-.5',
  ],
  [
    [
      [0, 5],
      [2, 5],
      [2, 9],
      [4, 8],
      [3, 7],
      [5, 8.5],
    ],
    'M0 5h2v4l2-1-1-1 2 1.5',
  ],
])('the line through %j is "%s", without points on a horizontal line', (points, expected) => {
  expect(writePath(points)).toBe(expected);
});

test('unknown values interrupt a line', () => {
  expect(splitRuns([null, 1, 2, null, null, 3])).toEqual([[1, 2], [3]]);
});

test('crosses are around their points, however many there are', () => {
  const points = Array.from({ length: 50 }, (_, i) => [i, (i * 7) % 10, i] as const);
  const scales = { x: createLinearScale([0, 50], [0, 500]), y: createLinearScale([0, 10], [100, 0]) };
  const drawn = drawLayer(
    { form: 'crosses', name: 'failed', color: 'failed', points },
    { from: 0, step: 1 },
    scales,
  );
  const [, path] = /d="([^"]*)"/.exec(drawn)!;
  const ends = readPoints(path!.replaceAll(/[lm]/g, ' '));
  // Six points belong to a cross: its center, both ends of its two lines, and its center again.
  const centers = points.map((_, i) => [ends[6 * i]!, ends[6 * i + 5]!]);
  expect(centers).toEqual(
    points.map(([x, y]) => {
      const center = [10 * x, 100 - 10 * y];
      return [center, center];
    }),
  );
});
