import { formatVariationFolder } from './runFolders.ts';
import type { SweptRun } from './sweptRuns.ts';

/** A swept parameter of a command: its path in `input_config`, and its values. */
interface PlannedParameter {
  readonly path: string;
  readonly values: readonly number[];
}

/** The options that accept lists, sorted by path, which is their order in folder names. */
const SWEPT_OPTIONS: readonly (readonly [path: string, options: readonly string[]])[] = [
  ['datasets.main.prompts.isl.mean', ['isl', 'synthetic-input-tokens-mean', 'prompt-input-tokens-mean']],
  ['datasets.main.prompts.osl.mean', ['osl', 'output-tokens-mean', 'prompt-output-tokens-mean']],
  ['phases.profiling.concurrency', ['concurrency']],
  ['phases.profiling.rate', ['request-rate']],
  ['phases.profiling.requests', ['request-count', 'num-requests']],
  ['phases.profiling.smoothness', ['arrival-smoothness', 'vllm-burstiness']],
];

/**
 * Lists the names of the runs of a sweep or of repeated runs that were not started. The plan is read from the command of
 * the benchmark. If it is unknown, each variation is assumed to be planned as often as the others.
 */
export function listMissingRuns(runs: readonly SweptRun[], command: string | undefined): string[] {
  // The runs of a search are planned one after another.
  if (command !== undefined && /\s--search-(?:space|recipe)\b/.test(command)) return [];
  const started = new Set(runs.map(({ name }) => name));
  const planned = (command === undefined ? undefined : listPlannedRuns(runs, command)) ?? listGrid(runs);
  return planned.filter(name => !started.has(name));
}

function listPlannedRuns(runs: readonly SweptRun[], command: string): string[] | undefined {
  if (/\s--(?:sweep-type|search)/.test(command)) return undefined;
  const parameters = SWEPT_OPTIONS.flatMap(([path, options]) => {
    const values = readOption(command, options)?.split(',').map(Number) ?? [];
    return values.length > 1 ? [{ path, values }] : [];
  });
  const trials = Number(readOption(command, ['num-profile-runs']) ?? 1);
  const variations = parameters.length === 0 ? [undefined] : listVariationNames(parameters);
  const planned = nameRuns(variations, trials, trials > 1 || parameters.length === 0);
  // A name that is not planned shows that the command has other options for sweeps.
  return runs.every(({ name }) => planned.includes(name)) ? planned : undefined;
}

function readOption(command: string, options: readonly string[]): string | undefined {
  const pattern = new RegExp(`(?:^|\\s)--(?:${options.join('|')})[ =]'?([^\\s']+)`);
  return pattern.exec(command)?.[1];
}

function listVariationNames(parameters: readonly PlannedParameter[]): string[] {
  const combinations = parameters.reduce<Record<string, number>[]>(
    (rows, { path, values }) => rows.flatMap(row => values.map(value => ({ ...row, [path]: value }))),
    [{}],
  );
  return combinations.map(formatVariationFolder);
}

function listGrid(runs: readonly SweptRun[]): string[] {
  const variations = [...new Set(runs.map(({ variation }) => variation))];
  const trials = runs.reduce((max, { trial }) => Math.max(max, trial), 1);
  return nameRuns(variations, trials, trials > 1 || variations[0] === undefined);
}

function nameRuns(variations: readonly (string | undefined)[], trials: number, hasLabel: boolean): string[] {
  return Array.from({ length: trials }, (_, index) => `run_${String(index + 1).padStart(4, '0')}`).flatMap(
    label =>
      variations.map(name =>
        [name, hasLabel ? label : undefined].filter(part => part !== undefined).join('/'),
      ),
  );
}
