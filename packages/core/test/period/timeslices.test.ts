import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Layout } from '../../src/layout/layout.ts';
import {
  cutFixedSlices,
  cutIntervalSlices,
  findRowsAtEdges,
  mapSlices,
  type Slice,
  shouldSlicePerInterval,
} from '../../src/period/timeslices.ts';
import { EndpointStore } from '../../src/store/endpointStore.ts';
import { upperBound } from '../../src/store/timeline.ts';
import { appendFrame, createPeriod } from '../support/stores.ts';

describe('cutFixedSlices', () => {
  it.each([
    ['that divide the period', 0, 60, 20, [0, 20, 40, 60], true],
    ['with a remainder', 5, 50, 20, [5, 25, 45, 50], false],
    ['longer than the period', 0, 10, 60, [0, 10], false],
    ['as long as the period', 3, 10, 7, [3, 10], true],
    ['of an empty period', 4, 4, 2, [4], false],
  ])('%s', (_name, startNs, endNs, sliceNs, edges, isLastComplete) => {
    const slices = cutFixedSlices({ startNs, endNs }, sliceNs);
    expect([...slices.edgesNs]).toEqual(edges);
    expect(slices).toMatchObject({ isLastComplete, isPerInterval: false });
  });

  it.each([
    ['a remainder shorter than the minimum', 0, 42, 20, 3, [0, 20, 40], true],
    ['a remainder equal to the minimum', 0, 43, 20, 3, [0, 20, 40, 43], false],
    ['no remainder', 0, 40, 20, 3, [0, 20, 40], true],
    ['a period shorter than a slice', 5, 7, 20, 3, [5, 7], false],
    ['a remainder, and a minimum longer than a slice', 0, 59, 20, 25, [0, 20, 40], true],
  ])('handles %s', (_name, startNs, endNs, sliceNs, minPartialNs, edges, isLastComplete) => {
    const slices = cutFixedSlices({ startNs, endNs }, sliceNs, minPartialNs);
    expect([...slices.edgesNs]).toEqual(edges);
    expect(slices).toMatchObject({ isLastComplete, lastSampleNs: endNs });
  });

  it('covers the period with slices of equal length, except the last', () => {
    const number = fc.integer({ min: 1, max: 10 ** 12 });
    fc.assert(
      fc.property(number, fc.integer({ min: 1, max: 2000 }), number, (startNs, count, sliceNs) => {
        const endNs = startNs + Math.round((count * sliceNs) / 7);
        const slices = mapSlices(cutFixedSlices({ startNs, endNs }, sliceNs), (start, end): Slice => {
          return { startNs: start, endNs: end };
        });
        let at = startNs;
        for (const slice of slices) {
          expect(slice.startNs).toBe(at);
          expect(slice.endNs - slice.startNs === sliceNs).toBe(slice.is_complete !== false);
          at = slice.endNs;
        }
        expect(at).toBe(endNs);
        expect(slices.slice(0, -1).every(slice => slice.is_complete === undefined)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('cutIntervalSlices', () => {
  it('starts at the start of the period and ends a slice at each distinct sample time', () => {
    const { edgesNs, isLastComplete } = cutIntervalSlices(
      { startNs: 10, endNs: 40 },
      Float64Array.of(5, 10, 15, 15, 30, 41),
    );
    expect([...edgesNs]).toEqual([10, 15, 30]);
    expect(isLastComplete).toBe(true);
  });
});

describe('shouldSlicePerInterval', () => {
  /**
   * Scrape times, times of changed responses and slice duration, in seconds; whether slices become sample
   * intervals.
   */
  const ENDPOINTS: readonly (readonly [string, readonly number[], readonly number[], number, boolean])[] = [
    ['replaces slices shorter than the update interval', [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 0.999, true],
    ['keeps slices as long as the update interval', [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 1, false],
    ['replaces slices shorter than the interval of rare updates', [0, 1, 2, 3, 4, 5, 6], [0, 3, 6], 2, true],
    ['keeps slices longer than the interval of rare updates', [0, 1, 2, 3, 4, 5, 6], [0, 3, 6], 3.5, false],
    [
      'replaces slices shorter than the scrape interval if responses never change',
      [0, 1, 2, 3, 4],
      [0],
      0.5,
      true,
    ],
    [
      'keeps slices longer than the scrape interval if responses never change',
      [0, 1, 2, 3, 4],
      [0],
      2,
      false,
    ],
    ['keeps slices if the update interval is unknown after two scrapes', [0, 1], [0, 1], 0.5, false],
    ['replaces slices if there would be too many', [0, 1], [0, 1], 1e-9, true],
  ];

  it.each(ENDPOINTS)('%s', (_name, scrapes, changes, slice, expected) => {
    const store = new EndpointStore(new Layout());
    for (const at of scrapes) appendFrame(store, at, [], changes.includes(at));
    expect(shouldSlicePerInterval(store, createPeriod(0, 10), slice * 1e9)).toBe(expected);
  });
});

describe('findRowsAtEdges', () => {
  const times = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 });

  it('returns the last row at or before each edge, and row 0 before the first sample', () => {
    fc.assert(
      fc.property(times, times, (edges, samples) => {
        const [edgesNs, timesNs] = [Float64Array.from(edges).sort(), Float64Array.from(samples).sort()];
        const lastSampleNs = edgesNs.at(-1)!;
        const rows = findRowsAtEdges(
          { edgesNs, isLastComplete: true, lastSampleNs, isPerInterval: false },
          timesNs,
        );
        expect([...rows]).toEqual(Array.from(edgesNs, edge => Math.max(0, upperBound(timesNs, edge) - 1)));
      }),
    );
  });

  it('includes samples after the last edge that belong to the last slice', () => {
    const slices = cutFixedSlices({ startNs: 0, endNs: 21 }, 10, 5);
    expect([...findRowsAtEdges(slices, Float64Array.of(0, 9, 19, 21, 22))]).toEqual([0, 1, 3]);
  });
});
