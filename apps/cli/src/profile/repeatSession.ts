import { formatDuration, quoteShellPath } from '@org/core';
import {
  checkLimits,
  formatCommandLine,
  formatRunName,
  profileRepeatedly,
  type RepeatEvent,
  type RepeatPlan,
  type RepeatResult,
  ServerControlError,
  type Variation,
} from '@org/run';
import { CountdownLine, createLog, type Log } from '@org/terminal/live';
import type { CommandContext, Io } from '@org/terminal/program';
import { type CreateDashboard, createDashboardLog, loadDashboard } from '../dashboard/createDashboard.ts';
import { LoadDisplay } from '../dashboard/loadDisplay.ts';
import { formatFolder, logRunEvent } from '../log/runMessages.ts';
import { withRunFolder } from '../options/defaultFolder.ts';
import { Interruption, type InterruptSignal, toExitCode } from '../process/interruption.ts';
import { openPush, type RunPush } from '../push/runPush.ts';
import { createRepeatFacts } from '../result/profileFacts.ts';
import { type RunReport, watchLog } from '../result/runReport.ts';
import { printAggregates } from '../screens/aggregates.ts';
import { formatConvergence } from '../screens/convergence.ts';
import { ExportLine } from '../screens/exportLine.ts';
import { formatConsoleFile } from '../screens/profileSummary.ts';
import { logRepeatWarnings } from '../screens/repeatWarnings.ts';
import { printSearch } from '../screens/searchResult.ts';
import { startWatching } from '../watch/watchChild.ts';
import { EndedRuns } from './endedRuns.ts';
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
  readonly #ended: EndedRuns;
  #display: LoadDisplay | undefined;
  #push: RunPush | undefined;
  readonly #report: RunReport | undefined;
  /** Resolves when the statistics of all runs that have ended wait to be pushed. */
  #pushed: Promise<void> = Promise.resolve();

  constructor(
    { runs, options, readVariation }: ProfileRuns,
    context: CommandContext,
    folder: string,
    createDashboard: CreateDashboard | undefined,
    report: RunReport | undefined,
  ) {
    this.#report = report;
    report?.setFolder(folder);
    const { quiet, required } = options[0]!;
    this.#runs = runs;
    this.#options = options;
    this.#readVariation = readVariation;
    this.#context = context;
    this.#io = context.io;
    this.#folder = folder;
    this.#createDashboard = createDashboard;
    this.#screenLog = this.#createLog(quiet);
    this.#log = watchLog(this.#createDashboardLog(this.#screenLog), report);
    this.#ended = new EndedRuns(runs, required, this.#log);
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
        if (event.result) this.#pushed = this.#push?.end(toEndedRun(event.result)) ?? this.#pushed;
        this.#ended.report(event);
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
    logRepeatWarnings(this.#runs, result, this.#log);
    if (!isWritten)
      this.#log.warning(
        `the journal is kept; to write missing exports, run: servelens recover ${quoteShellPath(formatFolder(this.#folder, this.#io))}`,
      );
    const signal = this.#interruption.received;
    if (wasCancelled && signal) return toExitCode(signal);
    const hasSucceeded = exports.search
      ? exports.search.convergence_reason !== 'unknown_verdict'
      : outcomes.every(isUsable);
    return isWritten && !this.#ended.lacksServerMetrics && hasSucceeded ? 0 : FAILED;
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
