import { formatCount, formatDuration, formatValue, quoteShellPath } from '@org/core';
import {
  checkLimits,
  describeFailedRun,
  formatCommandLine,
  formatRunName,
  isSuccess,
  MIN_INTERVAL_RUNS,
  type ProfileResult,
  profileRepeatedly,
  type RepeatEvent,
  type RepeatPlan,
  type RepeatResult,
  type RunOutcome,
  ServerControlError,
  type Variation,
} from '@org/run';
import { CountdownLine, createLog, type Log } from '@org/terminal/live';
import type { CommandContext, Io } from '@org/terminal/program';
import { findEndpointsWithoutData } from '../collect/collectSession.ts';
import { type CreateDashboard, createDashboardLog, loadDashboard } from '../dashboard/createDashboard.ts';
import { LoadDisplay } from '../dashboard/loadDisplay.ts';
import { formatFolder, logRunEvent } from '../log/runMessages.ts';
import { withRunFolder } from '../options/defaultFolder.ts';
import { Interruption, type InterruptSignal, toExitCode } from '../process/interruption.ts';
import { openPush, type RunPush } from '../push/runPush.ts';
import { createRepeatFacts } from '../result/profileFacts.ts';
import { type RunReport, watchLog } from '../result/runReport.ts';
import { printAggregates, warnOfMissingIntervals } from '../screens/aggregates.ts';
import { formatConvergence } from '../screens/convergence.ts';
import { reportDeadServers } from '../screens/deadServers.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { formatConsoleFile } from '../screens/profileSummary.ts';
import { logLosses } from '../screens/runSummary.ts';
import { logLimits, printSearch } from '../screens/searchResult.ts';
import { startWatching } from '../watch/watchChild.ts';
import { checkInputFile } from './inputPlan.ts';
import type { ProfileOptions } from './profileOptions.ts';
import { countRuns, isUsable, type ProfileRuns } from './profileRuns.ts';
import { describePlan, toEndedRun } from './profileSession.ts';

/** Exit code if a run failed or an export is missing. */
const FAILED = 1;

/**
 * Runs repeated runs or a sweep, with a log, progress line and summary. Returns the exit code. `finish` is called with the
 * folder and the exit code, and returns the final one. `report` receives the result for `--json`.
 */
export async function runProfileRuns(
  profileRuns: ProfileRuns,
  context: CommandContext,
  finish: (folder: string, code: number) => Promise<number>,
  report?: RunReport,
): Promise<number> {
  const { search } = profileRuns.runs;
  if (search) await checkLimits(search);
  // As in AIPerf, the default name of the folder has the values of the first variation.
  const [first] = profileRuns.options;
  const { plan, hasDefaultFolder, quiet } = first!;
  checkInputFile(plan.inputs);
  const runFolder = { folder: plan.folder, isDefault: hasDefaultFolder, quiet };
  return await withRunFolder(runFolder, context.io, async folder => {
    const createDashboard = await loadDashboard(first!);
    const session = new RepeatSession(profileRuns, context, folder, createDashboard, report);
    return finish(folder, await session.run());
  });
}

/** Repeated runs or a sweep, with a log, progress line and summary. */
class RepeatSession {
  readonly #runs: RepeatPlan;
  readonly #options: readonly ProfileOptions[];
  readonly #readVariation: ProfileRuns['readVariation'];
  readonly #context: CommandContext;
  readonly #io: Io;
  readonly #folder: string;
  readonly #interruption = new Interruption();
  readonly #log: Log;
  readonly #screenLog: Log;
  readonly #createDashboard: CreateDashboard | undefined;
  readonly #cooldown = new CountdownLine();
  readonly #exportLine = new ExportLine();
  #display: LoadDisplay | undefined;
  #push: RunPush | undefined;
  readonly #report: RunReport | undefined;
  /** Resolves when the statistics of all runs that have ended wait to be pushed. */
  #pushed: Promise<void> = Promise.resolve();
  /** True if data losses have been logged. They rarely differ between runs, so only the losses of the first run are logged. */
  #hasLoggedLosses = false;
  /** True if all servers of a run died, or if a run does not meet --require-server-metrics. */
  #lacksServerMetrics = false;

  constructor(
    { runs, options, readVariation }: ProfileRuns,
    context: CommandContext,
    folder: string,
    createDashboard: CreateDashboard | undefined,
    report: RunReport | undefined,
  ) {
    this.#report = report;
    report?.setFolder(folder);
    const { quiet } = options[0]!;
    this.#runs = runs;
    this.#options = options;
    this.#readVariation = readVariation;
    this.#context = context;
    this.#io = context.io;
    this.#folder = folder;
    this.#createDashboard = createDashboard;
    this.#screenLog = this.#createLog(quiet);
    this.#log = watchLog(this.#createDashboardLog(this.#screenLog), report);
    this.#interruption.onFirst = () =>
      this.#log.warning(
        'ending the runs: the current run is cancelled, completed runs are kept; press Ctrl-C again to quit at once',
      );
    this.#interruption.onSecond = signal => this.#quit(signal);
  }

  #createLog(quiet: boolean): Log {
    return createLog(this.#io, quiet, () => {
      this.#display?.clear();
      this.#exportLine.clear();
    });
  }

  #createDashboardLog(log: Log): Log {
    return createDashboardLog(log, () => this.#display?.dashboard);
  }

  async run(): Promise<number> {
    const { webPort } = this.#options[0]!;
    const pageLog = this.#createDashboardLog(this.#createLog(false));
    const watching = startWatching(this.#folder, webPort, pageLog);
    const { version } = this.#context;
    const context = { version, log: this.#log, pageLog };
    this.#push = await openPush(this.#options[0]!.push, context);
    try {
      const result = await profileRepeatedly(
        {
          folder: this.#folder,
          runs: this.#runs,
          profiles: this.#options.map(({ plan }) => plan),
          ...(this.#readVariation && { createProfile: variation => this.#getOptions(variation).plan }),
        },
        {
          version: this.#context.version,
          cliCommand: formatCommandLine(this.#context.argv),
          signal: this.#interruption.signal,
          onEvent: event => this.#handleEvent(event),
          formatConsole: run => formatConsoleFile(run, { showTrace: false }),
        },
      );
      const code = this.#finish(result);
      await this.#pushed;
      await this.#push?.close(this.#folder, this.#options[0]!.plan.prefix);
      return code;
    } catch (error) {
      if (!(error instanceof ServerControlError)) throw error;
      this.#log.error(error.message);
      return FAILED;
    } finally {
      this.#display?.stop();
      this.#exportLine.stop();
      this.#interruption.release();
      watching?.release();
      this.#push?.release();
    }
  }

  #getOptions(variation: Variation): ProfileOptions {
    return this.#readVariation?.(variation) ?? this.#options[variation.index]!;
  }

  get #isLive(): boolean {
    return this.#options[0]!.display !== 'none';
  }

  /** Creates the display of a run. It appears when the load starts. */
  #createDisplay({ index, run }: Extract<RepeatEvent, { type: 'run_started' }>): void {
    const { plan } = this.#getOptions(run.variation);
    const title = `run ${index + 1} of ${countRuns(this.#runs)}: ${formatRunName(this.#runs, run)}`;
    const dashboard = this.#createDashboard?.(plan, title, this.#io);
    this.#display = new LoadDisplay(plan, this.#options[0]!, dashboard, this.#io, this.#screenLog);
    this.#log.info(title);
    this.#push?.start(plan, describePlan(plan));
  }

  #handleEvent(event: RepeatEvent): void {
    switch (event.type) {
      case 'cooldown_started':
        this.#startCooldown(event.seconds, formatRunName(this.#runs, event.next));
        break;
      case 'cooldown_ended':
        this.#cooldown.stop();
        break;
      case 'convergence_checked':
        this.#reportConvergence(event);
        break;
      case 'run_started':
        this.#createDisplay(event);
        break;
      case 'export_progressed':
        this.#exportLine.update(event.progress, this.#io, this.#log, this.#isLive);
        break;
      case 'run_ended':
        this.#display?.stop();
        this.#exportLine.stop();
        if (event.result) this.#reportFiles(event.result);
        if (event.result) this.#pushed = this.#push?.end(toEndedRun(event.result)) ?? this.#pushed;
        this.#reportOutcome(event.outcome);
        if (event.measurement) logLimits(event.measurement, this.#log);
        if (event.result)
          this.#checkServerMetrics(event.result, formatRunName(this.#runs, event.outcome.run));
        break;
      default:
        this.#display?.follow(event);
        this.#push?.handle(event);
        logRunEvent(event, this.#log, this.#io);
    }
  }

  /** Shows a live countdown to the run named `next`, or logs a line if live output is disabled. */
  #startCooldown(seconds: number, next: string): void {
    if (!this.#isLive) this.#log.info(`cooling down ${formatDuration(seconds)} before ${next}`);
    else
      this.#cooldown.start(
        seconds,
        remaining => [`cooling down ${formatDuration(remaining)}`, `then ${next}`],
        this.#io,
      );
  }

  /** Logs whether the runs of a variation have converged, and how far they are from it. */
  #reportConvergence(event: Extract<RepeatEvent, { type: 'convergence_checked' }>): void {
    const prefix = this.#runs.isSweep ? `${event.run.variation.label}: ` : '';
    const message = prefix + formatConvergence(event.convergence, event.remaining);
    if (event.convergence.converged || event.remaining > 0) this.#log.info(message);
    else this.#log.warning(message);
  }

  #reportFiles({ files, server }: ProfileResult): void {
    for (const file of files) if (!file.ok) this.#log.error(file.message);
    for (const { format, failure } of server?.exports.results ?? [])
      if (failure !== undefined) this.#log.error(`${format} export failed: ${failure}`);
    if (server && !this.#hasLoggedLosses) logLosses(server.record, server.exports, this.#log);
    this.#hasLoggedLosses = true;
  }

  #reportOutcome(outcome: RunOutcome): void {
    const name = formatRunName(this.#runs, outcome.run);
    if (!isSuccess(outcome) && outcome.endedEarly) {
      this.#log.info(`${name}: ${outcome.error}`);
      return;
    }
    if (!isSuccess(outcome)) {
      this.#log.warning(`${name} failed and is excluded from aggregates: ${outcome.error}`);
      return;
    }
    const formatMetric = (metric: string): string => {
      const statistic = outcome.statistics.client.get(metric);
      return statistic ? formatValue(statistic.value, statistic.unit === 'ms' ? 'ms' : null) : '';
    };
    const { succeeded, failed, cancelled } = outcome.counts;
    const firstToken = formatMetric('time_to_first_token_p99');
    const details = [
      formatCount(succeeded, 'request'),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
      `${formatMetric('request_throughput_avg')} req/s`,
      `latency p99 ${formatMetric('request_latency_p99')}`,
      ...(firstToken === '' ? [] : [`TTFT p99 ${firstToken}`]),
    ];
    this.#log.info(`${name}: ${details.join(', ')}`);
    const failure = describeFailedRun(outcome.counts);
    if (failure !== undefined) this.#log.error(`${name}: ${failure}`);
  }

  /** Reports dead servers and, with --require-server-metrics, endpoints without data. */
  #checkServerMetrics({ server }: ProfileResult, name: string): void {
    if (!server) return;
    const { required } = this.#options[0]!;
    if (reportDeadServers(server.exports, required, this.#log)) this.#lacksServerMetrics = true;
    const endpoints = required ? findEndpointsWithoutData(server.record) : [];
    if (endpoints.length === 0) return;
    this.#lacksServerMetrics = true;
    this.#log.error(`--require-server-metrics: ${name}: no data from ${endpoints.join(', ')}`);
  }

  #finish(result: RepeatResult): number {
    const { outcomes, wasCancelled, exports, isWritten } = result;
    printAggregates(exports, {
      folder: this.#folder,
      order: this.#runs.repetition.mode,
      io: this.#io,
      log: this.#log,
    });
    if (exports.search) printSearch(exports.search, this.#io);
    this.#report?.setFacts(createRepeatFacts(this.#folder, result));
    this.#reportWarnings(result);
    if (!isWritten)
      this.#log.warning(
        `the journal is kept; to write missing exports, run: servelens recover ${quoteShellPath(formatFolder(this.#folder, this.#io))}`,
      );
    const signal = this.#interruption.received;
    if (wasCancelled && signal) return toExitCode(signal);
    const hasSucceeded = exports.search
      ? exports.search.convergence_reason !== 'unknown_verdict'
      : outcomes.every(isUsable);
    return isWritten && !this.#lacksServerMetrics && hasSucceeded ? 0 : FAILED;
  }

  #reportWarnings({ outcomes, wasCancelled, exports, prefixCacheReuse }: RepeatResult): void {
    const complete = outcomes.filter(isSuccess).length;
    const planned = this.#runs.runs.length;
    if (exports.search) return;
    if (wasCancelled) this.#log.warning(`interrupted: ${complete} of ${planned} runs are complete`);
    else if (complete < outcomes.length)
      this.#log.error(`${outcomes.length - complete} of ${planned} runs failed`);
    if (this.#runs.repetition.runs < MIN_INTERVAL_RUNS) return;
    if (prefixCacheReuse) {
      const [first, later] = [prefixCacheReuse.first, prefixCacheReuse.later].map(
        ratio => `${(100 * ratio).toFixed(0)}%`,
      );
      this.#log.warning(
        `later runs were served from the prefix cache (${later} of prompt tokens, ${first} in the first run), so they measured different work; use --vary-seed-per-trial to send different prompts`,
      );
    }
    warnOfMissingIntervals(this.#runs, exports.aggregates, this.#log);
  }

  /** Handles the second Ctrl-C: exits without writing aggregates, which `servelens recover` can write later. */
  #quit(signal: InterruptSignal): never {
    this.#display?.stop();
    const folder = formatFolder(this.#folder, this.#io);
    this.#log.error(
      `quitting without aggregates; the runs so far are in ${folder}; to aggregate them, run: servelens recover ${quoteShellPath(folder)}`,
    );
    process.exit(toExitCode(signal));
  }
}
