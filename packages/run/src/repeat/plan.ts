import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Repetition } from './repetition.ts';
import type { Variation, Variations } from './variations.ts';

/** One run that is to be made. */
export interface PlannedRun {
  readonly variation: Variation;
  /** From 0, within its variation. */
  readonly trial: number;
  /** `run_0001`, `run_0002`, ... */
  readonly label: string;
  /** Relative to the folder of all. */
  readonly folder: string;
  readonly seed: number;
}

/** All runs of a benchmark. */
export interface RunPlan extends Variations {
  readonly repetition: Repetition;
  readonly isSweep: boolean;
  /** One for every variation and trial of a plan, a single variation too, so that its runs can be joined (seed 004). */
  readonly sweepId: string | undefined;
  /** In the order in which they are made. */
  readonly runs: readonly PlannedRun[];
}

/** What repeated runs begin with when no seed was asked for: all have the same inputs, as AIPerf does it. */
export const REPEATED_SEED = 42;

const SEEDS = 2 ** 32;

/** Which runs there are, in their order, with folders (reference, section B7) and seeds (seed 004, `random_seed`). */
export function planRuns(variations: Variations, repetition: Repetition): RunPlan {
  const isSweep = variations.parameters.length > 0;
  const trials = Array.from({ length: repetition.runs }, (_, trial) => trial);
  const run = (variation: Variation, trial: number): PlannedRun => ({
    variation,
    trial,
    label: numbered('run', trial + 1),
    folder: runFolder(variation, trial, isSweep, repetition.runs),
    seed: seedOf(variation, trial, repetition),
  });
  const all = variations.variations;
  const runs =
    repetition.mode === 'repeated'
      ? trials.flatMap(trial => all.map(variation => run(variation, trial)))
      : all.flatMap(variation => trials.map(trial => run(variation, trial)));
  return { ...variations, repetition, isSweep, sweepId: randomUUID(), runs };
}

/** `concurrency_4, run_0002`. */
export function nameOf(
  { isSweep, repetition }: Pick<RunPlan, 'isSweep' | 'repetition'>,
  { variation, label }: PlannedRun,
): string {
  return [...(isSweep ? [variation.label] : []), ...(repetition.runs > 1 ? [label] : [])].join(', ');
}

/** The folder of a variation, relative to that of all: `.` outside of sweeps. */
export function variationFolder({ index, label }: Variation, isSweep: boolean): string {
  return isSweep ? `${numbered('variation', index)}_${label}` : '.';
}

function runFolder(variation: Variation, trial: number, isSweep: boolean, runs: number): string {
  const folder = variationFolder(variation, isSweep);
  return runs === 1 ? folder : join(folder, 'profile_runs', numbered('run', trial + 1));
}

function seedOf(
  { index, label }: Variation,
  trial: number,
  { seed, sameSeed, varySeed }: Repetition,
): number {
  const base = seed ?? REPEATED_SEED;
  if (!varySeed) return sameSeed ? base : (base + index) % SEEDS;
  const digest = createHash('sha256')
    .update(`${base}/${sameSeed ? '' : label}/${trial}`)
    .digest();
  return digest.readUInt32BE(0);
}

function numbered(word: string, number: number): string {
  return `${word}_${String(number).padStart(4, '0')}`;
}
