import { formatCount } from '@org/core';
import type { FailedRun, ProfileSweep, ServerMetricsDocument, SweepVariation } from '@org/formats';
import { FormatError } from '@org/formats/read';
import { listMissingRuns, listSweptRuns, readSweepCommand, type SweptRun } from '@org/record';
import {
  combineRuns,
  combineVariation,
  extractRunStatistics,
  type RunStatistics,
} from '@org/record/aggregate';
import { RunError } from '../run/input.ts';
import { type OpenOptions, openRun } from '../run/openRun.ts';
import type { Run } from '../run/run.ts';
import { normalizeSweep } from './normalizeSweep.ts';
import type { RunSet } from './runSet.ts';

/** The error of a run without a profile export. */
const INCOMPLETE = 'incomplete';

/** The confidence level of intervals of a benchmark whose setting is unknown. */
const CONFIDENCE_LEVEL = 0.95;

/** A started run: its statistics, or the reason why it is not complete. */
type RunResult = SweptRun & ({ readonly statistics: RunStatistics } | { readonly error: string });

type CompleteRun = SweptRun & { readonly statistics: RunStatistics };

/**
 * Combines the complete runs of a sweep or of repeated runs without aggregates, such as the runs of a killed benchmark.
 * Returns undefined for a single run.
 *
 * @throws RunError if no run is complete
 */
export async function combineCompleteRuns(name: string, open: OpenOptions = {}): Promise<RunSet | undefined> {
  const runs = await listSweptRuns(name);
  if (runs.length === 0 || runs[0]!.folder === name) return undefined;
  const results: RunResult[] = [];
  for (const run of runs) results.push(await readResult(run, open));
  const missing = listMissingRuns(runs, await readSweepCommand(runs));
  const complete = results.filter(isComplete);
  const note = describeProgress(results, missing);
  if (complete.length === 0) throw new RunError(`${JSON.stringify(name)} contains no complete run: ${note}`);
  const failed = [
    ...results.flatMap(result => ('error' in result ? [{ label: result.name, error: result.error }] : [])),
    ...missing.map(label => ({ label, error: 'not started' })),
  ];
  const isSweep = runs[0]!.variation !== undefined;
  const counts = {
    runs: runs.length,
    trials: runs.reduce((max, { trial }) => Math.max(max, trial), 1),
    failed,
  };
  return isSweep
    ? { name, kind: 'sweep', sweep: createSweep(complete, counts), notes: [note] }
    : { name, kind: 'repeated', aggregate: createAggregate(complete, counts), notes: [note] };
}

function isComplete(result: RunResult): result is CompleteRun {
  return 'statistics' in result;
}

async function readResult(run: SweptRun, open: OpenOptions): Promise<RunResult> {
  try {
    const opened = await openRun(run.folder, open);
    const error = findProblem(opened);
    if (error !== undefined) return { ...run, error };
    const servers = { metrics: opened.view.metrics } as object as ServerMetricsDocument;
    return { ...run, statistics: extractRunStatistics(opened.profile!, servers) };
  } catch (error) {
    if (!(error instanceof RunError) && !(error instanceof FormatError)) throw error;
    return { ...run, error: INCOMPLETE };
  }
}

function findProblem({ profile, wasCancelled }: Run): string | undefined {
  if (!profile) return INCOMPLETE;
  if (wasCancelled) return 'interrupted';
  return profile.request_count ? undefined : 'no request succeeded';
}

/** Describes in one sentence which runs are missing or incomplete. */
function describeProgress(results: readonly RunResult[], missing: readonly string[]): string {
  const complete = results.filter(isComplete).length;
  const incomplete = results.flatMap(result =>
    'error' in result ? [result.error === INCOMPLETE ? result.name : `${result.name} (${result.error})`] : [],
  );
  const parts = [
    `there are no aggregates, because the benchmark was killed or is still active; ${complete} of ${formatCount(results.length + missing.length, 'run')} ${complete === 1 ? 'is' : 'are'} complete`,
    ...(incomplete.length === 0 ? [] : [`not complete: ${listNames(incomplete)}`]),
    ...(missing.length === 0 ? [] : [`not started: ${listNames(missing)}`]),
  ];
  return parts.join('; ');
}

const MAX_NAMES = 8;

function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

interface RunCounts {
  readonly runs: number;
  readonly trials: number;
  readonly failed: readonly FailedRun[];
}

function createSweep(complete: readonly CompleteRun[], { runs, trials, failed }: RunCounts): ProfileSweep {
  const names = [...new Set(complete.map(({ variation }) => variation!))];
  const variations = names.map(name =>
    createVariation(
      name,
      complete.filter(({ variation }) => variation === name),
    ),
  );
  const parameterNames = new Set(variations.flatMap(({ parameters }) => Object.keys(parameters)));
  const parameters = [...parameterNames].map(name => ({
    name,
    values: [...new Set(variations.map(variation => variation.parameters[name]))],
  }));
  return normalizeSweep({
    aggregation_type: 'sweep',
    num_profile_runs: runs,
    num_successful_runs: complete.length,
    failed_runs: [...failed],
    metadata: {
      sweep_parameters: parameters,
      num_combinations: parameters.reduce((size, { values }) => size * values.length, 1),
      confidence_level: CONFIDENCE_LEVEL,
      num_trials_per_value: trials,
      was_cancelled: true,
    },
    per_combination_metrics: variations,
  });
}

function createVariation(name: string, runs: readonly CompleteRun[]): SweepVariation {
  const { parameters } = runs[0]!;
  const { metrics, serverMetrics } = combineVariation(
    runs.map(({ statistics }) => statistics),
    CONFIDENCE_LEVEL,
  );
  return {
    parameters: Object.keys(parameters).length > 0 ? parameters : { variation: name },
    variation_label: name,
    num_successful_runs: runs.length,
    metrics,
    ...(Object.keys(serverMetrics).length > 0 ? { server_metrics: serverMetrics } : {}),
  };
}

function createAggregate(
  complete: readonly CompleteRun[],
  { runs, failed }: RunCounts,
): (RunSet & { kind: 'repeated' })['aggregate'] {
  const { metrics, serverMetrics } = combineRuns(
    complete.map(({ statistics }) => statistics),
    CONFIDENCE_LEVEL,
  );
  return {
    schema_version: '1.0',
    metadata: {
      aggregation_type: 'confidence',
      num_profile_runs: runs,
      num_successful_runs: complete.length,
      failed_runs: [...failed],
      confidence_level: CONFIDENCE_LEVEL,
      run_labels: complete.map(({ name }) => name),
      was_cancelled: true,
    },
    metrics,
    ...(Object.keys(serverMetrics).length > 0 ? { server_metrics: serverMetrics } : {}),
  };
}
