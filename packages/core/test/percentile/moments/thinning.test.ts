import { describe, expect, it } from 'vitest';
import type { Density } from '../../../src/percentile/moments/cellDensity.ts';
import { findExactValues } from '../../../src/percentile/moments/exactValues.ts';
import { fitModel } from '../../../src/percentile/moments/model.ts';
import { estimatePrior } from '../../../src/percentile/moments/prior.ts';
import { scaleToAll, thinIntervals } from '../../../src/percentile/moments/thinning.ts';
import { createWindowSample } from '../support/samples.ts';
import { createScrapedWindow } from '../support/scrapes.ts';
import { type Family, simulate } from '../support/simulation.ts';

const MAX_ROWS = 512;
const LES = ['1', '2', '4', '+Inf'];

/**
 * Creates intervals of two observations with distinct sums; intervals in `slow` have a third observation above
 * all bounds.
 */
function createIntervalSample(rows: number, slow: readonly number[] = []) {
  const intervals = Array.from({ length: rows }, (_, row) => [0.1 + row / rows / 2, 1.2 + row / rows / 2]);
  for (const row of slow) intervals[row]!.push(9);
  return createWindowSample(createScrapedWindow(LES, intervals));
}

describe('thinIntervals', () => {
  it.each([1, 100, MAX_ROWS])('returns a sample of %i intervals unchanged', rows => {
    const sample = createIntervalSample(rows);
    const thinned = thinIntervals(sample);
    expect(thinned.sample).toBe(sample);
    expect([...thinned.rows]).toEqual([...sample.sum.keys()]);
  });

  it('keeps evenly spaced blocks of adjacent intervals', () => {
    const { rows } = thinIntervals(createIntervalSample(4096));
    expect(rows).toHaveLength(MAX_ROWS);
    expect([...rows.subarray(0, 33)]).toEqual([
      ...Array.from({ length: 16 }, (_, at) => at),
      ...Array.from({ length: 16 }, (_, at) => 128 + at),
      256,
    ]);
  });

  it('keeps complete intervals, and the totals of all intervals', () => {
    const sample = createIntervalSample(2000, [40]);
    const thinned = thinIntervals(sample);
    expect(thinned.sample.rows).toBe(thinned.rows.length);
    for (const [at, row] of thinned.rows.entries()) {
      const listEntries = (source: typeof sample, index: number) =>
        [source.active, source.count].map(column => [
          ...column.subarray(source.start[index], source.start[index + 1]),
        ]);
      expect(listEntries(thinned.sample, at)).toEqual(listEntries(sample, row));
      expect(thinned.sample.sum[at]).toBe(sample.sum[row]);
      expect(thinned.sample.size[at]).toBe(sample.size[row]);
    }
    expect(thinned.sample.total).toEqual(sample.total);
    expect(thinned.sample.observations).toBe(sample.observations);
  });
});

describe('a model of a thinned sample', () => {
  it('estimates nearly the same correlation as a model of all intervals', () => {
    let value = 0;
    let copies = 0;
    const batches: Family = random => {
      if (copies === 0) [value, copies] = [0.3 + 3 * random() ** 2, 6];
      copies -= 1;
      return value;
    };
    const sample = createWindowSample(simulate(batches, ['0.5', '1', '2', '4', '+Inf'], 8192, 6, 5).window);
    const complete = fitModel(sample, estimatePrior(sample));
    const thinned = fitModel(thinIntervals(sample).sample, estimatePrior(sample));
    expect(complete.correlation).toBeGreaterThan(0.2);
    expect(Math.abs(thinned.correlation - complete.correlation)).toBeLessThan(0.1);
  });
});

describe('scaleToAll', () => {
  const density: Density = {
    lower: Float64Array.of(0, 1),
    upper: Float64Array.of(1, 2),
    mass: Float64Array.of(0.25, 0.75),
    cells: 2,
  };

  it('scales each bucket to its total without the exactly known values', () => {
    const sample = createIntervalSample(2000, [5, 6]);
    const { known } = findExactValues(sample);
    const placed = sample.bucket.map(() => Float64Array.of(1, 3));
    scaleToAll(placed, { ...sample, total: Float64Array.of(2000, 2000, 2) }, known, [
      density,
      density,
      density,
    ]);
    expect(placed.map(cells => [...cells])).toEqual([
      [500, 1500],
      [500, 1500],
      [0.5, 1.5],
    ]);
  });

  it('uses the density for a bucket without placed observations, and excludes known observations', () => {
    const sample = createWindowSample(createScrapedWindow(LES, [[0.5], [0.25], [0.4, 0.6, 1.5, 1.6]]));
    const placed = [new Float64Array(2), new Float64Array(2)];
    scaleToAll(placed, sample, findExactValues(sample).known, [density, density]);
    expect(placed.map(cells => [...cells])).toEqual([
      [0.5, 1.5],
      [0.5, 1.5],
    ]);
  });
});
