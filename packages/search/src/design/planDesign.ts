import { Random } from '@org/core';
import type { Budget, Dimension, Probe, Step } from '../search.ts';
import { drawLatinHypercube } from './latinHypercube.ts';

/** Settings of a search of several parameters, or without limits. */
export interface DesignSettings extends Budget {
  readonly dimensions: readonly Dimension[];
  /** Number of probes of the initial design. */
  readonly initialPoints: number;
  readonly seed: number;
  readonly direction: Direction;
}

export type Direction = 'maximize' | 'minimize';

/** Number of random points; the next probe is the one farthest from all probes so far. */
const CANDIDATES = 64;

/** Probes per dimension after which the searched neighborhood of the best probe shrinks by half. */
const PROBES_PER_SHRINK = 2;

/**
 * Returns the next step of a search of several parameters. The first probes are a Latin hypercube over the whole range. Each
 * further probe is in a neighborhood of the best probe so far, as far as possible from all other probes; the neighborhood
 * shrinks by half after every two probes per dimension. The step depends only on the probes so far and on the seed. The search
 * does not prove that its best probe is the optimum.
 */
export function planDesign(probes: readonly Probe[], settings: DesignSettings): Step {
  const { maxProbes, initialPoints, dimensions, seed } = settings;
  if (probes.length >= maxProbes) return { kind: 'stop', reason: 'max_iterations' };
  const random = new Random(seed);
  const initial = drawLatinHypercube(Math.min(initialPoints, maxProbes), dimensions.length, random);
  const point = initial[probes.length] ?? refine(probes, settings, random.fork(String(probes.length)));
  return { kind: 'probe', values: toValues(point, dimensions), mayEndEarly: true };
}

function refine(probes: readonly Probe[], settings: DesignSettings, random: Random): number[] {
  const { dimensions, initialPoints, direction } = settings;
  const center = toPoint((findBest(probes, direction) ?? probes[0]!).values, dimensions);
  const shrinks = Math.floor((probes.length - initialPoints) / (PROBES_PER_SHRINK * dimensions.length));
  const half = 0.5 ** (shrinks + 2);
  const known = probes.map(({ values }) => toPoint(values, dimensions));
  const candidates = Array.from({ length: CANDIDATES }, () =>
    center.map(at => random.uniform(Math.max(0, at - half), Math.min(1, at + half))),
  ).map(point => toPoint(toValues(point, dimensions), dimensions));
  const distances = candidates.map(point => Math.min(...known.map(other => getDistance(point, other))));
  return candidates[distances.indexOf(Math.max(...distances))]!;
}

function getDistance(point: readonly number[], other: readonly number[]): number {
  return Math.hypot(...point.map((value, index) => value - other[index]!));
}

/** Converts a point of the unit cube to values. */
function toValues(point: readonly number[], dimensions: readonly Dimension[]): number[] {
  return dimensions.map(({ low, high, isInteger }, index) => {
    const value = low + (high - low) * point[index]!;
    return isInteger ? Math.round(value) : value;
  });
}

function toPoint(values: readonly number[], dimensions: readonly Dimension[]): number[] {
  return dimensions.map(({ low, high }, index) => (values[index]! - low) / (high - low));
}

/**
 * Finds the probe with the best objective, among those within all limits if there are any, otherwise among all. Returns
 * undefined if no probe has an objective.
 */
export function findBest(probes: readonly Probe[], direction: Direction): Probe | undefined {
  const scored = probes.filter(({ objective }) => objective !== undefined);
  const passed = scored.filter(({ verdict }) => verdict === 'passed');
  const sign = direction === 'maximize' ? 1 : -1;
  const [first, ...others] = passed.length > 0 ? passed : scored;
  return (
    first &&
    others.reduce((best, probe) => (sign * (probe.objective! - best.objective!) > 0 ? probe : best), first)
  );
}
