import { expect, it } from 'vitest';
import type { Labels } from '../../src/layout/labels.ts';
import { SeriesIndex } from '../../src/layout/seriesIndex.ts';

function series(...labels: [string, string][]): { labels: Labels } {
  return { labels };
}

it.each([3, 8, 9, 200])('finds each of %d series by equal labels', count => {
  const list = new SeriesIndex<{ labels: Labels }>();
  const all = Array.from({ length: count }, (_, i) => series(['engine', `${i}`], ['model', 'm']));
  for (const one of all) {
    expect(list.get(one.labels)).toBeUndefined();
    list.add(one);
  }
  for (const [i, one] of all.entries())
    expect(
      list.get([
        ['engine', `${i}`],
        ['model', 'm'],
      ]),
    ).toBe(one);
  expect(list.get([['engine', '0']])).toBeUndefined();
  expect(
    list.get([
      ['engine', '0'],
      ['model', 'n'],
    ]),
  ).toBeUndefined();
  expect(list.get([])).toBeUndefined();
});

it('distinguishes labels whose concatenated names and values are equal', () => {
  const list = new SeriesIndex<{ labels: Labels }>();
  for (let i = 0; i < 10; i++) list.add(series([`a${i}`, 'bc'], ['d', '']));
  expect(list.get([['a1', 'b'], ['cd', ''] as const])).toBeUndefined();
});
