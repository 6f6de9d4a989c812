import { formatCount, formatShard, quoteShellPath } from '@org/core';
import type { EndedRun, RunDescription } from '@org/push';
import {
  describeFailedRun,
  findAbortReason,
  formatCommandLine,
  type ProfilePlan,
  type ProfileResult,
  profile,
  readCounts,
  ServerControlError,
} from '@org/run';
import { createLog, type Log } from '@org/terminal/live';
import type { CommandContext } from '@org/terminal/program';
import { findEndpointsWithoutData } from '../collect/collectSession.ts';
import { createDashboardLog, loadDashboard } from '../dashboard/createDashboard.ts';
import { LoadDisplay } from '../dashboard/loadDisplay.ts';
import { formatFolder, logRunEvent } from '../log/runMessages.ts';
import { Interruption, type InterruptSignal, toExitCode } from '../process/interruption.ts';
import { openPush } from '../push/runPush.ts';
import { createProfileFacts } from '../result/profileFacts.ts';
import { type RunReport, watchLog } from '../result/runReport.ts';
import { reportDeadServers } from '../screens/deadServers.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { formatConsoleFile, printProfile } from '../screens/profileSummary.ts';
import { startWatching } from '../watch/watchChild.ts';
import type { ProfileOptions } from './profileOptions.ts';

/**
 * Exit code if more than half of the requests failed, an export is missing, the run was aborted, or
 * --require-server-metrics is not met.
 */
const FAILED = 1;

/**
 * Runs a single profile run with its log, progress line and summary. Returns the exit code. `report` receives the result for
 * `--json`.
 */
export async function runProfile(
  options: ProfileOptions,
  { io, argv, version }: CommandContext,
  report?: RunReport,
): Promise<number> {
  const { plan } = options;
  report?.setFolder(plan.folder);
  const interruption = new Interruption();
  const exportLine = new ExportLine();
  let isLoadOver = false;
  const isLive = options.display !== 'none';
  const createDashboard = await loadDashboard(options);
  const dashboard = createDashboard?.(plan, plan.request.models.join(', '), io);
  const clearLines = (): void => {
    display.clear();
    exportLine.clear();
  };
  const screenLog = createLog(io, options.quiet, clearLines);
  const display = new LoadDisplay(plan, options, dashboard, io, screenLog);
  const log = watchLog(
    createDashboardLog(screenLog, () => dashboard),
    report,
  );
  const pageLog = createDashboardLog(createLog(io, false, clearLines), () => dashboard);
  const watching = startWatching(plan.folder, options.webPort, pageLog);
  const push = await openPush(options.push, { version, log, pageLog });
  push?.start(plan, describePlan(plan));
  interruption.onFirst = () =>
    log.warning(
      isLoadOver
        ? 'the exports are being written; press Ctrl-C again to quit without them'
        : 'ending the run: in-flight requests are cancelled; press Ctrl-C again to quit at once',
    );
  interruption.onSecond = signal => {
    display.stop();
    quit(signal, formatFolder(plan.folder, io), log);
  };
  try {
    if (plan.shard && plan.startAtMs === undefined)
      log.info(
        `shard ${formatShard(plan.shard)} starts when it is ready; set --start-at to start all shards at the same time`,
      );
    const result = await profile(plan, {
      version,
      cliCommand: formatCommandLine(argv),
      signal: interruption.signal,
      formatConsole: result => formatConsoleFile(result, options),
      onEvent: event => {
        display.follow(event);
        push?.handle(event);
        logRunEvent(event, log, io);
        if (event.type === 'load_ended') isLoadOver = true;
        if (event.type === 'export_progressed') exportLine.update(event.progress, io, log, isLive);
      },
    });
    exportLine.stop();
    printProfile(result, options, io, log);
    report?.setFacts(createProfileFacts(plan.folder, result, io.cwd));
    await push?.end(toEndedRun(result));
    await push?.close(plan.folder, plan.prefix);
    return getExitCode(result, options, interruption.received, log);
  } catch (error) {
    if (!(error instanceof ServerControlError)) throw error;
    log.error(error.message);
    return FAILED;
  } finally {
    display.stop();
    exportLine.stop();
    interruption.release();
    watching?.release();
    push?.release();
  }
}

/** Returns the model and the API of a run, for pushed values. */
export function describePlan({ request }: ProfilePlan): RunDescription {
  return { models: request.models, endpointType: request.endpoint };
}

/** Returns the exports of a run, for pushed values. */
export function toEndedRun({ document, server }: ProfileResult): EndedRun {
  return { profile: document, ...(server ? { serverMetrics: server.exports.document } : {}) };
}

/** Handles the second Ctrl-C: exits without writing exports, which `servelens recover` can write later. */
function quit(signal: InterruptSignal, folder: string, log: Log): never {
  log.error(
    `quitting without exports; the requests so far are in the .jsonl file in ${folder}; to write the exports, run: servelens recover ${quoteShellPath(folder)}`,
  );
  process.exit(toExitCode(signal));
}

function getExitCode(
  result: ProfileResult,
  options: ProfileOptions,
  signal: InterruptSignal | undefined,
  log: Log,
): number {
  const { document, server, wasCancelled, load } = result;
  if (wasCancelled && signal) return toExitCode(signal);
  const hasLostServers = server ? reportDeadServers(server.exports, options.required, log) : false;
  if (!result.isWritten) return FAILED;
  if (load.lostWorkers.length > 0) {
    log.error(
      `run aborted: ${load.lostWorkers.length} of ${formatCount(load.workers, 'worker thread')} exited; see the warnings`,
    );
    return FAILED;
  }
  const failure = findAbortReason(document) ?? describeFailedRun(readCounts(document));
  if (failure !== undefined) {
    log.error(failure);
    return FAILED;
  }
  if (hasLostServers) return FAILED;
  const endpointsWithoutData = server ? findEndpointsWithoutData(server.record) : [];
  if (!options.required || endpointsWithoutData.length === 0) return 0;
  log.error(`--require-server-metrics: no data from ${endpointsWithoutData.join(', ')}`);
  return FAILED;
}
