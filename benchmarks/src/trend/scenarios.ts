import { createRandom } from '../measure/random.ts';

/** A kind of series. The benchmark creates many of each kind. */
export interface Scenario {
  readonly name: string;
  /** The true positions of changes of the mean. */
  readonly changes: readonly number[];
  /** True if the mean changes without a position. */
  readonly isDrift?: true;
  readonly create: (noise: Noise) => number[];
}

/** Draws random numbers for a series. */
export interface Noise {
  /** Draws a number with the standard normal distribution. */
  readonly normal: () => number;
  /** Draws a number from 0 to 1. */
  readonly uniform: () => number;
}

/** The standard deviation of a series without a change, relative to its mean. */
const DEVIATION = 0.02;

/** Creates a noise source from a seed (Box and Muller, 1958). */
export function createNoise(seed: number): Noise {
  const uniform = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** Creates a series from the mean at each position. */
function createSeries(length: number, level: (at: number) => number, { normal }: Noise): number[] {
  return Array.from({ length }, (_, at) => level(at) * (1 + DEVIATION * normal()));
}

/** Series without a change of the mean, which a change point in would be a false alarm. */
export function listStableScenarios(length: number): Scenario[] {
  const changes: readonly number[] = [];
  const half = Math.floor(length / 2);
  return [
    { name: 'no change', changes, create: noise => createSeries(length, () => 1, noise) },
    {
      name: 'outliers (5% of values, up to 50% higher)',
      changes,
      create: noise =>
        createSeries(length, () => 1, noise).map(value =>
          noise.uniform() < 0.05 ? value * (1 + 0.5 * noise.uniform()) : value,
        ),
    },
    {
      name: 'skewed noise (lognormal)',
      changes,
      create: ({ normal }) => Array.from({ length }, () => Math.exp(0.1 * normal())),
    },
    {
      name: 'spread x3 in the second half',
      changes,
      create: ({ normal }) =>
        Array.from({ length }, (_, at) => 1 + DEVIATION * (at < half ? 1 : 3) * normal()),
    },
    {
      name: 'missing values (20%)',
      changes,
      create: noise => createSeries(length, () => 1, noise).filter(() => noise.uniform() >= 0.2),
    },
    {
      name: 'autocorrelated noise (AR(1), 0.3)',
      changes,
      create: ({ normal }) => {
        let state = normal();
        return Array.from({ length }, () => {
          state = 0.3 * state + Math.sqrt(1 - 0.09) * normal();
          return 1 + DEVIATION * state;
        });
      },
    },
  ];
}

/** Series with changes. `percent` is the change of the mean. */
export function listChangedScenarios(length: number): Scenario[] {
  const half = Math.floor(length / 2);
  const [third, twoThirds] = [Math.floor(length / 3), Math.floor((2 * length) / 3)];
  const steps = [2, 5, 10].map(
    (percent): Scenario => ({
      name: `step of ${percent}% in the middle`,
      changes: [half],
      create: noise => createSeries(length, at => (at < half ? 1 : 1 + percent / 100), noise),
    }),
  );
  const late = length - 6;
  return [
    ...steps,
    {
      name: 'step of 5% before the last 6 runs',
      changes: [late],
      create: noise => createSeries(length, at => (at < late ? 1 : 1.05), noise),
    },
    {
      name: 'step of 5% up and down again',
      changes: [third, twoThirds],
      create: noise => createSeries(length, at => (at >= third && at < twoThirds ? 1.05 : 1), noise),
    },
    {
      name: 'step of 5%, outliers (5% of values)',
      changes: [half],
      create: noise =>
        createSeries(length, at => (at < half ? 1 : 1.05), noise).map(value =>
          noise.uniform() < 0.05 ? value * (1 + 0.5 * noise.uniform()) : value,
        ),
    },
    {
      name: 'drift of 20% over all runs',
      changes: [],
      isDrift: true,
      create: noise => createSeries(length, at => 1 + (0.2 * at) / (length - 1), noise),
    },
  ];
}
