import { describe, expect, it } from 'vitest';
import { estimateIntervalCorrelation } from '../../../src/percentile/moments/intervalCorrelation.ts';
import { createWindowSample } from '../support/samples.ts';
import { createScrapedWindow } from '../support/scrapes.ts';
import { FAMILIES, simulate } from '../support/simulation.ts';

const LES = ['1', '2', '+Inf'];

describe('estimateIntervalCorrelation', () => {
  it('is high if all observations of an interval are in one bucket', () => {
    const intervals = Array.from({ length: 60 }, (_, at) =>
      new Array<number>(5).fill(at % 2 === 0 ? 0.5 : 1.5),
    );
    expect(
      estimateIntervalCorrelation(createWindowSample(createScrapedWindow(LES, intervals))),
    ).toBeGreaterThan(0.9);
  });

  it('is near 0 for independent observations', () => {
    const sample = createWindowSample(simulate(FAMILIES.exponential!, LES, 200, 8, 3).window);
    expect(estimateIntervalCorrelation(sample)).toBeLessThan(0.05);
  });

  it.each<[string, number[][]]>([
    [
      'a single bucket',
      [
        [0.1, 0.2],
        [0.3, 0.4],
        [0.5, 0.6],
      ],
    ],
    ['intervals with one observation', [[0.5], [1.5], [0.5], [1.5]]],
    ['a single interval', [[0.5, 0.5, 1.5]]],
  ])('is 0 for %s', (_, intervals) => {
    expect(estimateIntervalCorrelation(createWindowSample(createScrapedWindow(LES, intervals)))).toBe(0);
  });
});
