import { formatShard, quoteShellPath } from '@org/core';
import type { LivePlan } from '@org/live';
import type { RunRecord } from '@org/record';
import {
  type CollectPlan,
  type CollectResult,
  collect,
  formatCommandLine,
  prepareLateImport,
  type RunEvent,
} from '@org/run';
import { SOCKET_VARIABLE } from '@org/run/marks';
import { createLog, type Log } from '@org/terminal/live';
import type { CommandContext, Io } from '@org/terminal/program';
import { createDashboardLog, loadDashboard } from '../dashboard/createDashboard.ts';
import type { Dashboard } from '../dashboard/dashboard.ts';
import { formatFolder, logRunEvent } from '../log/runMessages.ts';
import { Interruption, type InterruptSignal, toExitCode } from '../process/interruption.ts';
import { openPush, type RunPush } from '../push/runPush.ts';
import { type RunReport, watchLog } from '../result/runReport.ts';
import { CollectProgress } from '../screens/collectProgress.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { startWatching } from '../watch/watchChild.ts';
import { type ChildExit, runChildCommand } from './childCommand.ts';
import type { CollectOptions } from './collectOptions.ts';

/** Exit code if --require-server-metrics is not met, no server returned data or every server died, or an export is missing. */
const COLLECTION_FAILED = 1;

/**
 * Runs `servelens collect`. Returns the exit code. If a command runs and fails, this is the exit code of the command. `report`
 * receives the result for `--json`.
 */
export async function runCollect(
  options: CollectOptions,
  context: CommandContext,
  report?: RunReport,
): Promise<number> {
  const interruption = new Interruption();
  try {
    if (options.enabled) return await new CollectSession(options, context, interruption, report).run();
    const log = createLog(context.io, options.quiet);
    return (await runChildCommand(options.command, context.io, interruption, log)).exitCode;
  } finally {
    interruption.release();
  }
}

/** A collect run with its log, progress line and summary. */
class CollectSession {
  readonly #options: CollectOptions;
  readonly #context: CommandContext;
  readonly #io: Io;
  readonly #interruption: Interruption;
  readonly #progress: CollectProgress;
  readonly #exportLine = new ExportLine();
  #isExporting = false;
  readonly #screenLog: Log;
  readonly #log: Log;
  #dashboard: Dashboard | undefined;
  #push: RunPush | undefined;
  #childExit: ChildExit | undefined;
  readonly #report: RunReport | undefined;

  constructor(
    options: CollectOptions,
    context: CommandContext,
    interruption: Interruption,
    report: RunReport | undefined,
  ) {
    this.#report = report;
    report?.setFolder(options.plan.folder);
    this.#options = options;
    this.#context = context;
    this.#io = context.io;
    this.#progress = new CollectProgress(options.plan);
    this.#interruption = interruption;
    this.#screenLog = createLog(context.io, options.quiet, () => this.#clearLines());
    this.#log = watchLog(
      createDashboardLog(this.#screenLog, () => this.#dashboard),
      report,
    );
    interruption.onFirst = () => this.#reportInterruption();
    interruption.onSecond = signal => this.#quit(signal);
  }

  async run(): Promise<number> {
    const { plan, command, webPort } = this.#options;
    const createDashboard = await loadDashboard(this.#options);
    this.#dashboard = createDashboard?.(toLivePlan(plan), 'collect', this.#io);
    const pageLog = createLog(this.#io, false, () => this.#clearLines());
    const watching = startWatching(
      plan.folder,
      webPort,
      createDashboardLog(pageLog, () => this.#dashboard),
    );
    this.#push = await this.#openPush(pageLog);
    try {
      const result = await collect(plan, {
        version: this.#context.version,
        cliCommand: formatCommandLine(this.#context.argv),
        signal: this.#interruption.signal,
        onEvent: event => this.#handleEvent(event),
        ...(command.length > 0 ? { workload: ({ markSocket }) => this.#runCommand(markSocket) } : {}),
      });
      this.#stopLines();
      const hasLostServers = await this.#printReport(result);
      await this.#push?.end({ serverMetrics: result.exports.document });
      await this.#push?.close(plan.folder, plan.prefix);
      return this.#getExitCode(result, hasLostServers);
    } finally {
      this.#stopLines();
      watching?.release();
      this.#push?.release();
    }
  }

  async #openPush(lineLog: Log): Promise<RunPush | undefined> {
    const { plan, push: settings } = this.#options;
    const pageLog = createDashboardLog(lineLog, () => this.#dashboard);
    const context = { version: this.#context.version, log: this.#log, pageLog };
    const push = await openPush(settings, context);
    push?.start(toLivePlan(plan), {});
    return push;
  }

  #handleEvent(event: RunEvent): void {
    this.#dashboard?.handle(event);
    this.#push?.handle(event);
    logRunEvent(event, this.#log, this.#io);
    const isLive = this.#options.display !== 'none';
    if (event.type === 'endpoints_probed') {
      if (this.#dashboard) this.#dashboard.open();
      else this.#progress.start(event.endpoints, this.#io, this.#log, isLive);
    }
    if (event.type === 'phase_changed') this.#progress.setPhase(event.phase);
    if (event.type === 'export_progressed') {
      if (!this.#isExporting) this.#stopProgress();
      this.#isExporting = true;
      this.#exportLine.update(event.progress, this.#io, this.#log, isLive);
    }
  }

  #clearLines(): void {
    this.#progress.clear();
    this.#exportLine.clear();
  }

  #stopProgress(): void {
    this.#dashboard?.close(this.#screenLog);
    this.#progress.stop();
  }

  #stopLines(): void {
    this.#stopProgress();
    this.#exportLine.stop();
  }

  /** Responds to the first interrupt signal immediately, because the end of the run may take seconds. */
  #reportInterruption(): void {
    if (this.#isExporting)
      this.#log.warning('the exports are being written; press Ctrl-C again to quit without them');
    else if (this.#options.command.length > 0)
      this.#log.warning('ending the run after the command exits; press Ctrl-C again to terminate it');
    else this.#log.warning('ending the run and writing its exports; press Ctrl-C again to quit at once');
  }

  async #runCommand(markSocket: string | undefined): Promise<void> {
    const env = markSocket === undefined ? this.#io.env : { ...this.#io.env, [SOCKET_VARIABLE]: markSocket };
    const io = { ...this.#io, env };
    this.#childExit = await runChildCommand(
      this.#options.command,
      io,
      this.#interruption,
      this.#log,
      this.#report !== undefined,
    );
  }

  /** Handles the second Ctrl-C: exits without writing exports, which `servelens recover` can write later. */
  #quit(signal: InterruptSignal): never {
    this.#stopLines();
    const folder = formatFolder(this.#options.plan.folder, this.#io);
    this.#log.error(
      `quitting without exports; to write them, run: servelens recover ${quoteShellPath(folder)}`,
    );
    process.exit(toExitCode(signal));
  }

  /**
   * Prints the summary to stdout, or to stderr if a command runs and stdout is not a terminal, so that only the
   * output of the command is in stdout. Returns true if servers died and the exit code must report it.
   */
  async #printReport(result: CollectResult): Promise<boolean> {
    const { record, exports, gpus, files } = result;
    // Loaded after the run, to keep memory use low during scraping.
    prepareLateImport();
    const { printRun } = await import('../screens/runSummary.ts');
    const { stdout, stderr } = this.#io;
    const usesStderr = this.#options.command.length > 0 && !stdout.isTTY && !this.#report;
    const out = usesStderr ? stderr : stdout;
    printRun(record, exports, { out, io: this.#io, log: this.#log }, { document: gpus, files });
    if (this.#report) {
      const { createCollectFacts } = await import('../result/collectFacts.ts');
      this.#report.setFacts(createCollectFacts(this.#options.plan, result, this.#io.cwd));
    }
    const { reportDeadServers } = await import('../screens/deadServers.ts');
    return reportDeadServers(exports, this.#options.required, this.#log);
  }

  /** Reports whether sources have found no endpoint of this shard, which is not a failure: few endpoints are divided unevenly. */
  #isEmptyShard({ endpoints }: RunRecord): boolean {
    const { shard, sources } = this.#options.plan;
    if (endpoints.length > 0 || !shard || !sources) return false;
    this.#log.info(`no endpoint belongs to shard ${formatShard(shard)}`);
    return true;
  }

  #getExitCode({ record, isWritten, wasCancelled }: CollectResult, hasLostServers: boolean): number {
    const hasData = record.endpoints.some(({ store }) => store.frameCount > 0) || this.#isEmptyShard(record);
    if (!hasData) this.#log.error('no endpoint returned data, so the exports contain no metrics');
    const code = this.#childExit?.exitCode ?? (wasCancelled ? toExitCode(this.#interruption.received!) : 0);
    if (code !== 0) return code;
    const { required } = this.#options;
    const endpointsWithoutData = required ? findEndpointsWithoutData(record) : [];
    if (endpointsWithoutData.length > 0)
      this.#log.error(`--require-server-metrics: no data from ${endpointsWithoutData.join(', ')}`);
    const isComplete = isWritten && hasData && !hasLostServers && endpointsWithoutData.length === 0;
    // Without a command, the exports are the only purpose of the run.
    return isComplete || (this.#childExit && !required) ? 0 : COLLECTION_FAILED;
  }
}

/** Returns the limits of the phases, for the dashboard. */
function toLivePlan({ warmupSeconds = 0, durationSeconds, servers }: CollectPlan): LivePlan {
  return {
    ...(warmupSeconds === 0 ? {} : { warmup: { durationS: warmupSeconds } }),
    ...(durationSeconds === undefined ? {} : { profiling: { durationS: durationSeconds } }),
    ...(servers === undefined ? {} : { servers }),
  };
}

/** Returns the URLs of endpoints that never returned data, except duplicates of other endpoints and endpoints that were removed. */
export function findEndpointsWithoutData({ endpoints }: RunRecord): string[] {
  return endpoints
    .filter(
      ({ store, health }) =>
        store.frameCount === 0 && health.status !== 'duplicate' && health.status !== 'removed',
    )
    .map(({ url }) => url);
}
