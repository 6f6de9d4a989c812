import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileExport, ProfileMetric, ServerMetricsDocument } from '@org/formats';
import { FormatError, isSourceError, readProfileExport, readServerMetricsJson } from '@org/formats/read';
import { exportPath } from '@org/record';
import { describeSystemError } from '@org/scrape';
import { profileFiles } from '../profile/profileFiles.ts';
import { runFigures } from '../repeat/figures.ts';
import type { RunOutcome } from '../repeat/outcome.ts';
import type { PlannedRun } from '../repeat/plan.ts';
import type { KeptPlan } from '../repeat/planJournal.ts';
import { failureOf } from '../repeat/repeat.ts';

/** What became of the runs that were begun, by their exports. */
export async function outcomesIn(folder: string, { plan, about, failures }: KeptPlan): Promise<RunOutcome[]> {
  const outcomes: RunOutcome[] = [];
  for (const run of plan.runs) {
    const own = join(folder, run.folder);
    const requests = profileFiles(own, about.prefix).jsonl;
    const error = failures.get(run.folder);
    const read = await exportsOf(own, about.prefix);
    if (typeof read === 'string') outcomes.push({ run, error: read });
    else if (read) outcomes.push(outcomeOf(run, read, requests));
    else if (error !== undefined) outcomes.push({ run, error });
  }
  return outcomes;
}

interface ReadRun {
  readonly document: ProfileExport;
  readonly servers?: ServerMetricsDocument;
}

/** The exports of one run, or what is wrong with them; undefined where there are none. */
async function exportsOf(folder: string, prefix: string | undefined): Promise<ReadRun | string | undefined> {
  const { json } = profileFiles(folder, prefix);
  const metrics = exportPath(folder, prefix, 'json');
  if (!existsSync(json)) return undefined;
  try {
    const document = await readProfileExport(json);
    const servers = existsSync(metrics) ? await readServerMetricsJson(metrics) : undefined;
    return { document, ...(servers && 'schema_version' in servers ? { servers } : {}) };
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    if (!isSourceError(error)) throw error;
    return 'code' in error ? `its exports cannot be read: ${describeSystemError(error)}` : error.message;
  }
}

function outcomeOf(run: PlannedRun, { document, servers }: ReadRun, requests: string): RunOutcome {
  const value = (tag: string): number => (document[tag] as ProfileMetric | undefined)?.avg ?? 0;
  const wasCancelled = document.was_cancelled === true;
  const error =
    wasCancelled && document.recovered
      ? 'killed'
      : failureOf({
          document,
          wasCancelled,
          succeeded: value('request_count'),
          failed: value('error_request_count'),
        });
  return error === undefined ? { run, figures: runFigures(document, servers), requests } : { run, error };
}
