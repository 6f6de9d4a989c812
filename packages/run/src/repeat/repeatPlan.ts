import { createHash, randomUUID } from 'node:crypto';
import { formatRunFolder, formatRunLabel, formatVariationFolder, type RunOrder } from '@org/record';

/** A swept parameter. */
export interface SweptParameter {
  readonly name: string;
  /** Path of the parameter in `input_config`. */
  readonly path: string;
  readonly values: readonly number[];
}

/** A point of a sweep: one combination of parameter values. */
export interface Variation {
  readonly index: number;
  /** A label such as `concurrency_4` or `concurrency_4__request_rate_2`; `base` outside of sweeps. */
  readonly label: string;
  /** Values by name of the parameter. */
  readonly parameters: Readonly<Record<string, number>>;
  /** Values by path in `input_config`. */
  readonly values: Readonly<Record<string, number>>;
}

/**
 * The grid of a sweep: all combinations of values. The last parameter varies fastest. Outside of sweeps,
 * `base` is the only variation.
 */
export interface Variations {
  readonly parameters: readonly SweptParameter[];
  readonly variations: readonly Variation[];
}

/** Number, order and seeds of the runs of a repeated benchmark. */
export interface Repetition {
  /** Number of runs of each variation. */
  readonly runs: number;
  /** Pause between two runs, in seconds. */
  readonly cooldownSeconds: number;
  /** Confidence level of the intervals, between 0 and 1. */
  readonly confidenceLevel: number;
  readonly mode: RunOrder;
  /** Seed of the first variation; 42 if undefined. */
  readonly seed: number | undefined;
  /** True if all variations have the same seed. */
  readonly sameSeed: boolean;
  /** True if every run has a different seed. */
  readonly varySeed: boolean;
  /** True if only the first run of a variation has a warm-up. Absent in journals of earlier versions. */
  readonly warmsUpOnce?: boolean;
}

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

/** The seed if none is set. As in AIPerf, repeated runs have the same inputs by default. */
const DEFAULT_SEED = 42;

/** Number of possible seeds. */
const SEED_COUNT = 2 ** 32;

/** Plans the runs of a benchmark: order, folders and seeds. */
export function planRuns({ parameters, variations }: Variations, repetition: Repetition): RepeatPlan {
  const isSweep = parameters.length > 0;
  const trials = Array.from({ length: repetition.runs }, (_, trial) => trial);
  const planRun = (variation: Variation, trial: number): PlannedRun => ({
    variation,
    trial,
    label: formatRunLabel(trial),
    folder: formatRunFolder({
      variation: isSweep ? formatVariationFolder(variation.values) : undefined,
      trial: repetition.runs > 1 ? trial : undefined,
      order: repetition.mode,
    }),
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

/** Derives the seed of a run. Compatible with AIPerf, except for `varySeed`, which AIPerf does not support. */
function deriveSeed(
  { index, label }: Variation,
  trial: number,
  { seed, sameSeed, varySeed }: Repetition,
): number {
  const base = seed ?? DEFAULT_SEED;
  if (!varySeed) return sameSeed ? base : (base + index) % SEED_COUNT;
  const digest = createHash('sha256')
    .update(`${base}/${sameSeed ? '' : label}/${trial}`)
    .digest();
  return digest.readUInt32BE(0);
}
