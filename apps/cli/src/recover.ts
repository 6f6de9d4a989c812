import { resolve } from 'node:path';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import type { ExportFormat } from '@org/record';
import { findJournal } from '@org/record/journal';
import { isSuccess } from '@org/run';
import {
  ExportConflictError,
  findRepeatedRuns,
  type RecoveredExports,
  type RecoverOptions,
  type RepeatedRuns,
  recover,
  recoverRepeatedRuns,
} from '@org/run/recover';
import { UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import { FORMATS_OPTION } from './export/exportoptions.ts';
import { LAYOUT_OPTIONS, layoutsOf } from './export/layouts.ts';
import type { Io } from './io.ts';
import { createLog, type Log } from './log.ts';
import { MEMORY_OPTION, memoryLimit } from './memory.ts';
import { type RawOptions, secondsValue, singleValue } from './optionvalue.ts';
import { printResult } from './profile/profile.ts';
import { printAggregates, warnOfMissingAggregates } from './profile/repeat/show.ts';
import { reportRun } from './report.ts';
import { formatCount, logRecoverEvent } from './runMessages.ts';

/** Declares the arguments and options of `servelens recover` on a yargs command. */
export function declareRecover(yargs: Argv): Argv {
  return yargs
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run that was killed, its journal, or the folder of several runs',
    })
    .options({
      'server-metrics-formats': {
        ...FORMATS_OPTION,
        describe: 'Formats to write [default: those of the run]',
      },
      ...LAYOUT_OPTIONS,
      'parquet-partition': {
        ...LAYOUT_OPTIONS['parquet-partition'],
        describe: `${LAYOUT_OPTIONS['parquet-partition'].describe} [default: as in the run]`,
      },
      'slice-duration': {
        describe: 'Seconds of a timeslice [default: that of the run]',
        requiresArg: true,
      },
      'percentile-method': {
        choices: Object.keys(PERCENTILE_METHODS),
        describe: 'How percentiles are estimated [default: that of the run]',
        requiresArg: true,
      },
      'memory-limit': MEMORY_OPTION,
    })
    .example('$0 recover artifacts/collect-20261121-081530', 'the exports of a run that was killed');
}

/** Runs `servelens recover`: writes the exports of a run from its journal, which is kept. Returns the exit code. */
export async function runRecover(raw: RawOptions, io: Io): Promise<number> {
  const log = createLog(io, false);
  const options = readRecoverOptions(raw);
  const path = resolve(io.cwd, String(raw.run));
  const repeated = await findRepeatedRuns(path);
  if (repeated) return (await recoverSeveral(repeated, options, io, log)) ? 0 : 1;
  const run = await withExportHint(async () =>
    recover(await findJournal(path), { ...options, onEvent: event => logRecoverEvent(event, log, io) }),
  );
  printRun(run, io, log);
  return run.isWritten ? 0 : 1;
}

/** Reads the options; those that are not set have the values of the run. Throws `UsageError`. */
function readRecoverOptions(raw: RawOptions): Omit<RecoverOptions, 'onEvent'> {
  const sliceSeconds = secondsValue(raw, 'slice-duration', 0.001);
  const formats = raw['server-metrics-formats'] as ExportFormat[] | undefined;
  const parquetPartition = raw['parquet-partition'] as boolean | undefined;
  const percentileMethod = singleValue(raw, 'percentile-method') as PercentileMethod | undefined;
  return {
    layouts: layoutsOf(raw),
    memoryLimit: memoryLimit(raw),
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    ...(formats === undefined ? {} : { formats }),
    ...(parquetPartition === undefined ? {} : { parquetPartition }),
    ...(percentileMethod === undefined ? {} : { percentileMethod }),
  };
}

/** Adds the command that resolves a conflict to its error. */
async function withExportHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ExportConflictError ? toHint(error) : error;
  }
}

function toHint({ message, journal }: ExportConflictError): UsageError {
  return new UsageError(
    `${message}; move the exports to another folder, or write to another folder: servelens export ${journal} --output FOLDER`,
  );
}

/** Prints the summary of a recovered run. */
function printRun({ server, profile }: RecoveredExports, io: Io, log: Log): void {
  if (profile) printResult({ ...profile, ...(server ? { server } : {}) }, { showTrace: false }, io, log);
  else if (server) reportRun(server.record, server.exports, { out: io.stdout, io, log });
}

/** Recovers several runs and prints their aggregates. Returns whether all exports are written. */
async function recoverSeveral(
  runs: RepeatedRuns,
  options: Omit<RecoverOptions, 'onEvent'>,
  io: Io,
  log: Log,
): Promise<boolean> {
  const { aggregates, isWritten } = await recoverRepeatedRuns(runs, {
    ...options,
    onEvent: event => {
      logRecoverEvent(event, log, io);
      if (event.type === 'recovery_ended') logRecovered(event.run, io, log);
    },
  });
  if (!aggregates) {
    log.warning(`no aggregates: ${String(runs.plan)}`);
    return isWritten;
  }
  const { plan, outcomes, exports } = aggregates;
  printAggregates(exports, { folder: runs.folder, io, log });
  const complete = outcomes.filter(isSuccess).length;
  const message = `${complete} of ${plan.runs.length} runs are complete`;
  if (complete === plan.runs.length) log.info(message);
  else log.warning(message);
  warnOfMissingAggregates(plan, exports.aggregates, log);
  return isWritten;
}

/** Logs the outcome of one of several runs. */
function logRecovered(run: RecoveredExports, io: Io, log: Log): void {
  const { profile, server } = run;
  if (!profile) {
    printRun(run, io, log);
    return;
  }
  const { requests } = profile.document.recovered!;
  log.info(`${formatCount(requests, 'request')}, ${profile.document.was_cancelled ? 'killed' : 'complete'}`);
  for (const file of profile.files) if (!file.ok) log.error(file.message);
  for (const { format, failure } of server?.exports.results ?? [])
    if (failure !== undefined) log.error(`no ${format} export: ${failure}`);
}
