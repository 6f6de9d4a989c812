import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeCriticalT, computeInterval } from '../../src/aggregate/confidenceInterval.ts';

/** Critical values of Student's t-distribution, computed with scipy.stats.t.ppf((1 + level) / 2, degrees). */
const CRITICAL_VALUES: readonly (readonly [level: number, degrees: number, t: number])[] = [
  [0.95, 1, 12.706204736174694],
  [0.95, 2, 4.302652729749462],
  [0.95, 4, 2.7764451051977934],
  [0.95, 9, 2.262157162798205],
  [0.9, 1, 6.313751514675037],
  [0.9, 4, 2.1318467863266495],
  [0.99, 2, 9.924843200918287],
  [0.99, 9, 3.249835541592126],
  [0.999, 3, 12.923978636687961],
  [0.5, 5, 0.7266868438004226],
];

test.each(CRITICAL_VALUES)(
  'computes the critical value at level %f with %i degrees of freedom',
  (level, degrees, t) => {
    // jStat's incomplete beta function is accurate to seven digits.
    expect(Math.abs(computeCriticalT(level, degrees) / t - 1)).toBeLessThan(1e-7);
  },
);

/** Computed with numpy (mean, std(ddof=1), std / sqrt(n)) and scipy (t). */
const INTERVALS = [
  [
    [120.0, 125.5, 130.25],
    0.95,
    {
      mean: 125.25,
      std: 5.129571132170798,
      se: 2.961559273986144,
      t: 4.302652729749462,
      low: 112.50743890546869,
      high: 137.9925610945313,
      cv: 0.04095465973789061,
    },
  ],
  [
    [1.5, 2.5],
    0.99,
    {
      mean: 2.0,
      std: Math.SQRT1_2,
      se: 0.5,
      t: 63.656741162871526,
      low: -29.828370581435763,
      high: 33.82837058143576,
      cv: 0.3535533905932738,
    },
  ],
  [
    [10, 12, 23, 23, 16, 23, 21, 16],
    0.9,
    {
      mean: 18.0,
      std: 5.237229365663817,
      se: 1.8516401995451026,
      t: 1.8945786050900062,
      low: 14.491922093617259,
      high: 21.50807790638274,
      cv: 0.29095718698132317,
    },
  ],
  [
    [-3, -1, -2.5, -4],
    0.95,
    {
      mean: -2.625,
      std: 1.25,
      se: 0.625,
      t: 3.1824463052837078,
      low: -4.614028940802317,
      high: -0.6359710591976826,
      cv: 0.47619047619047616,
    },
  ],
  [
    [5, 5, 5, 5, 5],
    0.95,
    { mean: 5.0, std: 0.0, se: 0.0, t: 2.7764451051977934, low: 5.0, high: 5.0, cv: 0.0 },
  ],
] as const;

describe('computeInterval', () => {
  test.each(INTERVALS)('computes the interval of %j at level %f', (values, level, expected) => {
    const interval = computeInterval(values, level);
    const expectClose = (key: keyof typeof interval, value: number): void =>
      expect(Math.abs((interval[key] as number) - value)).toBeLessThan(1e-7 * Math.max(1, Math.abs(value)));
    expectClose('mean', expected.mean);
    expectClose('std', expected.std);
    expectClose('se', expected.se);
    expectClose('t_critical', expected.t);
    expectClose('ci_low', expected.low);
    expectClose('ci_high', expected.high);
    expectClose('cv', expected.cv);
    expect([interval.min, interval.max]).toEqual([Math.min(...values), Math.max(...values)]);
  });

  test('returns a null coefficient of variation at mean 0', () => {
    expect(computeInterval([-1, 1], 0.95)).toMatchObject({ mean: 0, cv: null });
    expect(computeInterval([0, 0, 0], 0.95)).toEqual({
      ...{ mean: 0, std: 0, min: 0, max: 0, cv: null, se: 0, ci_low: 0, ci_high: 0 },
      t_critical: computeCriticalT(0.95, 2),
    });
  });

  test('neither overflows nor underflows', () => {
    const huge = computeInterval([1.5e308, 1.7e308], 0.5);
    expect([huge.mean, huge.std].every(Number.isFinite)).toBe(true);
    expect(computeInterval([1e-200, 3e-200], 0.95).std).toBeCloseTo(0, 12);
    expect(computeInterval([1e-200, 3e-200], 0.95).std).toBeGreaterThan(1e-200);
  });

  test.each([
    [() => computeInterval([], 0.95), /0 values/],
    [() => computeInterval([1], 0.95), /1 values; expected at least 2/],
    [() => computeInterval([1, Number.NaN], 0.95), /NaN/],
    [() => computeInterval([1, 2], 1), /level is 1; expected a number between 0 and 1/],
    [() => computeCriticalT(0.95, 0), /degrees of freedom is 0/],
  ])('rejects invalid values (%#)', (call, message) => {
    expect(call).toThrow(message);
  });

  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 10 });

  test('contains the mean, which is between the smallest and largest value', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0.5, max: 0.999, noNaN: true }), (runs, level) => {
        const { mean, min, max, ci_low: low, ci_high: high, std, se } = computeInterval(runs, level);
        expect(min <= mean && mean <= max).toBe(true);
        expect(low <= mean && mean <= high).toBe(true);
        expect(std >= 0 && se <= std).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('is wider at a higher level, and shifts and scales with its values', () => {
    const integers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(
        integers,
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 1, max: 8 }),
        (runs, shift, factor) => {
          const narrow = computeInterval(runs, 0.9);
          const wider = computeInterval(runs, 0.99);
          expect(wider.ci_high - wider.ci_low).toBeGreaterThanOrEqual(narrow.ci_high - narrow.ci_low);
          const scaled = computeInterval(
            runs.map(value => value * factor + shift),
            0.9,
          );
          expect(Math.abs(scaled.mean - (narrow.mean * factor + shift))).toBeLessThan(1e-8);
          expect(Math.abs(scaled.se - narrow.se * factor)).toBeLessThan(1e-8 * (1 + scaled.se));
        },
      ),
      { numRuns: 200 },
    );
  });
});
