import { join } from 'node:path';

/** Name of the folder with the aggregates of a benchmark, or of a variation of a sweep. */
export const AGGREGATE_FOLDER = 'aggregate';

/** Name of the folder with the exports of a sweep. */
export const SWEEP_FOLDER = 'sweep_aggregate';

/** Name of the folder that contains the repeated runs of a benchmark, of a variation or of a whole sweep. */
export const RUNS_FOLDER = 'profile_runs';

/**
 * Order of the runs of a sweep. `repeated`: each variation once, then again. `independent`: all runs of one
 * variation, then the next.
 */
export type RunOrder = 'repeated' | 'independent';

/** The value of a swept parameter: a number, or the name of a variant. */
export type ParameterValue = number | string;

/** The position of a run in a repeated benchmark or sweep. */
export interface RunPosition {
  /** Name of the variation's folder; undefined outside of sweeps. */
  readonly variation: string | undefined;
  /** Index of the run within its variation; undefined if the run is not repeated. */
  readonly trial: number | undefined;
  readonly order: RunOrder;
}

/** Formats the folder of a run, relative to the folder of all runs, as in AIPerf. */
export function formatRunFolder({ variation, trial, order }: RunPosition): string {
  if (variation === undefined) return trial === undefined ? '.' : join(RUNS_FOLDER, formatRunLabel(trial));
  if (trial === undefined) return variation;
  const trialFolder = join(RUNS_FOLDER, formatNumber('trial', trial + 1));
  return order === 'repeated' ? join(trialFolder, variation) : join(variation, trialFolder);
}

/** Formats the folder of the aggregates of a variation, or of a benchmark without variations, as in AIPerf. */
export function formatAggregateFolder({ variation, order }: Omit<RunPosition, 'trial'>): string {
  if (variation === undefined) return AGGREGATE_FOLDER;
  return order === 'repeated' ? join(AGGREGATE_FOLDER, variation) : join(variation, AGGREGATE_FOLDER);
}

/** Formats the folder of the exports of a sweep, as in AIPerf. */
export function formatSweepFolder(isRepeated: boolean, order: RunOrder): string {
  return isRepeated && order === 'repeated' ? join(AGGREGATE_FOLDER, SWEEP_FOLDER) : SWEEP_FOLDER;
}

/** Parameters that are floats in AIPerf, so that 5 requests/s is `rate_5.0`. */
const FLOAT_PARAMETERS: ReadonlySet<string> = new Set(['duration', 'rate', 'smoothness', 'stddev']);

/**
 * Formats the name of a variation's folder, such as `concurrency_4__rate_2.5`, from its values by path in
 * `input_config`. As in AIPerf, only the last part of a path is used, and the folder of a variant has its name.
 */
export function formatVariationFolder(values: Readonly<Record<string, ParameterValue>>): string {
  const parts = Object.entries(values).map(([path, value]) =>
    typeof value === 'string' ? value : `${getLastPart(path)}_${formatParameterValue(path, value)}`,
  );
  return parts.join('__');
}

/** Formats the label of a variation as in AIPerf, such as `phases.profiling.concurrency=4`. */
export function formatAiperfLabel(values: Readonly<Record<string, ParameterValue>>): string {
  const parts = Object.entries(values).map(([path, value]) =>
    typeof value === 'string' ? value : `${path}=${formatParameterValue(path, value)}`,
  );
  return parts.join(', ');
}

function formatParameterValue(path: string, value: number): string {
  const isFloat = FLOAT_PARAMETERS.has(getLastPart(path));
  return isFloat && Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function getLastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Formats the label of a run, such as `run_0001`. `trial` starts at 0. */
export function formatRunLabel(trial: number): string {
  return formatNumber('run', trial + 1);
}

function formatNumber(word: string, number: number): string {
  return `${word}_${String(number).padStart(4, '0')}`;
}
