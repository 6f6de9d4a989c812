import type { Repetition } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  flag,
  type OptionTable,
  omitUndefined,
  option,
  parseNumber,
  type RawOptions,
  readNumber,
  readSeconds,
} from '@org/terminal/program';
import { CONVERGENCE_OPTIONS, readConvergence } from './convergenceOptions.ts';

/** Maximum of --num-profile-runs, as in AIPerf. */
const MAX_PROFILE_RUNS = 10;

/** Options for repeated runs and sweeps. */
export const REPEAT_OPTIONS: OptionTable = {
  'num-profile-runs': option(
    'N',
    `Number of runs of the same benchmark, up to ${MAX_PROFILE_RUNS}; confidence intervals require at least 2`,
    { defaultText: '1' },
  ),
  'profile-run-disable-warmup-after-first': flag(
    'Warm up only before the first run of each variation; --no-profile-run-disable-warmup-after-first: before each run',
    { defaultText: 'true' },
  ),
  ...CONVERGENCE_OPTIONS,
  'profile-run-cooldown-seconds': option('SECONDS', 'Pause between runs in seconds', { defaultText: '0' }),
  'confidence-level': option('LEVEL', 'Confidence level of intervals, between 0 and 1', {
    defaultText: '0.95',
  }),
  'parameter-sweep-cooldown-seconds': option(
    'SECONDS',
    'Pause in seconds between runs with different values of a sweep',
    { defaultText: '--profile-run-cooldown-seconds' },
  ),
  'sweep-type': option(
    'TYPE',
    'Runs of several lists: all combinations of their values (grid), or the first values of all lists, then the second ones, and so on (zip)',
    { choices: ['grid', 'zip'], defaultText: 'grid' },
  ),
  variant: option(
    'VARIANT',
    'Variant of the run with other options: "NAME: OPTION=VALUE, OPTION=VALUE" or a JSON object, such as "short: isl=100, osl=20"; set once per variant',
    { aliases: ['sweep-variant'], many: 'repeat' },
  ),
  'parameter-sweep-mode': option(
    'MODE',
    'Order of runs in a sweep: repeat the whole sweep (repeated), or all runs of a variation before the next (independent)',
    {
      choices: ['repeated', 'independent'],
      defaultText: 'repeated',
    },
  ),
  'parameter-sweep-same-seed': flag(
    'Use the same seed for all variations; by default, the index of the variation is added',
  ),
  'vary-seed-per-trial': flag('Use a different seed for each run of a variation'),
};

const DEFAULT_CONFIDENCE_LEVEL = 0.95;

/**
 * Reads the options for repeated runs and sweeps. Throws `UsageError` if a value is invalid, or if there is a pause
 * between runs, but only one run.
 */
export function readRepetition(raw: RawOptions, isSweep: boolean): Repetition {
  const runs = readNumber(raw, 'num-profile-runs', { min: 1, max: MAX_PROFILE_RUNS, isInteger: true }) ?? 1;
  const level = readConfidenceLevel(raw);
  const cooldown = readSeconds(raw, 'profile-run-cooldown-seconds', 0);
  const sweepCooldown = readSeconds(raw, 'parameter-sweep-cooldown-seconds', 0);
  const convergence = readConvergence(raw);
  const mode = raw['parameter-sweep-mode'] as Repetition['mode'] | undefined;
  const sameSeed = raw['parameter-sweep-same-seed'] === true;
  const varySeed = raw['vary-seed-per-trial'] === true;
  if (runs === 1 && !isSweep && cooldown !== undefined)
    throw new UsageError(
      '--profile-run-cooldown-seconds requires --num-profile-runs of at least 2, or a list to sweep, such as --concurrency 1,2,4',
    );
  return {
    runs,
    cooldownSeconds: cooldown ?? 0,
    ...omitUndefined({ sweepCooldownSeconds: sweepCooldown, convergence }),
    confidenceLevel: level ?? DEFAULT_CONFIDENCE_LEVEL,
    mode: mode ?? 'repeated',
    seed: readSeed(raw),
    sameSeed,
    varySeed,
    warmsUpOnce: raw['profile-run-disable-warmup-after-first'] !== false,
  };
}

/** Reads --random-seed. Throws `UsageError` if the value is invalid. */
export function readSeed(raw: RawOptions): number | undefined {
  return readNumber(raw, 'random-seed', { min: 0, max: Number.MAX_SAFE_INTEGER, isInteger: true });
}

function readConfidenceLevel(raw: RawOptions): number | undefined {
  const value = raw['confidence-level'];
  if (value === undefined) return undefined;
  const level = parseNumber(value);
  if (level > 0 && level < 1) return level;
  throw createOptionError('confidence-level', value, 'a number between 0 and 1, such as 0.95');
}
