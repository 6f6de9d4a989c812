import { describe, expect, test } from 'vitest';
import { Differences } from '../../src/parity/differences.ts';

/** Returns the lines that `work` adds. */
function collectLines(work: (differences: Differences) => void): string[] {
  const differences = new Differences();
  work(differences);
  return differences.lines;
}

test('prefixes each line with the location', () => {
  const lines = collectLines(differences =>
    differences.at('url').at('series').compareEqual('unit', null, 'seconds'),
  );
  expect(lines).toEqual(['url: series: unit is null, expected seconds']);
});

test.each([
  [1, 1 + 1e-13, undefined, true],
  [1, 1 + 1e-11, undefined, false],
  [1, 1 + 1e-10, 1e-9, true],
  [undefined, 1, undefined, false],
])('accepts %d instead of %d with tolerance %d: %s', (actual, expected, tolerance, isEqual) => {
  expect(
    collectLines(differences => differences.compareNear('sum', actual, expected, tolerance)),
  ).toHaveLength(isEqual ? 0 : 1);
});

describe('compareRecord', () => {
  test('reports missing, additional and different figures', () => {
    const lines = collectLines(differences =>
      differences.compareRecord('stats', { a: 1, b: 2 }, { b: 3, c: 4 }),
    );
    expect(lines).toEqual([
      'stats.a is 1, expected absent',
      'stats.b is 2, expected 3',
      'stats.c is absent, expected 4',
    ]);
  });

  test('ignores the figures that `isSkipped` selects', () => {
    const lines = collectLines(differences =>
      differences.compareRecord('stats', { a: 1 }, { a: 2 }, key => key === 'a'),
    );
    expect(lines).toEqual([]);
  });

  test('applies a larger tolerance to estimates', () => {
    const nearlyOne = 1 + 1e-10;
    expect(
      collectLines(differences =>
        differences.compareRecord('stats', { p50_estimate: nearlyOne }, { p50_estimate: 1 }),
      ),
    ).toEqual([]);
    expect(
      collectLines(differences => differences.compareRecord('stats', { p50: nearlyOne }, { p50: 1 })),
    ).toHaveLength(1);
  });

  test('applies a tolerance relative to the largest figure of the record to standard deviations', () => {
    const expected = { avg: 1e6, std: 1e-5 };
    expect(
      collectLines(differences => differences.compareRecord('stats', { avg: 1e6, std: 0 }, expected)),
    ).toEqual([]);
    expect(
      collectLines(differences => differences.compareRecord('stats', { avg: 1e6, std: 1 }, expected)),
    ).toHaveLength(1);
  });
});

test('reports buckets that are not equal', () => {
  const buckets = [['1', 2]] as const;
  expect(collectLines(differences => differences.compareBuckets('buckets', buckets, [['1', 2]]))).toEqual([]);
  expect(collectLines(differences => differences.compareBuckets('buckets', null, buckets))).toHaveLength(1);
});
