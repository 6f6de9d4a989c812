import { rmdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { formatBytes } from '@org/core';
import { renderSummary } from '@org/reader';
import { RunInputError } from '@org/record';
import { describeNoSuccess, formatCommandLine, isWritten, type ProfileResult, profile } from '@org/run';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import { findSilentEndpoints } from '../collect/collect.ts';
import { signalCode } from '../collect/command.ts';
import { Interruption, type InterruptSignal } from '../collect/interruption.ts';
import type { Io } from '../io.ts';
import { createLog, type Log } from '../log.ts';
import { reportLosses } from '../report.ts';
import { formatCount, logRunEvent, showFolder } from '../runMessages.ts';
import { version } from '../version.ts';
import type { ProfileOptions } from './options.ts';
import { LoadProgress } from './progress.ts';
import { reconciliationLines } from './reconciliation/screen.ts';
import { errorLines, headLines, metricTable, traceTable } from './screen.ts';
import { bullet, type ScreenLook } from './screentext.ts';
import { profileWarnings } from './warnings.ts';

/** Exit code if no request succeeded or an export is missing. */
const FAILED = 1;

/** Runs a single profile run with its log, progress line and summary. Returns the exit code. */
export async function runProfile(options: ProfileOptions, argv: readonly string[], io: Io): Promise<number> {
  const { plan } = options;
  const interruption = new Interruption();
  const progress = new LoadProgress(plan);
  const log = createLog(io, options.quiet, () => progress.clear());
  interruption.onFirst = () =>
    log.warning('ending the run: in-flight requests are cut off; press Ctrl-C again to quit at once');
  interruption.onSecond = signal => quit(signal, showFolder(plan.folder, io), progress, log);
  try {
    const result = await profile(plan, {
      version: version(),
      cliCommand: formatCommandLine(argv),
      signal: interruption.signal,
      onEvent: event => {
        logRunEvent(event, log, io);
        if (event.type === 'load_started') progress.start(event.active, io, log, options.live);
        if (event.type === 'load_ended') progress.stop();
      },
    });
    printResult(result, options, io, log);
    return getExitCode(result, options, interruption.received, log);
  } catch (error) {
    // Fails and is ignored if the folder is not empty.
    if (options.hasDefaultFolder && error instanceof RunInputError) await rmdir(plan.folder).catch(() => {});
    throw error;
  } finally {
    progress.stop();
    interruption.release();
  }
}

/** Handles the second Ctrl-C: exits without exports. They can be recovered from the journal. */
function quit(signal: InterruptSignal, folder: string, progress: LoadProgress, log: Log): never {
  progress.stop();
  log.error(
    `quitting without exports; the requests so far are in the .jsonl file in ${folder}; to write the exports, run: servelens recover ${folder}`,
  );
  process.exit(signalCode(signal));
}

/** Prints the summary of a run: client metrics, warnings, reconciliation, server metrics and the files. */
export function printResult(
  result: Pick<ProfileResult, 'document' | 'server' | 'reconciliation' | 'files'>,
  options: Pick<ProfileOptions, 'showTrace'>,
  io: Io,
  log: Log,
): void {
  const out = io.stdout;
  const look: ScreenLook = { width: getTerminalWidth(out), color: shouldUseColor(out, io.env) };
  const { document, server, reconciliation } = result;
  const parts = [
    headLines(document, look),
    metricTable(document, look),
    options.showTrace ? traceTable(document, look) : [],
    errorLines(document, look),
    profileWarnings(document).flatMap(message => bullet(message, look)),
    reconciliation ? reconciliationLines(reconciliation, look) : [],
    server ? renderSummary(server.exports.document, look).split('\n') : [],
  ];
  for (const lines of parts) if (lines.length > 0) out.write(`\n${lines.join('\n')}\n`);
  out.write('\n');
  const printFile = (path: string, size: number): void =>
    void out.write(`  ${relative(io.cwd, path)}  ${formatBytes(size)}\n`);
  for (const file of result.files) {
    if (file.ok) printFile(file.path, file.bytes);
    else log.error(file.message);
  }
  for (const { format, path, bytes: size, failure } of server?.exports.results ?? []) {
    if (failure === undefined) printFile(path, size!);
    else log.error(`no ${format} export: ${failure}`);
  }
  if (server) reportLosses(server.record, server.exports, log);
}

function getExitCode(
  result: ProfileResult,
  options: ProfileOptions,
  signal: InterruptSignal | undefined,
  log: Log,
): number {
  const { metrics, server, wasCancelled, load } = result;
  if (wasCancelled && signal) return signalCode(signal);
  if (!isWritten(result)) return FAILED;
  if (load.lostWorkers.length > 0) {
    log.error(
      `run aborted: ${load.lostWorkers.length} of ${formatCount(load.workers, 'worker thread')} exited; see the warnings`,
    );
    return FAILED;
  }
  if (metrics.succeeded === 0) {
    log.error(describeNoSuccess(metrics.failed));
    return FAILED;
  }
  const silent = server ? findSilentEndpoints(server.record) : [];
  if (!options.required || silent.length === 0) return 0;
  log.error(`--require-server-metrics: no data from ${silent.join(', ')}`);
  return FAILED;
}
