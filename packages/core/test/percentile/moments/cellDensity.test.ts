import { describe, expect, it } from 'vitest';
import { blendKnownValues } from '../../../src/percentile/moments/cellDensity.ts';

const edges = Float64Array.of(0, 1, 2, 4);
const smooth = Float64Array.of(0.5, 0.25, 0.25);

function createKnownValues(...occurrences: [value: number, times: number][]) {
  return {
    value: Float64Array.from(occurrences, ([value]) => value),
    times: Float64Array.from(occurrences, ([, n]) => n),
  };
}

describe('blendKnownValues', () => {
  it('returns the smooth density without known values', () => {
    const { lower, upper, mass, cells } = blendKnownValues(edges, smooth, 0, createKnownValues(), 0);
    expect([...lower]).toEqual([0, 1, 2]);
    expect([...upper]).toEqual([1, 2, 4]);
    expect([...mass]).toEqual([...smooth]);
    expect(cells).toBe(3);
  });

  it('adds rare values to cells and turns frequent values into points', () => {
    const { lower, mass } = blendKnownValues(edges, smooth, 0, createKnownValues([1.5, 1], [3, 15]), 0);
    expect([...lower]).toEqual([0, 1, 2, 3]);
    // The smooth density counts as 4 observations; 16 observations are known.
    expect([...mass]).toEqual([2 / 20, 2 / 20, 1 / 20, 15 / 20]);
  });

  it('merges inferred and known zeros into one point', () => {
    const { lower, mass } = blendKnownValues(edges, smooth, 0.5, createKnownValues([1e-13, 4]), 1e-12);
    expect([...lower]).toEqual([0, 1, 2, 0]);
    expect([...mass]).toEqual([1 / 8, 0.5 / 8, 0.5 / 8, 6 / 8]);
  });
});
