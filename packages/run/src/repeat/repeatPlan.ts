import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Repetition } from './repetition.ts';
import type { Variation, Variations } from './variations.ts';

/** A run of a repeated benchmark or sweep. */
export interface PlannedRun {
  readonly variation: Variation;
  /** Index of the run within its variation. */
  readonly trial: number;
  /** `run_0001`, `run_0002`, and so on. */
  readonly label: string;
  /** Folder of the run, relative to the folder of all runs. */
  readonly folder: string;
  readonly seed: number;
}

/** The runs of a repeated benchmark or sweep. */
export interface RepeatPlan extends Variations {
  readonly repetition: Repetition;
  readonly isSweep: boolean;
  /** UUID recorded in all runs, so that they can be joined. */
  readonly sweepId: string | undefined;
  /** In execution order. */
  readonly runs: readonly PlannedRun[];
}

/** The seed of repeated runs if none is set. As in AIPerf, they all have the same inputs. */
export const DEFAULT_REPEAT_SEED = 42;

const SEED_COUNT = 2 ** 32;

/** Plans the runs of a benchmark: order, folders and seeds. */
export function planRuns({ parameters, variations }: Variations, repetition: Repetition): RepeatPlan {
  const isSweep = parameters.length > 0;
  const trials = Array.from({ length: repetition.runs }, (_, trial) => trial);
  const planRun = (variation: Variation, trial: number): PlannedRun => ({
    variation,
    trial,
    label: formatNumbered('run', trial + 1),
    folder: formatRunFolder(variation, trial, isSweep, repetition.runs),
    seed: deriveSeed(variation, trial, repetition),
  });
  const runs =
    repetition.mode === 'repeated'
      ? trials.flatMap(trial => variations.map(variation => planRun(variation, trial)))
      : variations.flatMap(variation => trials.map(trial => planRun(variation, trial)));
  return { parameters, variations, repetition, isSweep, sweepId: randomUUID(), runs };
}

/** Formats the name of a run, such as `concurrency_4, run_0002`. */
export function formatRunName(
  { isSweep, repetition }: Pick<RepeatPlan, 'isSweep' | 'repetition'>,
  { variation, label }: PlannedRun,
): string {
  return [...(isSweep ? [variation.label] : []), ...(repetition.runs > 1 ? [label] : [])].join(', ');
}

/** Returns the folder of a variation, relative to the folder of all runs: `.` outside of sweeps. */
export function formatVariationFolder({ index, label }: Variation, isSweep: boolean): string {
  return isSweep ? `${formatNumbered('variation', index)}_${label}` : '.';
}

function formatRunFolder(variation: Variation, trial: number, isSweep: boolean, runs: number): string {
  const folder = formatVariationFolder(variation, isSweep);
  return runs === 1 ? folder : join(folder, 'profile_runs', formatNumbered('run', trial + 1));
}

/** Derives the seed of a run as AIPerf does, except for `varySeed`, which AIPerf does not have. */
function deriveSeed(
  { index, label }: Variation,
  trial: number,
  { seed, sameSeed, varySeed }: Repetition,
): number {
  const base = seed ?? DEFAULT_REPEAT_SEED;
  if (!varySeed) return sameSeed ? base : (base + index) % SEED_COUNT;
  const digest = createHash('sha256')
    .update(`${base}/${sameSeed ? '' : label}/${trial}`)
    .digest();
  return digest.readUInt32BE(0);
}

function formatNumbered(word: string, number: number): string {
  return `${word}_${String(number).padStart(4, '0')}`;
}
