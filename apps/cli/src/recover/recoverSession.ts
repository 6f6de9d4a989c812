import { resolve } from 'node:path';
import { formatCount, quoteShellPath } from '@org/core';
import { findJournal } from '@org/record/journal';
import { type FormatConsole, isSuccess } from '@org/run';
import {
  ExportConflictError,
  findRepeatedRuns,
  type RecoveredExports,
  type RecoverOptions,
  type RecoverRepeatedRunsEvent,
  type RepeatedRuns,
  recover,
  recoverRepeatedRuns,
} from '@org/run/recover';
import { readServersOption } from '@org/servers/option';
import { UsageError } from '@org/terminal';
import { createLog, type Log } from '@org/terminal/live';
import { type Io, isSet, omitUndefined, type RawOptions } from '@org/terminal/program';
import { listFiles, listRecovered, printWrittenFiles, type WrittenFile } from '../export/writtenFiles.ts';
import { logRecoverEvent } from '../log/runMessages.ts';
import {
  readCompatibility,
  readFormats,
  readJsonLayout,
  readMemoryLimit,
  readPercentileMethod,
  readSliceSeconds,
  readWindow,
} from '../options/output.ts';
import { printAggregates, warnOfMissingIntervals } from '../screens/aggregates.ts';
import { printExportedRun } from '../screens/exportedRun.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { formatConsoleFile } from '../screens/profileSummary.ts';
import { logLosses } from '../screens/runSummary.ts';

/**
 * Runs `servelens recover`: writes the exports of one or several runs from their journals, which are kept.
 * Returns the exit code.
 */
export async function runRecover(raw: RawOptions, io: Io): Promise<number> {
  const exportLine = new ExportLine();
  const log = createLog(io, isSet(raw, 'quiet'), () => exportLine.clear());
  const isJson = isSet(raw, 'json');
  const options = { ...readRecoverOptions(raw), servers: await readServersOption(raw, io) };
  const path = resolve(io.cwd, String(raw.run));
  const handleEvent = (event: RecoverRepeatedRunsEvent): void => {
    logRecoverEvent(event, log, io);
    if (event.type === 'recovery_ended') exportLine.stop();
    if (event.type === 'export_progressed')
      exportLine.update(event.progress, io, log, io.stderr.isTTY === true);
  };
  try {
    const repeated = await findRepeatedRuns(path);
    if (repeated) {
      const recoverAll = isJson ? listSeveral : recoverSeveral;
      return (await recoverAll(repeated, options, io, log, handleEvent)) ? 0 : 1;
    }
    const run = await withExportHint(async () =>
      recover(await findJournal(path), { ...options, onEvent: handleEvent, formatConsole }),
    );
    exportLine.stop();
    if (isJson) listRun(run, io, log);
    else printExportedRun(run, io, log);
    return run.isWritten ? 0 : 1;
  } finally {
    exportLine.stop();
  }
}

/**
 * Reads the options. Export options that are not set default to the values of the run. Throws `UsageError` if
 * an option is invalid.
 */
function readRecoverOptions(raw: RawOptions): Omit<RecoverOptions, 'onEvent'> {
  return {
    memoryLimit: readMemoryLimit(raw),
    ...omitUndefined({
      compatibility: readCompatibility(raw),
      jsonLayout: readJsonLayout(raw),
      sliceSeconds: readSliceSeconds(raw),
      formats: readFormats(raw),
      parquetPartition: raw['parquet-partition'] as boolean | undefined,
      percentileMethod: readPercentileMethod(raw),
      window: readWindow(raw),
    }),
  };
}

/** Runs `work`. Converts an error about existing exports to a `UsageError` that suggests `servelens export`. */
async function withExportHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ExportConflictError ? addExportHint(error) : error;
  }
}

function addExportHint({ message, journal }: ExportConflictError): UsageError {
  return new UsageError(
    `${message}; move the exports to another folder, or write to another folder: servelens export ${quoteShellPath(journal)} --output FOLDER`,
  );
}

const formatConsole: FormatConsole = result => formatConsoleFile(result, { showTrace: false });

/** Prints the files of a recovered run as JSON, and logs data loss. */
function listRun(run: RecoveredExports, io: Io, log: Log): void {
  printWrittenFiles(listRecovered(run), io, log);
  if (run.server) logLosses(run.server.record, run.server.exports, log);
}

/** Recovers repeated runs or a sweep, and prints their files as JSON. Returns whether all exports are written. */
async function listSeveral(
  runs: RepeatedRuns,
  options: Omit<RecoverOptions, 'onEvent'>,
  io: Io,
  log: Log,
  handleEvent: (event: RecoverRepeatedRunsEvent) => void,
): Promise<boolean> {
  const files: WrittenFile[] = [];
  const { aggregates, isWritten } = await recoverRepeatedRuns(runs, {
    ...options,
    formatConsole,
    onEvent: event => {
      handleEvent(event);
      if (event.type === 'recovery_ended') files.push(...listRecovered(event.run));
    },
  });
  if (aggregates) files.push(...listFiles(aggregates.exports.files));
  else log.warning(`no aggregates: ${String(runs.plan)}`);
  printWrittenFiles(files, io, log);
  return isWritten;
}

/** Recovers repeated runs or a sweep, and prints the aggregates. Returns whether all exports are written. */
async function recoverSeveral(
  runs: RepeatedRuns,
  options: Omit<RecoverOptions, 'onEvent'>,
  io: Io,
  log: Log,
  handleEvent: (event: RecoverRepeatedRunsEvent) => void,
): Promise<boolean> {
  const { aggregates, isWritten } = await recoverRepeatedRuns(runs, {
    ...options,
    formatConsole,
    onEvent: event => {
      handleEvent(event);
      if (event.type === 'recovery_ended') logRecovered(event.run, io, log);
    },
  });
  if (!aggregates) {
    log.warning(`no aggregates: ${String(runs.plan)}`);
    return isWritten;
  }
  const { plan, outcomes, exports, skipped } = aggregates;
  printAggregates(exports, { folder: runs.folder, order: plan.repetition.mode, io, log });
  const complete = outcomes.filter(isSuccess).length;
  const ending = skipped > 0 ? `; ${formatCount(skipped, 'run')} skipped after convergence` : '';
  const message = `${complete} of ${plan.runs.length} runs are complete${ending}`;
  if (complete + skipped === plan.runs.length) log.info(message);
  else log.warning(message);
  warnOfMissingIntervals(plan, exports.aggregates, log);
  return isWritten;
}

/** Logs the outcome of a run of repeated runs or a sweep. */
function logRecovered(run: RecoveredExports, io: Io, log: Log): void {
  const { profile, server } = run;
  if (!profile) {
    printExportedRun(run, io, log);
    return;
  }
  const { requests } = profile.document.recovered!;
  log.info(`${formatCount(requests, 'request')}, ${profile.document.was_cancelled ? 'killed' : 'complete'}`);
  for (const file of profile.files) if (!file.ok) log.error(file.message);
  for (const { format, failure } of server?.exports.results ?? [])
    if (failure !== undefined) log.error(`${format} export failed: ${failure}`);
}
