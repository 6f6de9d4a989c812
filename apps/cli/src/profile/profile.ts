import { rmdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { formatBytes } from '@org/core';
import { renderSummary } from '@org/reader';
import { RunInputError } from '@org/record';
import { commandLine, type Log, makeFolder } from '@org/run/lifecycle';
import type { ProfileOptions } from '@org/run/profile';
import { isWritten, noSuccess, type ProfileResult, runProfile } from '@org/run/profile';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import { signalCode } from '../collect/command.ts';
import { Interruption, type InterruptSignal } from '../collect/interruption.ts';
import type { Io } from '../io.ts';
import { createLog } from '../log.ts';
import { reportLosses } from '../report.ts';
import { version } from '../version.ts';
import { LoadProgressLine } from './progress.ts';
import { reconciliationLines } from './reconciliation/screen.ts';
import { errorLines, headLines, metricTable, traceTable } from './screen.ts';
import { bullet, type ScreenLook } from './screentext.ts';
import { profileWarnings } from './warnings.ts';

/** Exit code when nothing was measured, or not all of it was written. */
const FAILED = 1;

/** `servelens profile`: one run, shown on the terminal. Returns the exit code. */
export async function profile(options: ProfileOptions, argv: readonly string[], io: Io): Promise<number> {
  const interruption = new Interruption();
  const progress = new LoadProgressLine(options);
  const log = createLog(io, options.quiet, () => progress.clear());
  const folder = relative(io.cwd, options.folder) || '.';
  interruption.onFirst = () =>
    log.warning('ending: what is under way is cut off; Ctrl-C again to quit at once');
  interruption.onSecond = signal => quit(signal, folder, progress, log);
  try {
    await makeFolder(options.folder);
    const result = await runProfile(options, {
      version: version(),
      log,
      interrupted: interruption.signal,
      cliCommand: commandLine(argv),
      onStart: run => progress.start(run, io, log),
      onLoadEnd: () => progress.stop(),
    });
    showResult(result, options, io, log);
    return exitCode(result, options, interruption.received, log);
  } catch (error) {
    // A folder that we made for a run that never was; one with something in it stays.
    if (options.folderIsOwn && error instanceof RunInputError) await rmdir(options.folder).catch(() => {});
    throw error;
  } finally {
    progress.stop();
    interruption.release();
  }
}

/** The second Ctrl-C: nothing more is written. */
function quit(signal: InterruptSignal, folder: string, progress: LoadProgressLine, log: Log): never {
  progress.stop();
  log.error(
    `quitting at once, without exports; the requests so far are in the .jsonl of ${folder}; to have the exports: servelens recover ${folder}`,
  );
  process.exit(signalCode(signal));
}

/** Prints what a run was like: client, servers, both against each other, and which files say more. */
export function showResult(
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
  for (const file of result.files) {
    if (file.ok) out.write(`  ${relative(io.cwd, file.path)}  ${formatBytes(file.bytes)}\n`);
    else log.error(file.message);
  }
  for (const { format, path, bytes: size, failure } of server?.exports.results ?? []) {
    if (failure === undefined) out.write(`  ${relative(io.cwd, path)}  ${formatBytes(size!)}\n`);
    else log.error(`no ${format} export: ${failure}`);
  }
  if (server) reportLosses(server.record, server.exports, log);
}

function exitCode(
  result: ProfileResult,
  options: ProfileOptions,
  signal: InterruptSignal | undefined,
  log: Log,
): number {
  const { metrics, server, wasCancelled, load } = result;
  if (wasCancelled && signal) return signalCode(signal);
  if (!isWritten(result)) return FAILED;
  // Which one, and why, stands among the warnings.
  if (load.lost.length > 0) {
    log.error(`the run was cut: of ${load.workers} load thread(s) ${load.lost.length} ended early`);
    return FAILED;
  }
  if (metrics.succeeded === 0) {
    log.error(noSuccess(metrics.failed));
    return FAILED;
  }
  const silent = (server?.record.endpoints ?? []).filter(
    ({ store, health }) => store.frameCount === 0 && health.status !== 'duplicate',
  );
  if (!options.server.required || silent.length === 0) return 0;
  log.error(`--require-server-metrics: no data from ${silent.map(({ url }) => url).join(', ')}`);
  return FAILED;
}
