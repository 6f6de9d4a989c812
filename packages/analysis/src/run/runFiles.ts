import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from './runError.ts';

/** The files of one run, as paths. A file that was named by itself stands alone. */
export interface RunFiles {
  /** The aggregated server metrics: JSON where there is one, else CSV. */
  readonly aggregated?: string;
  /** Every sample: Parquet, or raw records as JSONL. */
  readonly parquet?: string;
  readonly records?: string;
  /** What the load generator measured: profile_export_aiperf.json, else its CSV. */
  readonly profile?: string;
  /** The same window by window: profile_export_aiperf_timeslices.json. */
  readonly timeslices?: string;
  /** Its requests, one a line: profile_export.jsonl. */
  readonly requests?: string;
  /** What a run leaves behind that did not end by itself. */
  readonly journal?: string;
}

const METRICS = /^(?:(.*)_)?server_metrics(?:_export)?\.(json|csv|parquet|jsonl)$/;
const JOURNAL = /^(?:.*_)?(?:server_metrics(?:_export)?|profile)\.journal$/;
const REQUESTS = /^(?:.*_)?profile_export\.jsonl$/;
const PROFILE = /^(?:.*_)?profile_export(?:_aiperf)?\.(json|csv)$/;
const TIMESLICES = /^(?:.*_)?timeslices\.json$/;

/**
 * The files of a run in its folder; names are those of seed 002, with or without `--profile-export-prefix`.
 *
 * @throws RunError when there is no such folder, when nothing in it is of a run, or when files of several runs are.
 */
export async function findRunFiles(folder: string): Promise<RunFiles> {
  const names = (await readdir(folder)).sort();
  const only = (pick: (name: string) => boolean): string | undefined =>
    requireSingle(folder, names.filter(pick));
  const metrics = (kind: string): string | undefined => only(name => METRICS.exec(name)?.[2] === kind);
  const profile = (kind: string): string | undefined => only(name => PROFILE.exec(name)?.[1] === kind);
  const aggregated = metrics('json') ?? metrics('csv');
  const found = {
    aggregated,
    parquet: metrics('parquet'),
    records: metrics('jsonl'),
    profile: profile('json') ?? prefixed(folder, names, '.json') ?? profile('csv'),
    timeslices: only(name => TIMESLICES.test(name)),
    requests: only(name => REQUESTS.test(name)) ?? prefixed(folder, names, '.jsonl'),
    journal: only(name => JOURNAL.test(name)),
  };
  const { journal, timeslices: _, ...exports } = found;
  if (Object.values(exports).every(file => file === undefined))
    throw (await findRunsBelow(folder)) ?? createNoRunError(folder, journal);
  return Object.fromEntries(Object.entries(found).filter(([, file]) => file !== undefined));
}

/** With the prefix p, the profile export is called p.json, its requests p.jsonl, its server metrics p_server_metrics.json. */
function prefixed(folder: string, names: readonly string[], ending: string): string | undefined {
  const prefixes = new Set(names.map(name => METRICS.exec(name)?.[1]).filter(prefix => prefix !== undefined));
  const name = names.find(name => name.endsWith(ending) && prefixes.has(name.slice(0, -ending.length)));
  return name === undefined ? undefined : join(folder, name);
}

function requireSingle(folder: string, files: readonly string[]): string | undefined {
  if (files.length > 1)
    throw new RunError(`${JSON.stringify(folder)} has several exports, name one: ${files.join(', ')}`);
  return files.length === 0 ? undefined : join(folder, files[0]!);
}

/** What is wrong with a folder that has no exports of servers. */
export function createNoRunError(folder: string, journal: string | undefined): RunError {
  const what = JSON.stringify(folder);
  return new RunError(
    journal === undefined
      ? `${what} has no server metrics; expected server_metrics_export.json or .csv in it`
      : `${what} has the journal of a run that did not end by itself; servelens recover ${folder} makes its exports`,
  );
}

/** Whether a run's name is a folder; throws `RunError` when there is no such thing. */
export async function isFolder(run: string): Promise<boolean> {
  const found = await stat(run).catch(() => undefined);
  if (!found) throw new RunError(`cannot read ${JSON.stringify(run)}: no such file or folder`);
  return found.isDirectory();
}

/**
 * The runs below a name: the run itself, or those of a folder of repeated runs (`profile_runs/run_0001`, ... as AIPerf's
 * `--num-profile-runs` leaves them), in the order of their names.
 */
export async function findRepeatedRuns(run: string): Promise<readonly string[]> {
  if (!(await isFolder(run))) return [run];
  const runs = await listFolders(join(run, 'profile_runs'), /^run_\d+$/);
  return runs.length === 0 ? [run] : runs;
}

/** The folders of a sweep's variations, with a run or repeated runs in each. */
async function listVariations(folder: string): Promise<readonly string[]> {
  return await listFolders(folder, /^variation_\d+_/);
}

async function listFolders(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter(name => pattern.test(name))
    .sort()
    .map(name => join(folder, name));
}

/** What is wrong with the folder of several runs where one is expected; undefined when it has none below it. */
async function findRunsBelow(folder: string): Promise<RunError | undefined> {
  const variations = await listVariations(folder);
  const [first = folder] = await findRepeatedRuns(variations[0] ?? folder);
  if (first === folder) return undefined;
  const what = variations.length > 0 ? `the ${variations.length} variations of a sweep` : 'repeated runs';
  return new RunError(
    `${JSON.stringify(folder)} has ${what}, and one run is expected: name its folder, such as ${first}; summary and report take them all`,
  );
}

/** The same for a file that says what several runs said together. */
export function createRunSetError(file: string): RunError {
  return new RunError(
    `${JSON.stringify(file)} is what several runs said together, and one run is expected: name its folder; summary and report take this file where it is called ..._aggregate.json or ..._sweep.json`,
  );
}
