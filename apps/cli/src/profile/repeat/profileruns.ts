import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { formatValue } from '@org/core';
import { RunInputError } from '@org/record';
import { commandLine, type Log, makeFolder, makeOwnFolder } from '@org/run/lifecycle';
import { type ProfileOptions, profileFiles, runProfile } from '@org/run/profile';
import {
  cachedByRepetition,
  isSuccess,
  LEAST_RUNS,
  nameOf,
  PlanJournal,
  type PlannedRun,
  planRuns,
  type RepeatExports,
  type RepeatResult,
  type RunOutcome,
  type RunPlan,
  type RunReport,
  repeatRuns,
  writeRepeated,
} from '@org/run/repeat';
import { UsageError } from '@org/terminal';
import { signalCode } from '../../collect/command.ts';
import { Interruption, type InterruptSignal } from '../../collect/interruption.ts';
import type { ConfigFile } from '../../config/configfile.ts';
import type { Io } from '../../io.ts';
import { createLog } from '../../log.ts';
import type { RawOptions } from '../../optionvalue.ts';
import { reportLosses } from '../../report.ts';
import { version } from '../../version.ts';
import { readProfileOptions } from '../options.ts';
import { LoadProgressLine } from '../progress.ts';
import { coolDown } from './cooldown.ts';
import { readVariations } from './lists.ts';
import { readRepetition } from './repetition.ts';
import { showRepeated, warnOfMissing } from './show.ts';

/** Exit code when a run failed, or not all was written. */
const FAILED = 1;

/** Several runs, checked: the options of each variation by its index. */
export interface ProfileRuns {
  readonly plan: RunPlan;
  readonly options: readonly ProfileOptions[];
}

/**
 * Checks what was asked for, when it is more than one run: `--num-profile-runs`, or a list such as `--concurrency 1,2,4`.
 * Undefined when it is one; `file` as for `readProfileOptions`. Throws `UsageError`, also for what is wrong with a single variation.
 */
export function readProfileRuns(raw: RawOptions, io: Io, file?: ConfigFile): ProfileRuns | undefined {
  const variations = readVariations(raw);
  const repetition = readRepetition(raw, variations.parameters.length > 0);
  const plan = planRuns(variations, repetition);
  if (plan.runs.length === 1 && !plan.isSweep) return undefined;
  return { plan, options: variations.variations.map(({ raw: own }) => readProfileOptions(own, io, file)) };
}

/** `servelens profile` with several runs, shown on the terminal. Returns the exit code. */
export async function profileRuns(runs: ProfileRuns, argv: readonly string[], io: Io): Promise<number> {
  const session = new Session(runs, argv, io, await folderOf(runs));
  return await session.run();
}

/** The folder of all runs: that of the first one, without what is said of its load when that varies. */
async function folderOf({ plan, options: [first] }: ProfileRuns): Promise<string> {
  const { folder, folderIsOwn } = first!;
  if (folderIsOwn) {
    const names = plan.parameters.map(({ name }) => name).join('-');
    const stem = plan.isSweep ? basename(folder).replace(LOAD_OF_NAME, '') : basename(folder);
    return await makeOwnFolder(join(dirname(folder), plan.isSweep ? `${stem}-${names}-sweep` : stem));
  }
  await makeFolder(folder);
  const others = (await readdir(folder)).filter(name => /^(?:profile_runs|variation_\d+_.*)$/.test(name));
  if (others.length > 0)
    throw new UsageError(
      `--artifact-dir is ${JSON.stringify(folder)}, which has the runs of another benchmark (${others.sort()[0]}); name another folder, or remove them`,
    );
  return folder;
}

/** `-concurrency4-rate10` at the end of the folder's name. */
const LOAD_OF_NAME = /(?:-(?:concurrency|rate)[\d.e+-]+)+$/;

class Session {
  readonly #plan: RunPlan;
  readonly #options: readonly ProfileOptions[];
  readonly #argv: readonly string[];
  readonly #io: Io;
  readonly #folder: string;
  readonly #interruption = new Interruption();
  readonly #log: Log;
  #progress: LoadProgressLine | undefined;
  #isWritten = true;
  /** What is lost of one run is lost of all, and told once. */
  #isToldOfLosses = false;

  constructor({ plan, options }: ProfileRuns, argv: readonly string[], io: Io, folder: string) {
    this.#plan = plan;
    this.#options = options;
    this.#argv = argv;
    this.#io = io;
    this.#folder = folder;
    this.#log = createLog(io, options[0]!.quiet, () => this.#progress?.clear());
    this.#interruption.onFirst = () =>
      this.#log.warning(
        'ending: the run under way is cut off, those before it count; Ctrl-C again to quit at once',
      );
    this.#interruption.onSecond = signal => this.#quit(signal);
  }

  async run(): Promise<number> {
    const interrupted = this.#interruption.signal;
    const journal = this.#openJournal();
    try {
      const result = await repeatRuns(this.#plan, {
        interrupted,
        runOne: run => this.#runOne(run),
        coolDown: (seconds, next) => {
          const { live } = this.#options[0]!;
          return coolDown(seconds, nameOf(this.#plan, next), {
            io: this.#io,
            log: this.#log,
            live,
            interrupted,
          });
        },
        onRun: (run, at) =>
          this.#log.info(`run ${at + 1} of ${this.#plan.runs.length}: ${nameOf(this.#plan, run)}`),
        onOutcome: (outcome, report) => {
          journal.ended(outcome);
          this.#tellOutcome(outcome, report);
        },
      });
      return await this.#end(result, journal);
    } catch (error) {
      if (error instanceof RunInputError) await journal.close(true);
      throw error;
    } finally {
      this.#progress?.stop();
      this.#interruption.release();
    }
  }

  #openJournal(): PlanJournal {
    const { prefix, server } = this.#options[0]!;
    const about = {
      version: version(),
      csvLayout: server.layouts.csvLayout ?? ('servelens' as const),
      ...(prefix === undefined ? {} : { prefix }),
    };
    return new PlanJournal(this.#folder, this.#plan, about, this.#log);
  }

  async #runOne(run: PlannedRun): Promise<RunReport> {
    const folder = join(this.#folder, run.folder);
    await makeFolder(folder);
    const options = { ...this.#options[run.variation.index]!, folder, seed: run.seed };
    const progress = new LoadProgressLine(options);
    this.#progress = progress;
    try {
      const result = await runProfile(options, {
        version: version(),
        log: this.#log,
        // One for each run: what listens to it goes with it.
        interrupted: AbortSignal.any([this.#interruption.signal]),
        cliCommand: commandLine(this.#argv),
        runInfo: this.#runInfo(run),
        onStart: under => progress.start(under, this.#io, this.#log),
        onLoadEnd: () => progress.stop(),
      });
      this.#checkFiles(result);
      return {
        document: result.document,
        ...(result.server ? { servers: result.server.exports.document } : {}),
        requests: profileFiles(folder, options.prefix).jsonl,
        succeeded: result.metrics.succeeded,
        failed: result.metrics.failed,
        wasCancelled: result.wasCancelled,
      };
    } finally {
      progress.stop();
    }
  }

  #runInfo({ variation, trial, label }: PlannedRun): object {
    const { sweepId } = this.#plan;
    return {
      ...(sweepId === undefined ? {} : { sweep_id: sweepId }),
      trial,
      run_label: label,
      variation_label: variation.label,
      variation_index: variation.index,
      variation_values: variation.values,
    };
  }

  #checkFiles({ files, server }: Awaited<ReturnType<typeof runProfile>>): void {
    const failures = [
      ...files.flatMap(file => (file.ok ? [] : [file.message])),
      ...(server?.exports.results ?? []).flatMap(({ format, failure }) =>
        failure === undefined ? [] : [`no ${format} export: ${failure}`],
      ),
    ];
    if (failures.length > 0) this.#isWritten = false;
    for (const failure of failures) this.#log.error(failure);
    if (server && !this.#isToldOfLosses) reportLosses(server.record, server.exports, this.#log);
    this.#isToldOfLosses = true;
  }

  #tellOutcome(outcome: RunOutcome, report: RunReport | undefined): void {
    const name = nameOf(this.#plan, outcome.run);
    if (!isSuccess(outcome)) {
      this.#log.warning(`${name} does not count: ${outcome.error}`);
      return;
    }
    const of = (metric: string): string => {
      const found = outcome.figures.client.get(metric);
      return found ? formatValue(found.value, found.unit === 'ms' ? 'ms' : null) : '';
    };
    const parts = [
      `${report!.succeeded} requests`,
      ...(report!.failed > 0 ? [`${report!.failed} failed`] : []),
      `${of('request_throughput_avg')} req/s`,
      `latency p99 ${of('request_latency_p99')}`,
      ...(of('time_to_first_token_p99') === '' ? [] : [`TTFT p99 ${of('time_to_first_token_p99')}`]),
    ];
    this.#log.info(`${name}: ${parts.join(', ')}`);
  }

  async #end({ outcomes, wasCancelled }: RepeatResult, journal: PlanJournal): Promise<number> {
    const { repetition } = this.#plan;
    const exports = await writeRepeated(this.#plan, outcomes, {
      version: version(),
      confidenceLevel: repetition.confidenceLevel,
      cooldownSeconds: repetition.cooldownSeconds,
      wasCancelled,
      folder: this.#folder,
      csvLayout: this.#options[0]!.server.layouts.csvLayout ?? 'servelens',
    });
    showRepeated(exports, { folder: this.#folder, io: this.#io, log: this.#log });
    this.#warn(outcomes, exports, wasCancelled);
    const isWritten = this.#isWritten && exports.files.every(({ ok }) => ok);
    await journal.close(isWritten && !this.#options[0]!.server.keepJournal);
    if (!isWritten)
      this.#log.warning(
        `the journal stays: servelens recover ${relative(this.#io.cwd, this.#folder) || '.'}`,
      );
    const signal = this.#interruption.received;
    if (wasCancelled && signal) return signalCode(signal);
    return isWritten && outcomes.every(isSuccess) ? 0 : FAILED;
  }

  #warn(outcomes: readonly RunOutcome[], { aggregates }: RepeatExports, wasCancelled: boolean): void {
    const good = outcomes.filter(isSuccess).length;
    const planned = this.#plan.runs.length;
    if (wasCancelled) this.#log.warning(`interrupted: ${good} of ${planned} runs are complete`);
    else if (good < outcomes.length) this.#log.error(`${outcomes.length - good} of ${planned} runs failed`);
    if (this.#plan.repetition.runs < LEAST_RUNS) return;
    this.#warnOfCache(outcomes);
    warnOfMissing(this.#plan, aggregates, this.#log);
  }

  /** The same prompts again are other work for a server that has kept what it made of them. */
  #warnOfCache(outcomes: readonly RunOutcome[]): void {
    for (const { index } of this.#plan.variations) {
      const own = outcomes.filter(({ run }) => run.variation.index === index).filter(isSuccess);
      const cached = cachedByRepetition(own.map(({ figures }) => figures));
      if (!cached) continue;
      const [first, later] = [cached.first, cached.later].map(share => `${(100 * share).toFixed(0)} %`);
      this.#log.warning(
        `the servers had ${later} of the prompt tokens in their prefix cache in later runs, ${first} in the first: these did other work; --vary-seed-per-trial sends other prompts`,
      );
      return;
    }
  }

  /** The second Ctrl-C: nothing more is written. */
  #quit(signal: InterruptSignal): never {
    this.#progress?.stop();
    const folder = relative(this.#io.cwd, this.#folder) || '.';
    this.#log.error(
      `quitting at once, without aggregates; the runs so far are in ${folder}; to put them together: servelens recover ${folder}`,
    );
    process.exit(signalCode(signal));
  }
}
