import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cutFixedSlices, cutIntervalSlices } from '../../src/period/timeslices.ts';
import {
  computeGaugeSlices,
  computeGaugeStatistics,
  type GaugeStatistics,
} from '../../src/statistics/gauge.ts';

interface Golden {
  readonly name: string;
  readonly values: readonly number[];
  readonly expected: GaugeStatistics;
}

/** NumPy's percentiles, and exactly computed means and standard deviations; created by files/golden.py. */
const GOLDEN = JSON.parse(readFileSync(new URL('files/golden.json', import.meta.url), 'utf8')) as Golden[];

describe('computeGaugeStatistics', () => {
  it.each(GOLDEN.map(golden => [golden.name, golden] as const))(
    'matches the reference values: %s',
    (_name, golden) => {
      const computed = computeGaugeStatistics(Float64Array.from(golden.values));
      expect(Object.keys(computed)).toEqual(Object.keys(golden.expected));
      for (const [key, expected] of Object.entries(golden.expected)) {
        const tolerance = Math.abs(expected) * (key === 'std' ? 1e-13 : 4e-16);
        expect(Math.abs(computed[key as keyof GaugeStatistics] - expected), key).toBeLessThanOrEqual(
          tolerance,
        );
      }
    },
  );

  it.each([0, 0.1, -7, 1e300, 5e-324])(
    'returns %d in every field except std, which is 0, for a constant',
    value => {
      const { std, ...others } = computeGaugeStatistics(new Float64Array(333).fill(value));
      expect(std).toBe(0);
      for (const statistic of Object.values(others)) expect(statistic).toBe(value);
    },
  );

  it('accepts unsorted values and does not modify them', () => {
    const values = Float64Array.of(3, 1, 2);
    expect(computeGaugeStatistics(values)).toMatchObject({ min: 1, p50: 2, max: 3 });
    expect([...values]).toEqual([3, 1, 2]);
  });

  it('handles a million samples', () => {
    const values = Float64Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) % 1_000_000);
    const { avg, p50, std } = computeGaugeStatistics(values);
    expect([avg, p50]).toEqual([499_999.5, 499_999.5]);
    expect(std).toBeCloseTo(Math.sqrt((1e6 * (1e6 + 1)) / 12), 6);
  });
});

describe('computeGaugeSlices', () => {
  const samples = {
    timesNs: Float64Array.of(0, 5, 10, 15, 30, 39),
    values: Float64Array.of(1, 3, 5, 7, 9, 11),
  };
  const createSlice = (startNs: number, endNs: number, avg: number, min: number, max: number): object => ({
    startNs,
    endNs,
    avg,
    min,
    max,
  });

  it('includes a sample at the start of a slice, excludes a sample at its end, and omits empty slices', () => {
    expect(computeGaugeSlices(samples, cutFixedSlices({ startNs: 0, endNs: 40 }, 10))).toEqual([
      createSlice(0, 10, 2, 1, 3),
      createSlice(10, 20, 6, 5, 7),
      createSlice(30, 40, 10, 9, 11),
    ]);
  });

  it('includes a sample at the end of the period', () => {
    expect(computeGaugeSlices(samples, cutFixedSlices({ startNs: 0, endNs: 30 }, 15)).at(-1)).toEqual(
      createSlice(15, 30, 8, 7, 9),
    );
  });

  it('marks the last slice as incomplete if the period ends before the slice does', () => {
    expect(computeGaugeSlices(samples, cutFixedSlices({ startNs: 30, endNs: 39 }, 10))).toEqual([
      { ...createSlice(30, 39, 10, 9, 11), is_complete: false },
    ]);
  });

  it('assigns a sample to the slice it ends if slices are sample intervals', () => {
    const slices = cutIntervalSlices({ startNs: -5, endNs: 40 }, samples.timesNs);
    expect(computeGaugeSlices(samples, slices)).toEqual([
      createSlice(-5, 0, 1, 1, 1),
      createSlice(0, 5, 3, 3, 3),
      createSlice(5, 10, 5, 5, 5),
      createSlice(10, 15, 7, 7, 7),
      createSlice(15, 30, 9, 9, 9),
      createSlice(30, 39, 11, 11, 11),
    ]);
  });

  it('includes a sample at the start of the period if slices are sample intervals', () => {
    const slices = cutIntervalSlices({ startNs: 5, endNs: 10 }, Float64Array.of(5, 10));
    expect(computeGaugeSlices(samples, slices)).toEqual([createSlice(5, 10, 4, 3, 5)]);
  });
});
