import { expect, test } from 'vitest';
import { renderSparkline } from '../src/sparkline.ts';

test.each<[readonly (number | null)[], number, string]>([
  [[], 10, ''],
  [[1], 10, ''],
  [[1, 2], 0, ''],
  [[0, 0, 0], 10, '▁▁▁'],
  [[5, 5], 10, '██'],
  [[0, 10], 10, '▁█'],
  [[-1, -1], 10, '▁▁'],
  [[0, 0, 8, 8], 2, '▁█'],
  [[null, null, 0, 8, null, 8], 10, '  ▁█ █'],
  [[null, null, null, 4, 8, 8], 3, ' ▄█'],
  [[null, null], 10, ''],
])('draws %j in %d columns', (values, width, line) => {
  expect(renderSparkline(values, width)).toBe(line);
});

test('draws at most `width` characters', () => {
  expect([
    ...renderSparkline(
      Array.from({ length: 1000 }, (_, i) => i),
      24,
    ),
  ]).toHaveLength(24);
});
