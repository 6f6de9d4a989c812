import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DesignSettings, findBest, type Probe, planDesign } from '../../src/index.ts';

const SETTINGS: DesignSettings = {
  dimensions: [
    { low: 1, high: 64, isInteger: true },
    { low: 0.5, high: 20, isInteger: false },
  ],
  initialPoints: 8,
  maxProbes: 30,
  seed: 1,
  direction: 'maximize',
};

/** Runs a search to its end. */
function search(
  settings: DesignSettings,
  measure: (values: readonly number[]) => Omit<Probe, 'values'>,
): Probe[] {
  const probes: Probe[] = [];
  for (let step = planDesign(probes, settings); step.kind === 'probe'; step = planDesign(probes, settings))
    probes.push({ values: step.values, ...measure(step.values) });
  return probes;
}

const hill = ([x, y]: readonly number[]): number => -(((x! - 40) / 64) ** 2) - ((y! - 5) / 20) ** 2;

test('each slice of each dimension contains one probe of the initial design', () => {
  fc.assert(
    fc.property(fc.nat(), seed => {
      const { dimensions } = SETTINGS;
      const real = dimensions.map(dimension => ({ ...dimension, isInteger: false }));
      const settings = { ...SETTINGS, dimensions: real, seed, maxProbes: 8 };
      const probes = search(settings, () => ({ verdict: 'passed' }));
      real.forEach(({ low, high }, index) => {
        const slices = probes.map(({ values }) => Math.floor((8 * (values[index]! - low)) / (high - low)));
        expect(slices.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      });
    }),
  );
});

test('all probes are within the range, and integers are whole', () => {
  const probes = search(SETTINGS, values => ({ verdict: 'passed', objective: hill(values) }));
  expect(probes).toHaveLength(30);
  for (const { values } of probes) {
    expect(Number.isInteger(values[0])).toBe(true);
    expect(values[0]).toBeGreaterThanOrEqual(1);
    expect(values[0]).toBeLessThanOrEqual(64);
    expect(values[1]).toBeGreaterThanOrEqual(0.5);
    expect(values[1]).toBeLessThanOrEqual(20);
  }
});

test('later probes improve the best probe of the initial design', () => {
  const measure = (values: readonly number[]) => ({ verdict: 'passed' as const, objective: hill(values) });
  const improved = Array.from({ length: 20 }, (_, seed) => {
    const probes = search({ ...SETTINGS, seed }, measure);
    return findBest(probes, 'maximize')!.objective! > findBest(probes.slice(0, 8), 'maximize')!.objective!;
  });
  expect(improved.filter(Boolean).length).toBeGreaterThanOrEqual(18);
});

test('the same seed gives the same probes', () => {
  const run = (seed: number): unknown =>
    search({ ...SETTINGS, seed }, () => ({ verdict: 'passed' })).slice(0, 8);
  expect(run(3)).toEqual(run(3));
  expect(run(3)).not.toEqual(run(4));
});

test.each([
  { direction: 'maximize' as const, best: 2 },
  { direction: 'minimize' as const, best: 1 },
])('the best probe to $direction is within the limits', ({ direction, best }) => {
  const probes: Probe[] = [
    { values: [0], verdict: 'failed', objective: direction === 'maximize' ? 99 : 0 },
    { values: [1], verdict: 'passed', objective: 1 },
    { values: [2], verdict: 'passed', objective: 2 },
  ];
  expect(findBest(probes, direction)!.values[0]).toBe(best);
});

test('without a probe within the limits, the best of all probes is returned', () => {
  expect(findBest([{ values: [7], verdict: 'failed', objective: 3 }], 'maximize')!.values).toEqual([7]);
  expect(findBest([{ values: [7], verdict: 'failed' }], 'maximize')).toBeUndefined();
});
