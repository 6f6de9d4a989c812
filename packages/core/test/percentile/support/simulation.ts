import type { HistogramWindow } from '../../../src/percentile/estimator.ts';
import { createScrapedWindow } from './scrapes.ts';

/** Creates a seeded random number generator (mulberry32) that returns uniformly distributed numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Draws one observation. `time` is the position in the run, from 0 (start) to 1 (end). */
export type Family = (random: () => number, time: number) => number;

/** Distributions with values around 1, not used in the shared test data. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  weibull: random => (-Math.log(1 - random())) ** (1 / 1.6),
  exponential: random => -Math.log(1 - random()),
  rayleigh: random => 0.8 * Math.sqrt(-2 * Math.log(1 - random())),
  loglogistic: random => (1 / random() - 1) ** 0.35,
  triangle: random => random() + random(),
  trimodal: random => [0.2, 1, 4][Math.floor(3 * random())]! * Math.exp(0.12 * drawNormal(random)),
  zeros: random => (random() < 0.4 ? 0 : Math.exp(0.4 * drawNormal(random))),
  timeout: random => Math.min(Math.exp(0.7 * drawNormal(random)), 2.5),
  step: (random, time) => (time < 0.6 ? 1 : 2.3) * Math.exp(0.15 * drawNormal(random)),
  growing: (random, time) => (0.2 + 2 * time) * Math.exp(0.1 * drawNormal(random)),
  grid: random => 0.25 * Math.ceil(4 * Math.exp(0.5 * drawNormal(random))),
};

export interface SimulatedRun {
  readonly window: HistogramWindow;
  readonly values: number[];
}

/** Simulates a run of `scrapes` intervals with a mean of `perScrape` observations. */
export function simulate(
  family: Family,
  les: readonly string[],
  scrapes: number,
  perScrape: number,
  seed: number,
): SimulatedRun {
  const random = createRandom(seed);
  const intervals = Array.from({ length: scrapes }, (_, index) => {
    // Exponential gaps give a Poisson-distributed number of observations.
    const observations: number[] = [];
    let remainingTime = 1;
    while (remainingTime > 0) {
      remainingTime += Math.log(1 - random()) / perScrape;
      if (remainingTime > 0) observations.push(family(random, index / scrapes));
    }
    return observations;
  });
  return { window: createScrapedWindow(les, intervals), values: intervals.flat() };
}
