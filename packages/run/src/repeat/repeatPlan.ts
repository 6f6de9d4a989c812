import { createHash, randomUUID } from 'node:crypto';
import {
  formatRunFolder,
  formatRunLabel,
  formatVariationFolder,
  type ParameterValue,
  type RunOrder,
} from '@org/record';
import type { RecipeResult } from '../search/recipeResult.ts';
import type { SearchPlan } from '../search/searchPlan.ts';
import type { ConvergenceRule } from './convergenceRule.ts';

/** A swept parameter. */
export interface SweptParameter {
  readonly name: string;
  /** Path of the parameter in `input_config`. */
  readonly path: string;
  readonly values: readonly ParameterValue[];
}

/** A point of a sweep: one combination of parameter values. */
export interface Variation {
  readonly index: number;
  /** A label such as `concurrency_4` or `concurrency_4__request_rate_2`, or the name of a variant; `base` outside of sweeps. */
  readonly label: string;
  /** Values by name of the parameter. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Values by path in `input_config`. */
  readonly values: Readonly<Record<string, ParameterValue>>;
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
  /** Pause between two runs of different variations, in seconds; `cooldownSeconds` if absent. */
  readonly sweepCooldownSeconds?: number;
  /** Rule that ends the runs of a variation before `runs`. */
  readonly convergence?: ConvergenceRule;
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

/** The runs of a repeated benchmark, sweep or search. */
export interface RepeatPlan extends Variations {
  readonly repetition: Repetition;
  /** True for a sweep or a search: the runs have different parameters. */
  readonly isSweep: boolean;
  /** Present for a search, whose runs are added while it is active. */
  readonly search?: SearchPlan;
  /** The result that a recipe derives from the sweep. */
  readonly recipe?: RecipeResult;
  /** UUID recorded in all runs, so that they can be joined. */
  readonly sweepId: string | undefined;
  /** In execution order. */
  readonly runs: readonly PlannedRun[];
}

/** The seed if none is set. As in AIPerf, repeated runs have the same inputs by default. */
const DEFAULT_SEED = 42;

const MAX_SEED = Number.MAX_SAFE_INTEGER;

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

/** Plans a search. Its runs are added by `addProbe`. */
export function planSearch(search: SearchPlan, repetition: Repetition): RepeatPlan {
  const parameters = search.dimensions.map(({ name, path }) => ({ name, path, values: [] }));
  return {
    parameters,
    variations: [],
    repetition: { ...repetition, mode: 'independent' },
    isSweep: true,
    search,
    sweepId: randomUUID(),
    runs: [],
  };
}

/**
 * Adds the runs of a probe to the plan of a search. Each value of the parameters is a variation, and repeats of a value are
 * further runs of it. Every run has a different seed, so that repeats send different prompts, unless all have the same seed.
 */
export function addProbe(plan: RepeatPlan, values: readonly number[]): RepeatPlan {
  const created = createVariation(plan, values);
  const variation = plan.variations.find(({ label }) => label === created.label) ?? created;
  const { length: earlier } = plan.runs.filter(run => run.variation === variation);
  const runs = Array.from({ length: plan.repetition.runs }, (_, index): PlannedRun => {
    const trial = earlier + index;
    return {
      variation,
      trial,
      label: formatRunLabel(trial),
      folder: formatRunFolder({
        variation: formatVariationFolder(variation.values),
        trial,
        order: plan.repetition.mode,
      }),
      seed: deriveSeed({ ...variation, index: plan.runs.length + index }, trial, plan.repetition),
    };
  });
  return {
    ...plan,
    parameters: plan.parameters.map((parameter, index) => ({
      ...parameter,
      values: [...new Set([...parameter.values.map(Number), values[index]!])].sort((a, b) => a - b),
    })),
    variations: variation === created ? [...plan.variations, created] : plan.variations,
    runs: [...plan.runs, ...runs],
  };
}

function createVariation({ search, variations }: RepeatPlan, values: readonly number[]): Variation {
  const entries = search!.dimensions.map((dimension, index) => [dimension, values[index]!] as const);
  return {
    index: variations.length,
    label: entries.map(([{ label }, value]) => `${label}_${value}`).join('__'),
    parameters: Object.fromEntries(entries.map(([{ name }, value]) => [name, value])),
    values: Object.fromEntries(entries.map(([{ path }, value]) => [path, value])),
  };
}

/** Formats the name of a run, such as `concurrency_4, run_0002`. */
export function formatRunName(
  { isSweep, repetition, search }: Pick<RepeatPlan, 'isSweep' | 'repetition' | 'search'>,
  { variation, label }: PlannedRun,
): string {
  const isRepeated = repetition.runs > 1 || search !== undefined;
  return [...(isSweep ? [variation.label] : []), ...(isRepeated ? [label] : [])].join(', ');
}

/** Derives the seed of a run. Compatible with AIPerf, except for `varySeed`, which AIPerf does not support. */
function deriveSeed(
  { index, label }: Variation,
  trial: number,
  { seed, sameSeed, varySeed }: Repetition,
): number {
  const base = seed ?? DEFAULT_SEED;
  if (!varySeed) return sameSeed ? base : addToSeed(base, index);
  const digest = createHash('sha256')
    .update(`${base}/${sameSeed ? '' : label}/${trial}`)
    .digest();
  return digest.readUInt32BE(0);
}

/** Adds a number to a seed; the seed after the last one is 0. */
function addToSeed(seed: number, count: number): number {
  const rest = MAX_SEED - seed;
  return count > rest ? count - rest - 1 : seed + count;
}
