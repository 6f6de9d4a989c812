import { join } from 'node:path';
import { describeSystemError } from '@org/core';
import type { ProfileExport, ServerMetricsDocument } from '@org/formats';
import {
  FormatError,
  fromPath,
  isSourceError,
  readProfileExport,
  readServerMetricsJson,
} from '@org/formats/read';
import { getExportPath } from '@org/record';
import { isRegularFile } from '../export/regularFile.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import type { JournaledPlan } from '../repeat/planJournal.ts';
import type { PlannedRun } from '../repeat/repeatPlan.ts';
import type { RunOutcome } from '../repeat/runOutcome.ts';
import { createOutcome } from '../repeat/runSequence.ts';

/** The error of a run that was killed. */
export const KILLED = 'killed';

/** Determines the outcomes of the runs that were started, from their exports and the journal of the plan. */
export async function readOutcomes(
  folder: string,
  { plan, format, failures, earlyEnds }: JournaledPlan,
): Promise<RunOutcome[]> {
  const outcomes: RunOutcome[] = [];
  for (const run of plan.runs) {
    const runFolder = join(folder, run.folder);
    const requests =
      format.exportLevel === 'summary' ? undefined : getProfilePaths(runFolder, format.prefix).jsonl;
    const error = failures.get(run.folder);
    const exports = await readExports(runFolder, format.prefix);
    if (typeof exports === 'string') outcomes.push({ run, error: exports });
    else if (exports) {
      const endedEarly = earlyEnds.has(run.folder) ? error : undefined;
      outcomes.push(toOutcome(run, exports, requests, endedEarly));
    } else if (error !== undefined) outcomes.push({ run, error });
  }
  return outcomes;
}

interface RunExportDocuments {
  readonly document: ProfileExport;
  readonly servers?: ServerMetricsDocument;
}

/** Reads the exports of a run. Returns undefined if they do not exist, and an error message if they are invalid. */
async function readExports(
  folder: string,
  prefix: string | undefined,
): Promise<RunExportDocuments | string | undefined> {
  const { json } = getProfilePaths(folder, prefix);
  const metrics = getExportPath(folder, prefix, 'json');
  if (!isRegularFile(json)) return undefined;
  try {
    const document = await readProfileExport(fromPath(json));
    const servers = isRegularFile(metrics) ? await readServerMetricsJson(fromPath(metrics)) : undefined;
    return { document, ...(servers && 'schema_version' in servers ? { servers } : {}) };
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    if (!isSourceError(error)) throw error;
    return 'code' in error ? `cannot read its exports: ${describeSystemError(error)}` : error.message;
  }
}

function toOutcome(
  run: PlannedRun,
  { document, servers }: RunExportDocuments,
  requests: string | undefined,
  endedEarly: string | undefined,
): RunOutcome {
  const wasKilled = document.was_cancelled === true && document.recovered !== undefined;
  const report = {
    document,
    ...(requests === undefined ? {} : { requests }),
    ...(servers ? { servers } : {}),
    ...(endedEarly === undefined ? {} : { endedEarly }),
  };
  return wasKilled ? createOutcome(run, report, KILLED) : createOutcome(run, report);
}
