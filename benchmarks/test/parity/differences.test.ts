import { describe, expect, test } from 'vitest';
import { Differences } from '../../src/parity/differences.ts';

function compare(work: (differences: Differences) => void): string[] {
  const differences = new Differences();
  work(differences);
  return differences.lines;
}

test('adds the place to each line', () => {
  const lines = compare(differences =>
    differences.at('url').at('series').compareEqual('unit', null, 'seconds'),
  );
  expect(lines).toEqual(['url: series: unit is null, expected seconds']);
});

test.each([
  [1, 1 + 1e-13, undefined, true],
  [1, 1 + 1e-11, undefined, false],
  [1, 1 + 1e-10, 1e-9, true],
  [undefined, 1, undefined, false],
])('near(%d, %d, %d) is equal: %s', (ours, expected, tolerance, isEqual) => {
  expect(compare(differences => differences.compareNear('sum', ours, expected, tolerance))).toHaveLength(
    isEqual ? 0 : 1,
  );
});

describe('record', () => {
  test('reports missing, additional and different figures', () => {
    const lines = compare(differences => differences.compareRecord('stats', { a: 1, b: 2 }, { b: 3, c: 4 }));
    expect(lines).toEqual([
      'stats.a is 1, expected absent',
      'stats.b is 2, expected 3',
      'stats.c is absent, expected 4',
    ]);
  });

  test('skips figures', () => {
    const lines = compare(differences =>
      differences.compareRecord('stats', { a: 1 }, { a: 2 }, key => key === 'a'),
    );
    expect(lines).toEqual([]);
  });

  test('estimates have a larger tolerance', () => {
    const difference = 1 + 1e-10;
    expect(
      compare(differences =>
        differences.compareRecord('stats', { p50_estimate: difference }, { p50_estimate: 1 }),
      ),
    ).toEqual([]);
    expect(
      compare(differences => differences.compareRecord('stats', { p50: difference }, { p50: 1 })),
    ).toHaveLength(1);
  });

  test('the tolerance of a standard deviation is relative to the figures', () => {
    const expected = { avg: 1e6, std: 1e-5 };
    expect(
      compare(differences => differences.compareRecord('stats', { avg: 1e6, std: 0 }, expected)),
    ).toEqual([]);
    expect(
      compare(differences => differences.compareRecord('stats', { avg: 1e6, std: 1 }, expected)),
    ).toHaveLength(1);
  });
});

test('compares buckets including their order', () => {
  const buckets = [['1', 2]] as const;
  expect(compare(differences => differences.compareBuckets('buckets', buckets, [['1', 2]]))).toEqual([]);
  expect(compare(differences => differences.compareBuckets('buckets', null, buckets))).toHaveLength(1);
});
