import { Random } from '@org/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateBoundary, type Probe } from '../../src/index.ts';
import { runSearch, SETTINGS } from '../support/runSearch.ts';

const boundaries = fc.double({ min: 2, max: 800, noNaN: true });
const seeds = fc.nat();

function groupByValue(probes: readonly Probe[]): ReadonlyMap<number, readonly Probe[]> {
  const groups = new Map<number, Probe[]>();
  for (const probe of probes) groups.set(probe.values[0]!, [...(groups.get(probe.values[0]!) ?? []), probe]);
  return groups;
}

function createProbe(value: number, margin: number): Probe {
  return { values: [value], verdict: margin <= 0 ? 'passed' : 'failed', margin };
}

test('the first probes double the lowest value until a limit fails', () => {
  const { probes } = runSearch(SETTINGS, value => (value - 20) / 20);
  expect(probes.slice(0, 6).map(({ values }) => values[0])).toEqual([1, 2, 4, 8, 16, 32]);
});

test('data without noise: the bracket contains the boundary and is as narrow as the precision', () => {
  fc.assert(
    fc.property(boundaries, boundary => {
      const { probes, reason } = runSearch(SETTINGS, value => value / boundary - 1);
      const { passed, failed } = estimateBoundary(probes, 0.95);
      expect(reason).toBe('precision_reached');
      expect(passed).toBeLessThanOrEqual(boundary);
      expect(failed).toBeGreaterThan(boundary);
      expect(failed! - passed!).toBeLessThanOrEqual(Math.max(1, 0.05 * failed!));
    }),
  );
});

test('a search takes at most half of the probes of a grid of the same precision, including its repeats', () => {
  const { low, high } = SETTINGS.dimension;
  const steps = Math.ceil(Math.log(high / low) / Math.log(1 + SETTINGS.precision));
  const values = Array.from({ length: steps + 1 }, (_, step) =>
    Math.round(low * (1 + SETTINGS.precision) ** step),
  );
  const gridSize = new Set(values).size;
  fc.assert(
    fc.property(boundaries, boundary => {
      const { probes } = runSearch(SETTINGS, value => value / boundary - 1);
      expect(probes.length).toBeLessThanOrEqual(gridSize / 2);
    }),
  );
});

test('monotonic data with noise: the estimate is close to the boundary', () => {
  fc.assert(
    fc.property(boundaries, seeds, (boundary, seed) => {
      const random = new Random(seed);
      const { probes, reason } = runSearch(SETTINGS, value => value / boundary - 1 + 0.01 * random.normal());
      if (reason === 'non_monotonic') return;
      const { estimate, passed, failed } = estimateBoundary(probes, 0.95);
      expect(reason).toBe('precision_reached');
      expect(Math.abs((estimate ?? (passed! + failed!) / 2) - boundary)).toBeLessThan(
        Math.max(1.5, 0.06 * boundary),
      );
    }),
  );
});

test('the search of an interval of 95% contains the boundary in about 95% of searches', () => {
  let contained = 0;
  let searches = 0;
  for (let seed = 0; seed < 400; seed++) {
    const random = new Random(seed);
    const boundary = random.uniform(20, 900);
    const { probes } = runSearch(SETTINGS, value => value / boundary - 1 + 0.03 * random.normal());
    const { interval } = estimateBoundary(probes, 0.95);
    if (!interval) continue;
    searches++;
    if (interval.low <= boundary && boundary <= interval.high) contained++;
  }
  expect(searches).toBeGreaterThan(250);
  expect(contained / searches).toBeGreaterThan(0.9);
});

test('the interval contains the boundary of a margin that is not linear', () => {
  for (let boundary = 20; boundary < 900; boundary += 7) {
    // Nearly flat below the boundary, and steep above it, as latencies are when a queue begins to grow.
    const { probes } = runSearch(SETTINGS, value =>
      value < boundary ? 0.01 * (value / boundary - 1) : 5 * (value / boundary - 1),
    );
    const { interval } = estimateBoundary(probes, 0.95);
    expect(interval!.low).toBeLessThanOrEqual(boundary);
    expect(interval!.high).toBeGreaterThanOrEqual(boundary);
  }
});

test('a limit that always fails ends the search at the lowest value, after repeats', () => {
  const { probes, reason } = runSearch(SETTINGS, () => 0.5);
  expect(reason).toBe('no_pass_in_range');
  expect(probes.map(({ values }) => values[0])).toEqual([1, 1, 1]);
});

test('a limit that always holds ends the search at the highest value, after repeats', () => {
  const { probes, reason } = runSearch(SETTINGS, () => -0.5);
  expect(reason).toBe('no_failure_in_range');
  expect(probes.slice(-3).map(({ values }) => values[0])).toEqual([1000, 1000, 1000]);
});

test('a low value that fails while higher values pass is reported, not trusted', () => {
  const { probes, reason } = runSearch({ ...SETTINGS, maxProbes: 100 }, value =>
    value > 20 ? value / 500 - 1 : value > 10 ? 0.4 : -0.5,
  );
  // The probes 1, 2, 4 and 8 pass, and 16 fails.
  expect(reason).toBe('precision_reached');
  const withHigherPass = [...probes, { values: [300], verdict: 'passed' as const, margin: -0.4 }];
  const result = estimateBoundary(withHigherPass, 0.95);
  expect(result).toMatchObject({ isMonotonic: false });
  expect(result).not.toHaveProperty('estimate');
});

test('a contradiction is repeated before the search ends', () => {
  let failures = 0;
  const flaky = runSearch({ ...SETTINGS, maxProbes: 100 }, value => {
    if (value === 16 && failures === 0) {
      failures++;
      return 0.02;
    }
    return value / 15.9 - 1 + (value === 16 ? -0.02 : 0);
  });
  expect(flaky.probes.filter(({ values }) => values[0] === 16).length).toBeGreaterThanOrEqual(3);
});

test('values at the distance of the precision are repeated if the interval is too wide', () => {
  const margins = [0.05, -0.08, 0.06, -0.03, 0.02];
  let index = 0;
  const noisy = (value: number): number => value / 200 - 1 + margins[index++ % margins.length]!;
  const { probes, reason } = runSearch(SETTINGS, noisy);
  expect(reason).toBe('precision_reached');
  const { estimate, passed, failed } = estimateBoundary(probes, SETTINGS.level);
  const counts = groupByValue(probes);
  const further = [...counts].filter(
    ([value, { length }]) => length === SETTINGS.replicates && value !== passed && value !== failed,
  );
  expect(further.length).toBeGreaterThan(0);
  for (const [value] of further) expect(Math.abs(value - estimate!)).toBeLessThanOrEqual(0.1 * estimate!);
});

test('without noise, only the values on both sides of the boundary are repeated', () => {
  const { probes } = runSearch(SETTINGS, value => value / 200 - 1);
  const counts = groupByValue(probes);
  expect([...counts.values()].filter(({ length }) => length > 1)).toHaveLength(2);
});

const REPEATS = [-0.02, 0, 0.02];

test.each([
  { name: 'within the noise of repeats', lowerFails: 0.01, higherPasses: -0.005, isMonotonic: true },
  { name: 'beyond the noise of repeats', lowerFails: 0.2, higherPasses: -0.2, isMonotonic: false },
])('a value that fails below one that passes, $name', ({ lowerFails, higherPasses, isMonotonic }) => {
  const repeatAt = (value: number, margin: number) =>
    REPEATS.map(noise => createProbe(value, margin + noise));
  const probes = [
    createProbe(50, -0.4),
    ...repeatAt(100, lowerFails),
    ...repeatAt(102, higherPasses),
    createProbe(200, 0.9),
  ];
  const boundary = estimateBoundary(probes, 0.95);
  expect(boundary).toMatchObject({ isMonotonic, passed: 50, failed: 100 });
  expect('estimate' in boundary).toBe(isMonotonic);
});

test('the fit decides values whose contradiction is noise', () => {
  const repeatAt = (value: number, margin: number) =>
    REPEATS.map(noise => createProbe(value, margin + noise));
  const probes = [
    createProbe(50, -0.4),
    ...repeatAt(100, 0.005),
    ...repeatAt(102, -0.02),
    createProbe(200, 0.9),
  ];
  expect(estimateBoundary(probes, 0.95)).toMatchObject({ isMonotonic: true, passed: 102, failed: 200 });
});

test.each([true, false])(
  'with noise, the estimate is between the values that passed and failed (integer: %s)',
  isInteger => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed);
      const boundary = random.uniform(10, 60);
      const settings = { ...SETTINGS, dimension: { low: 1, high: 200, isInteger }, maxProbes: 30 };
      const { probes } = runSearch(settings, value => 0.3 * (value / boundary - 1) + 0.03 * random.normal());
      const { estimate, passed, failed, isMonotonic } = estimateBoundary(probes, 0.95);
      if (!isMonotonic || estimate === undefined) continue;
      expect(estimate).toBeGreaterThanOrEqual(passed!);
      expect(estimate).toBeLessThanOrEqual(failed!);
    }
  },
);

test('one disturbed probe of three does not move the boundary', () => {
  const probes = (disturbed: number) => [
    ...[-0.05, -0.06, disturbed].map(margin => createProbe(100, margin)),
    ...[0.04, 0.05, 0.06].map(margin => createProbe(104, margin)),
  ];
  const { estimate, passed } = estimateBoundary(probes(1.5), 0.95);
  expect(passed).toBe(100);
  expect(estimate).toBeCloseTo(estimateBoundary(probes(-0.05), 0.95).estimate!, 6);
});

test('a probe that ended early counts as a failure, and is repeated to its end at the boundary', () => {
  const { probes, steps, reason } = runSearch(SETTINGS, (value, { mayEndEarly }) => {
    const margin = value / 100 - 1;
    return mayEndEarly && margin > 0 ? { verdict: 'failed', endedEarly: true } : margin;
  });
  expect(reason).toBe('precision_reached');
  const { passed, failed, estimate } = estimateBoundary(probes, 0.95);
  expect([passed! <= 100, failed! > 100]).toEqual([true, true]);
  expect(estimate).toBeCloseTo(100, 0);
  expect(steps.filter(({ mayEndEarly, values }) => !mayEndEarly && values[0] === failed)).toHaveLength(3);
});

test('rules without a number are searched by their verdicts alone', () => {
  const { probes, reason } = runSearch(SETTINGS, value => ({ verdict: value <= 77 ? 'passed' : 'failed' }));
  const boundary = estimateBoundary(probes, 0.95);
  expect(reason).toBe('precision_reached');
  expect(boundary.passed).toBeLessThanOrEqual(77);
  expect(boundary.failed).toBeGreaterThan(77);
  expect(boundary).not.toHaveProperty('interval');
});

test('a value that is equal to a strict limit fails, although its margin is 0', () => {
  const { probes, reason } = runSearch(SETTINGS, value => ({
    verdict: value < 7 ? 'passed' : 'failed',
    margin: (value - 7) / 7,
  }));
  expect(reason).toBe('precision_reached');
  expect(estimateBoundary(probes, 0.95)).toMatchObject({ passed: 6, failed: 7 });
});

test('a limit that cannot be evaluated ends the search', () => {
  const { probes, reason } = runSearch(SETTINGS, value => ({ verdict: value < 4 ? 'passed' : 'unknown' }));
  expect(reason).toBe('unknown_verdict');
  expect(probes).toHaveLength(3);
});

test('the search ends after the maximum number of probes', () => {
  const { probes, reason } = runSearch({ ...SETTINGS, maxProbes: 4 }, value => value / 500 - 1);
  expect(reason).toBe('max_iterations');
  expect(probes).toHaveLength(4);
});

test('a real parameter from 0 is searched', () => {
  const dimension = { low: 0, high: 40, isInteger: false };
  const { probes } = runSearch({ ...SETTINGS, dimension }, value => value / 7.3 - 1);
  expect(estimateBoundary(probes, 0.95).estimate).toBeCloseTo(7.3, 1);
});
