import { join, relative } from 'node:path';
import { listProfileMetrics } from '@org/formats/read';
import { buildSummary } from '@org/reader';
import { getServers } from '@org/record/servers';
import { isSuccess, type ProfileResult, type RepeatResult, type RunOutcome, readCounts } from '@org/run';
import { listExports, listFiles, type WrittenFile } from '../export/writtenFiles.ts';
import type { RunFacts } from './runReport.ts';

/**
 * Returns what `profile --json` prints about a single run: its files, the metrics and errors of its JSON export, and the
 * summary of the server metrics as `read summary --json` prints it.
 */
export function createProfileFacts(folder: string, result: ProfileResult, cwd: string): RunFacts {
  const { benchmarkId, document, server, wasCancelled } = result;
  const context = { name: relative(cwd, folder) || '.', profile: document };
  return {
    folder,
    wasCancelled,
    files: listProfileFiles(result),
    figures: {
      benchmark_id: benchmarkId,
      requests: readCounts(document),
      errors: document.error_summary ?? [],
      metrics: Object.fromEntries(listProfileMetrics(document)),
      summary: server
        ? buildSummary(server.exports.document, { context, servers: getServers(server.record) })
        : null,
    },
  };
}

function listProfileFiles({ files, furtherFiles, server }: ProfileResult): WrittenFile[] {
  return [
    ...listFiles([...files, ...furtherFiles, ...(server?.phaseFiles ?? [])]),
    ...listExports(server?.exports.results ?? []),
  ];
}

/** Returns what `profile --json` prints about several runs: the files that combine them, and an entry for each run. */
export function createRepeatFacts(
  folder: string,
  { outcomes, exports, wasCancelled }: RepeatResult,
): RunFacts {
  return {
    folder,
    wasCancelled,
    files: listFiles(exports.files),
    figures: {
      runs: outcomes.map(outcome => createEntry(folder, outcome)),
      ...(exports.search
        ? {
            search: {
              convergence_reason: exports.search.convergence_reason ?? null,
              boundary_summary: exports.search.boundary_summary ?? null,
              best_trials: exports.search.best_trials ?? null,
            },
          }
        : {}),
    },
  };
}

function createEntry(folder: string, outcome: RunOutcome): object {
  const { run, counts } = outcome;
  const { variation, trial, label, seed } = run;
  return {
    folder: join(folder, run.folder),
    run: label,
    variation: variation.label,
    parameters: variation.parameters,
    repeat: trial + 1,
    seed,
    outcome: isSuccess(outcome) ? 'success' : outcome.endedEarly ? 'ended_early' : 'failure',
    ...(isSuccess(outcome) ? {} : { error: outcome.error }),
    requests: counts ?? null,
    metrics: isSuccess(outcome) ? groupStatistics(outcome) : {},
  };
}

/** Returns the statistics of a run by metric, as in its JSON export. */
function groupStatistics({ statistics }: Extract<RunOutcome, { readonly statistics: unknown }>): object {
  const metrics: Record<string, Record<string, unknown>> = {};
  for (const { tag, stat, value, unit } of statistics.client.values()) {
    metrics[tag] ??= { unit };
    metrics[tag][stat] = value;
  }
  return metrics;
}
