import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteShellPath } from '@org/core/shellWord';
import { findExportPrefixes } from '@org/formats/read';
import {
  describeUnfinishedImport,
  type ExportFormat,
  listRepeatedRuns,
  listVariations,
  parseExportName,
} from '@org/record';
import { isFolder, RunError } from './input.ts';

/** The paths of the files of a run. If the user named a file, only that file is set. */
export interface RunFiles {
  /** Aggregated server metrics as JSON, or as CSV if there is no JSON. */
  readonly aggregated?: string;
  /** Aggregated server metrics as CSV. */
  readonly csv?: string;
  /** All samples as Parquet. */
  readonly parquet?: string;
  /** Raw scrape records as JSONL. */
  readonly records?: string;
  /** Metrics of the load generator: profile_export_aiperf.json, or the CSV file if there is no JSON. */
  readonly profile?: string;
  /** Metrics of the load generator by timeslice: profile_export_aiperf_timeslices.json. */
  readonly timeslices?: string;
  /** Requests of the load generator, one per line: profile_export.jsonl. */
  readonly requests?: string;
  /** Samples of GPUs: gpu_telemetry_export.jsonl. */
  readonly gpuTelemetry?: string;
  /** The journal: kept with `--keep-journal`, or left by a run that did not finish. */
  readonly journal?: string;
}

const JOURNAL_FILE = /^(?:.*_)?(?:server_metrics(?:_export)?|profile)\.journal$/;
const REQUESTS_FILE = /^(?:.*_)?profile_export\.jsonl$/;
const PROFILE_FILE = /^(?:.*_)?profile_export(?:_aiperf)?\.(json|csv)$/;
/** Matches every file of a run whose name does not depend on a prefix, except for exports of server metrics. */
const RUN_FILE =
  /^(?:.*_)?(?:profile_export(?:_aiperf)?(?:_timeslices)?\.(?:json|csv|jsonl)|profile(?:-\d+)?\.journal|(?:server_metrics|profile)(?:-\d+)?\.requests\.jsonl)$/;
/** Matches the end of the name of a client export, after the prefix. */
const PREFIXED_ENDING = /^(?:_timeslices)?\.(?:json|csv|jsonl)$/;
const GPU_TELEMETRY_FILE = /^(?:gpu_telemetry_export|.*_gpu_telemetry)\.jsonl$/;
const TIMESLICES_FILE = /^(?:.*_)?timeslices\.json$/;

/**
 * Finds the files of a run in its folder, with or without `--profile-export-prefix`.
 *
 * @throws RunError if the folder contains no run, or files of several runs
 */
export async function findRunFiles(folder: string): Promise<RunFiles> {
  const names = (await readdir(folder)).sort();
  const findSingle = (matches: (name: string) => boolean): string | undefined =>
    requireSingle(folder, names.filter(matches));
  const findMetrics = (format: ExportFormat): string | undefined =>
    findSingle(name => parseExportName(name)?.extension === format);
  const findProfile = (extension: string): string | undefined =>
    findSingle(name => PROFILE_FILE.exec(name)?.[1] === extension);
  const csv = findMetrics('csv');
  const files = {
    aggregated: findMetrics('json') ?? csv,
    csv,
    parquet: findMetrics('parquet'),
    records: findMetrics('jsonl'),
    profile: findProfile('json') ?? findPrefixed(folder, names, '.json') ?? findProfile('csv'),
    timeslices: findSingle(name => TIMESLICES_FILE.test(name)),
    requests: findSingle(name => REQUESTS_FILE.test(name)) ?? findPrefixed(folder, names, '.jsonl'),
    gpuTelemetry: findGpuTelemetry(folder, names),
    journal: findSingle(name => JOURNAL_FILE.test(name)),
  };
  const { journal, timeslices: _, gpuTelemetry: __, ...exports } = files;
  if (Object.values(exports).every(file => file === undefined))
    throw (await createSeveralRunsError(folder)) ?? createNoRunError(folder, journal);
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
}

/** Returns the files with aggregates; without aggregates, all files. */
export function selectAggregates(files: RunFiles): RunFiles {
  const { aggregated, profile, requests, journal } = files;
  if (aggregated === undefined && profile === undefined) return files;
  return {
    ...(aggregated !== undefined && { aggregated }),
    ...(profile !== undefined && { profile }),
    ...(requests !== undefined && { requests }),
    ...(journal !== undefined && { journal }),
  };
}

/** Finds the samples of GPUs. Several such files are of several runs, and it is unknown which one is of this run. */
function findGpuTelemetry(folder: string, names: readonly string[]): string | undefined {
  const found = names.filter(name => GPU_TELEMETRY_FILE.test(name));
  return found.length === 1 ? join(folder, found[0]!) : undefined;
}

/** Finds the file whose name is the prefix of the run's other files, followed by `ending`. */
function findPrefixed(folder: string, names: readonly string[], ending: string): string | undefined {
  const prefixes = findExportPrefixes(names);
  const name = names.find(name => name.endsWith(ending) && prefixes.has(name.slice(0, -ending.length)));
  return name === undefined ? undefined : join(folder, name);
}

/**
 * Lists all files in a folder that are named like a file of a run: exports of every format, including the folders of
 * partitioned datasets, journals and requests, with or without `--profile-export-prefix`. Returns paths. Unlike `findRunFiles`, the folder may contain
 * several runs or none.
 */
export async function listRunFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const prefixes = [...findExportPrefixes(names)];
  const isPrefixed = (name: string): boolean =>
    prefixes.some(prefix => name.startsWith(prefix) && PREFIXED_ENDING.test(name.slice(prefix.length)));
  return names
    .filter(
      name =>
        parseExportName(name) !== undefined ||
        parseExportName(`${name}.parquet`) !== undefined ||
        RUN_FILE.test(name) ||
        isPrefixed(name),
    )
    .map(name => join(folder, name));
}

function requireSingle(folder: string, files: readonly string[]): string | undefined {
  if (files.length > 1)
    throw new RunError(
      `${JSON.stringify(folder)} contains several exports; specify one of ${files.join(', ')}`,
    );
  return files.length === 0 ? undefined : join(folder, files[0]!);
}

/** Creates the error for a folder without exports of server metrics. */
export function createNoRunError(folder: string, journal: string | undefined): RunError {
  const shownFolder = JSON.stringify(folder);
  return new RunError(
    journal === undefined
      ? (describeUnfinishedImport(folder) ??
          `${shownFolder} contains no server metrics; expected a file such as server_metrics_export.json or .parquet`)
      : `${shownFolder} contains the journal of a run that did not finish; to write its exports, run servelens recover ${quoteShellPath(folder)}`,
  );
}

/**
 * Returns the runs of a path, ordered by name: the repeated runs in a folder written with `--num-profile-runs`
 * (`profile_runs/run_0001`, ...), otherwise the path itself.
 */
export async function findRepeatedRuns(run: string): Promise<readonly string[]> {
  if (!(await isFolder(run))) return [run];
  const runs = await listRepeatedRuns(run);
  return runs.length === 0 ? [run] : runs;
}

/** Creates the error for a folder of several runs; undefined if the folder contains no runs. */
async function createSeveralRunsError(folder: string): Promise<RunError | undefined> {
  const variations = await listVariations(folder);
  const [first = folder] = variations[0]?.runs ?? (await findRepeatedRuns(folder));
  if (first === folder) return undefined;
  const content = variations.length > 0 ? `the ${variations.length} variations of a sweep` : 'repeated runs';
  return new RunError(
    `${JSON.stringify(folder)} contains ${content}; expected the folder of one run, such as ${first}; summary, report, compare and query accept the whole folder`,
  );
}

/** Creates the error for a file with aggregated results of several runs. */
export function createRunSetError(file: string): RunError {
  return new RunError(
    `${JSON.stringify(file)} contains the results of several runs; expected the folder of one run; summary and report accept this file if its name ends with _aggregate.json or _sweep.json`,
  );
}
