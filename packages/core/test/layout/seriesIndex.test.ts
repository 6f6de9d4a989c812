import { expect, it } from 'vitest';
import type { Labels } from '../../src/layout/labels.ts';
import { SeriesIndex } from '../../src/layout/seriesIndex.ts';

function createSeries(...labels: [string, string][]): { labels: Labels } {
  return { labels };
}

it.each([3, 8, 9, 200])('finds each of %d series by equal labels', count => {
  const index = new SeriesIndex<{ labels: Labels }>();
  const entries = Array.from({ length: count }, (_, i) => createSeries(['engine', `${i}`], ['model', 'm']));
  for (const entry of entries) {
    expect(index.get(entry.labels)).toBeUndefined();
    index.add(entry);
  }
  for (const [i, entry] of entries.entries())
    expect(
      index.get([
        ['engine', `${i}`],
        ['model', 'm'],
      ]),
    ).toBe(entry);
  expect(index.get([['engine', '0']])).toBeUndefined();
  expect(
    index.get([
      ['engine', '0'],
      ['model', 'n'],
    ]),
  ).toBeUndefined();
  expect(index.get([])).toBeUndefined();
});

it('distinguishes labels whose concatenated names and values are equal', () => {
  const index = new SeriesIndex<{ labels: Labels }>();
  for (let i = 0; i < 10; i++) index.add(createSeries([`a${i}`, 'bc'], ['d', '']));
  expect(index.get([['a1', 'b'], ['cd', ''] as const])).toBeUndefined();
});
