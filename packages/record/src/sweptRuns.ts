import { readFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { listRepeatedRuns, listVariations } from './listRuns.ts';
import type { ParameterValue } from './runFolders.ts';

/** A run of a sweep or of repeated runs. */
export interface SweptRun {
  readonly folder: string;
  /** Name of the run among all runs, such as `concurrency_2/run_0001`. */
  readonly name: string;
  /** Name of the variation's folder; undefined outside of sweeps. */
  readonly variation: string | undefined;
  /** Values by name of the parameter; empty outside of sweeps, and if they are unknown. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Number of the run within its variation, from 1. */
  readonly trial: number;
}

/** Values by path of the parameter, such as `phases.profiling.concurrency`. */
type ParameterPaths = Readonly<Record<string, ParameterValue>>;

/**
 * Lists the runs of a sweep or of repeated runs, in order, with their position. Returns an empty list for the folder of
 * a single run.
 *
 * The parameters are read from `run_config.json`, or from the name of the variation's folder.
 */
export async function listSweptRuns(folder: string): Promise<SweptRun[]> {
  const variations = await listVariations(folder);
  if (variations.length === 0)
    return (await listRepeatedRuns(folder)).map((run, index) => ({
      ...describePosition(folder, run, undefined, index),
      parameters: {},
    }));
  const runs = variations.flatMap(({ name, runs }) =>
    runs.map((run, index) => describePosition(folder, run, name, index)),
  );
  const paths = await Promise.all(runs.map(run => readParameters(run.folder, run.variation!)));
  const names = nameParameters(paths.flatMap(values => Object.keys(values)));
  return runs.map((run, index) => ({ ...run, parameters: renameKeys(paths[index]!, names) }));
}

function describePosition(
  root: string,
  folder: string,
  variation: string | undefined,
  index: number,
): Omit<SweptRun, 'parameters'> {
  const parts = relative(root, folder).split(sep);
  const number = parts.flatMap(part => /^(?:run|trial)_(\d+)$/.exec(part)?.[1] ?? []).at(-1);
  const trial = number === undefined ? index + 1 : Number(number);
  const label = `run_${String(trial).padStart(4, '0')}`;
  const name = [variation, number === undefined ? undefined : label].filter(part => part !== undefined);
  return { folder, name: name.join('/') || basename(folder), variation, trial };
}

/** Reads the command of the benchmark from the `run_config.json` of its runs. Returns undefined if none contains it. */
export async function readSweepCommand(
  runs: readonly Pick<SweptRun, 'folder'>[],
): Promise<string | undefined> {
  for (const { folder } of runs) {
    const { cli_command: command } = await readRunConfig(folder);
    if (typeof command === 'string') return command;
  }
  return undefined;
}

async function readParameters(run: string, variation: string): Promise<ParameterPaths> {
  return (await readConfiguredValues(run)) ?? parseVariation(variation);
}

/** Reads the values in `run_config.json`. Returns undefined if the file has no values, or values of other types. */
async function readConfiguredValues(run: string): Promise<ParameterPaths | undefined> {
  const { variation } = await readRunConfig(run);
  const entries = Object.entries(variation?.values ?? {});
  return entries.length > 0 && entries.every(isScalar) ? Object.fromEntries(entries) : undefined;
}

/** The fields of `run_config.json` that describe the position of a run, if they are valid. */
interface RunConfig {
  readonly variation?: { readonly values?: object };
  readonly cli_command?: unknown;
}

/** Reads `run_config.json`. Returns no fields if the file is missing or incomplete, as in a killed run. */
async function readRunConfig(run: string): Promise<RunConfig> {
  try {
    return (JSON.parse(await readFile(join(run, 'run_config.json'), 'utf8')) as RunConfig | null) ?? {};
  } catch {
    return {};
  }
}

function isScalar(entry: [string, unknown]): entry is [string, ParameterValue] {
  return typeof entry[1] === 'number' || typeof entry[1] === 'string';
}

/** Parses the name of a variation's folder, such as `concurrency_4__rate_2.5`. Ignores parts without a number. */
function parseVariation(name: string): ParameterPaths {
  const parts = name.replace(/^variation_\d+_/, '').split('__');
  return Object.fromEntries(
    parts.flatMap(part => {
      const [, parameter, value] = /^(.+)_(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(part) ?? [];
      return parameter === undefined ? [] : [[parameter, Number(value)] as const];
    }),
  );
}

/** Names parameters by the shortest end of their path that is unique: `concurrency`, or `isl_mean` and `osl_mean`. */
function nameParameters(paths: readonly string[]): ReadonlyMap<string, string> {
  const unique = [...new Set(paths)];
  const shorten = (path: string, length: number): string => path.split('.').slice(-length).join('_');
  return new Map(
    unique.map(path => {
      const lengths = path.split('.').map((_, index) => index + 1);
      const isUnique = (length: number): boolean =>
        unique.every(other => other === path || shorten(other, length) !== shorten(path, length));
      return [path, shorten(path, lengths.find(isUnique) ?? lengths.length)];
    }),
  );
}

function renameKeys(values: ParameterPaths, names: ReadonlyMap<string, string>): ParameterPaths {
  return Object.fromEntries(Object.entries(values).map(([path, value]) => [names.get(path)!, value]));
}
