import { describe, expect, it } from 'vitest';
import { findExactValues } from '../../../src/percentile/moments/exactValues.ts';
import { createWindowSample } from '../support/samples.ts';
import { createScrapedWindow } from '../support/scrapes.ts';

const les = ['0', '1', '2', '+Inf'];

describe('findExactValues', () => {
  it.each<[string, number[][], number[], number[][]]>([
    ['single observations', [[0.5], [1.5], [7]], [1, 1, 1], [[0.5], [1.5], [7]]],
    ['all observations if only one is outside a bucket without width', [[0, 0, 0.25]], [1], [[0], [0.25]]],
    ['all observations if all are on upper edges', [[1, 1, 2]], [1], [[1], [2]]],
    ['nothing for two observations in different buckets', [[0.4, 1.6], [0.3]], [0, 1], [[0.3], []]],
    ['nothing for two observations in one bucket', [[0.4, 0.6]], [0], [[]]],
  ])('finds %s', (_, intervals, rows, values) => {
    const exact = findExactValues(createWindowSample(createScrapedWindow(les, intervals)));
    expect([...exact.rows]).toEqual(rows);
    expect(exact.known.map(known => [...known.value].map(value => Number(value.toFixed(9))))).toEqual(values);
  });

  it('merges equal values', () => {
    const exact = findExactValues(
      createWindowSample(createScrapedWindow(les, [[0.5], [0.25], [0.5], [0.5], [2, 2]])),
    );
    expect([...exact.known[0]!.times]).toEqual([1, 3]);
    expect([...exact.known[1]!.times]).toEqual([2]);
  });
});
