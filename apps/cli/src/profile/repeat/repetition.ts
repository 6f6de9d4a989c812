import type { Repetition, SweepMode } from '@org/run';
import { UsageError } from '@org/terminal';
import type { Options } from 'yargs';
import { numberOf, type RawOptions, shownValue, singleValue } from '../../optionvalue.ts';
import { numberValue } from '../numbervalue.ts';

const GROUP = 'Several runs:';

/** As AIPerf bounds it. */
const MOST_RUNS = 10;

/** The options of yargs; `--concurrency` and others may be lists. */
export const REPEAT_OPTIONS: Readonly<Record<string, Options>> = {
  'num-profile-runs': {
    group: GROUP,
    requiresArg: true,
    describe: `Runs of the same benchmark, up to ${MOST_RUNS}: their aggregate says how sure the figures are`,
    defaultDescription: '1',
  },
  'profile-run-cooldown-seconds': {
    group: GROUP,
    requiresArg: true,
    describe: 'Seconds between two runs',
    defaultDescription: '0',
  },
  'confidence-level': {
    group: GROUP,
    requiresArg: true,
    describe: 'Share of such intervals that hold the true mean',
    defaultDescription: '0.95',
  },
  'parameter-sweep-mode': {
    group: GROUP,
    requiresArg: true,
    string: true,
    choices: ['repeated', 'independent'],
    describe: 'The whole sweep again and again, or all runs of a variation and then the next',
    defaultDescription: 'repeated',
  },
  'parameter-sweep-same-seed': {
    group: GROUP,
    boolean: true,
    describe: 'The same seed for every variation, not seed + index',
  },
  'vary-seed-per-trial': {
    group: GROUP,
    boolean: true,
    describe: 'Another seed for every run of a variation',
  },
};

/** Reads the options of several runs. Throws `UsageError`; `isSweep`: whether an option is a list. */
export function readRepetition(raw: RawOptions, isSweep: boolean): Repetition {
  const runs = numberValue(raw, 'num-profile-runs', { least: 1, most: MOST_RUNS, whole: true }) ?? 1;
  const level = levelOf(raw);
  const cooldown = numberValue(raw, 'profile-run-cooldown-seconds', { least: 0, unit: 'seconds' });
  const mode = singleValue(raw, 'parameter-sweep-mode') as SweepMode | undefined;
  const sameSeed = raw['parameter-sweep-same-seed'] === true;
  const varySeed = raw['vary-seed-per-trial'] === true;
  if (runs === 1) needs({ 'confidence-level': level, 'vary-seed-per-trial': varySeed || undefined }, REPEATS);
  if (runs === 1 && !isSweep) needs({ 'profile-run-cooldown-seconds': cooldown }, SEVERAL);
  if (!isSweep)
    needs({ 'parameter-sweep-mode': mode, 'parameter-sweep-same-seed': sameSeed || undefined }, SWEEP);
  return {
    runs,
    cooldownSeconds: cooldown ?? 0,
    confidenceLevel: level ?? 0.95,
    mode: mode ?? 'repeated',
    seed: numberValue(raw, 'random-seed', { least: 0, most: 2 ** 32 - 1, whole: true }),
    sameSeed,
    varySeed,
  };
}

/** A share between 0 and 1, neither of which is one. */
function levelOf(raw: RawOptions): number | undefined {
  const value = singleValue(raw, 'confidence-level');
  if (value === undefined) return undefined;
  const level = numberOf(value);
  if (level > 0 && level < 1) return level;
  throw new UsageError(
    `--confidence-level is ${shownValue(value)}; expected a number between 0 and 1, such as 0.95`,
  );
}

const REPEATS = '--num-profile-runs of 2 or more';
const SWEEP = 'a list to go through, such as --concurrency 1,2,4';
const SEVERAL = `${REPEATS}, or ${SWEEP}`;

/** An option that would change nothing is a mistake. */
function needs(given: Readonly<Record<string, unknown>>, what: string): void {
  const [found] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (found !== undefined) throw new UsageError(`--${found} needs ${what}`);
}
