import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytes, renderSummary } from '@org/reader';
import { type Clock, hidePassword, type JournalWriter, systemClock } from '@org/scrape';
import { exportRun, type RunExports } from '../export/write.ts';
import { type Io, wantsColor, widthOf } from '../io.ts';
import { openJournal, type RunHeader } from '../journal.ts';
import { createLog, type Log } from '../log.ts';
import type { RunRecord } from '../run.ts';
import { UsageError } from '../usage.ts';
import { version } from '../version.ts';
import { Collection } from './collection.ts';
import { type CommandEnd, RunningCommand, signalCode } from './command.ts';
import { Interruption, type InterruptSignal } from './interruption.ts';
import type { CollectOptions } from './options.ts';
import { Progress } from './progress.ts';

/** Exit code when collecting failed and --require-server-metrics was given. */
const COLLECTION_FAILED = 1;

/**
 * `servelens collect`: scrapes the endpoints while a command runs, or for a time, or until Ctrl-C; writes the exports and
 * prints what they say. Returns the exit code: the command's own where there is one.
 */
export async function collect(options: CollectOptions, argv: readonly string[], io: Io): Promise<number> {
  const interruption = new Interruption();
  try {
    if (options.enabled) {
      await makeFolder(options.folder);
      return await new CollectRun(options, argv, io, interruption).run();
    }
    return (await runCommand(options, io, interruption, createLog(io, options.quiet))).exitCode;
  } finally {
    interruption.release();
  }
}

class CollectRun {
  readonly #options: CollectOptions;
  readonly #argv: readonly string[];
  readonly #io: Io;
  readonly #interruption: Interruption;
  readonly #log: Log;
  readonly #progress: Progress;
  readonly #clock: Clock;
  readonly #collection: Collection;
  readonly #journal: JournalWriter;
  readonly #benchmarkId: string = randomUUID();

  constructor(options: CollectOptions, argv: readonly string[], io: Io, interruption: Interruption) {
    this.#options = options;
    this.#argv = argv;
    this.#io = io;
    this.#interruption = interruption;
    this.#clock = systemClock();
    this.#progress = new Progress(this.#clock);
    this.#log = createLog(io, options.quiet, () => this.#progress.clear());
    const startNs = this.#clock.nowNs();
    this.#journal = openJournal(options.folder, this.#header(startNs), {
      clock: this.#clock,
      onTrouble: ({ state, message }) =>
        state === 'failing' ? this.#log.warning(message) : this.#log.info(message),
    });
    this.#collection = new Collection({
      targets: options.targets,
      clock: this.#clock,
      settings: options.settings,
      startNs,
      journal: this.#journal,
      onEvent: ({ kind, message }) => {
        if (kind === 'swapped' || kind === 'back' || kind === 'left_out') this.#log.info(message);
        else this.#log.warning(message);
      },
    });
    interruption.onSecond = signal => this.#quit(signal);
  }

  async run(): Promise<number> {
    await this.#begin();
    const end = await this.#collectWhile();
    await this.#finish();
    const { benchmarkId, version, inputConfig } = this.#header(0n);
    const record = this.#collection.record({ benchmarkId, version, inputConfig, cancelled: this.#cancelled });
    const exports = await this.#export(record);
    await this.#closeJournal(exports);
    this.#report(record, exports);
    return this.#exitCode(end, record, exports);
  }

  #header(startNs: bigint): RunHeader {
    const { formats, prefix, sliceSeconds, percentileMethod } = this.#options;
    return {
      benchmarkId: this.#benchmarkId,
      version: version(),
      startNs,
      inputConfig: inputConfig(this.#options, this.#argv, this.#benchmarkId),
      exports: {
        formats,
        percentileMethod,
        ...(prefix === undefined ? {} : { prefix }),
        ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
      },
    };
  }

  /** Once all exports are written the journal has served; until then it is what can be recovered. */
  async #closeJournal({ results }: RunExports): Promise<void> {
    const written = results.every(({ failure }) => failure === undefined);
    try {
      if (written && !this.#options.keepJournal) await this.#journal.remove();
      else await this.#journal.close();
    } catch (error) {
      this.#log.warning(`cannot remove the journal: ${(error as Error).message}`);
    }
    if (!written) this.#log.warning(`the journal stays: servelens recover ${this.#shownFolder}`);
  }

  get #shownFolder(): string {
    return relative(this.#io.cwd, this.#options.folder) || '.';
  }

  /** The second Ctrl-C: nothing more is written; the journal has what was collected. */
  #quit(signal: InterruptSignal): never {
    this.#progress.stop();
    this.#log.error(
      `quitting at once, without exports; to have them: servelens recover ${this.#shownFolder}`,
    );
    process.exit(signalCode(signal));
  }

  /** Without a command and a duration Ctrl-C is how a run ends; with one of them it cuts the run short. */
  get #cancelled(): boolean {
    const { command, durationSeconds } = this.#options;
    return this.#interruption.received !== undefined && (command.length > 0 || durationSeconds !== undefined);
  }

  async #begin(): Promise<void> {
    const { endpoints } = this.#collection;
    const reached = await this.#untilInterrupted(this.#collection.reach());
    this.#log.info(`Server metrics enabled - ${reached ?? 0}/${endpoints.length} endpoint(s) reachable`);
    for (const { health, url } of endpoints) {
      if (health.status !== 'no_data' || !health.lastOutage) continue;
      this.#log.warning(`endpoint '${url}' ${health.lastOutage.message}; it is tried again during the run`);
    }
    await this.#untilInterrupted(this.#collection.baseline());
  }

  /** Warm-up and profiling, until the command has ended, the time is over or Ctrl-C. */
  async #collectWhile(): Promise<CommandEnd | undefined> {
    const { command, warmupSeconds, durationSeconds, live } = this.#options;
    const stop = new AbortController();
    if (warmupSeconds === 0) this.#profile();
    const end =
      command.length > 0 ? runCommand(this.#options, this.#io, this.#interruption, this.#log) : undefined;
    this.#collection.start();
    this.#progress.start(this.#collection.endpoints, this.#io, this.#log, live);
    const warmup = warmupSeconds > 0 ? this.#warmUp(warmupSeconds, stop.signal) : Promise.resolve();
    const over = end ?? warmup.then(() => pause(durationSeconds, stop.signal));
    await (end ?? Promise.race([over, this.#interruption.first]));
    stop.abort();
    await warmup;
    if (!this.#profiling) this.#warnOfWarmup();
    return end;
  }

  async #warmUp(seconds: number, signal: AbortSignal): Promise<void> {
    await pause(seconds, signal);
    if (signal.aborted) return;
    await this.#collection.baseline();
    if (!signal.aborted) this.#profile();
  }

  #profiling = false;

  #profile(): void {
    this.#profiling = true;
    this.#progress.phase = 'profiling';
    this.#collection.beginProfiling();
  }

  #warnOfWarmup(): void {
    const seconds = this.#options.warmupSeconds;
    this.#log.warning(`the run ended within its warm-up of ${seconds} s; the profiling period is empty`);
  }

  /** Final scrape, then the flush period: what is scraped in it is kept, but no part of the profiling period. */
  async #finish(): Promise<void> {
    await this.#collection.endProfiling();
    this.#progress.phase = 'flush';
    const { flushMs } = this.#options.settings;
    if (flushMs > 0 && !this.#interruption.received) await this.#untilInterrupted(sleep(flushMs));
    await this.#collection.close();
    this.#progress.stop();
  }

  async #export(record: RunRecord): Promise<RunExports> {
    const { folder, prefix, formats, sliceSeconds, percentileMethod, settings } = this.#options;
    return exportRun(record, {
      folder,
      formats,
      percentileMethod,
      batchSize: settings.batchSize,
      ...(prefix === undefined ? {} : { prefix }),
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    });
  }

  /** The result goes to stdout; beside a command whose output is piped on, to stderr. */
  #report(record: RunRecord, { document, results, excludedLabels, slicedByInterval }: RunExports): void {
    const out =
      this.#options.command.length > 0 && !this.#io.stdout.isTTY ? this.#io.stderr : this.#io.stdout;
    const color = wantsColor(out, this.#io.env);
    out.write(`\n${renderSummary(document, { width: widthOf(out), color })}\n\n`);
    for (const { format, path, bytes: size, failure } of results) {
      const shown = relative(this.#io.cwd, path);
      if (failure === undefined) out.write(`  ${shown}  ${bytes(size!)}\n`);
      else this.#log.error(`no ${format} export: ${failure}`);
    }
    if (excludedLabels.length > 0) {
      this.#log.warning(
        `labels without a column in Parquet, their names are taken: ${excludedLabels.join(', ')}`,
      );
    }
    if (slicedByInterval.length > 0) {
      const slice = `--slice-duration ${this.#options.sliceSeconds}`;
      const where = slicedByInterval.join(', ');
      this.#log.warning(
        `${slice} is shorter than the update interval of ${where}: there each sample interval is a slice`,
      );
    }
    const unsupported = new Set(record.endpoints.flatMap(({ health }) => health.unsupported));
    if (unsupported.size > 0)
      this.#log.info(`not exported, no statistics for their type: ${[...unsupported].join(', ')}`);
  }

  #exitCode(end: CommandEnd | undefined, record: RunRecord, { results }: RunExports): number {
    const complete = record.endpoints.every(({ store }) => store.frameCount > 0);
    const written = results.every(({ failure }) => failure === undefined);
    const commandCode = end?.exitCode ?? (this.#cancelled ? signalCode(this.#interruption.received!) : 0);
    if (commandCode !== 0 || !this.#options.required || (complete && written)) return commandCode;
    const silent = record.endpoints.filter(({ store }) => store.frameCount === 0).map(({ url }) => url);
    if (silent.length > 0) this.#log.error(`--require-server-metrics: no data from ${silent.join(', ')}`);
    return COLLECTION_FAILED;
  }

  async #untilInterrupted<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.#interruption.first.then(() => undefined)]);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(`cannot use the artifact folder ${folder}: ${(error as Error).message}`);
  }
}

/** Runs the command to its end. Signals reach it: from the terminal by itself, from elsewhere through us. */
async function runCommand(
  options: CollectOptions,
  io: Io,
  interruption: Interruption,
  log: Log,
): Promise<CommandEnd> {
  const command = new RunningCommand(options.command, io.env as NodeJS.ProcessEnv);
  interruption.onFirst = signal => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) command.signal(signal);
  };
  const { onSecond } = interruption;
  interruption.onSecond = signal => {
    command.signal('SIGTERM');
    onSecond(signal);
  };
  const end = await command.ended;
  interruption.onFirst = () => {};
  interruption.onSecond = onSecond;
  if (end.failure !== undefined) log.error(end.failure);
  return end;
}

async function pause(seconds: number | undefined, signal: AbortSignal): Promise<void> {
  const forever = 2 ** 31 - 1;
  const end = seconds === undefined ? forever : seconds * 1000;
  try {
    for (let left = end; left > 0; left -= forever)
      await sleep(Math.min(left, forever), undefined, { signal });
  } catch {
    // aborted: the pause is over
  }
}

/** What made these files: seed 001, "input_config". Secrets are taken out of URLs. */
function inputConfig(
  options: CollectOptions,
  argv: readonly string[],
  benchmarkId: string,
): Record<string, unknown> {
  const { sliceSeconds, warmupSeconds, durationSeconds, prefix, settings } = options;
  return {
    benchmark_id: benchmarkId,
    cli_command: ['servelens', ...argv.map(hidePassword)].map(quoted).join(' '),
    server_metrics: options.targets.map(({ url }) => url),
    server_metrics_formats: options.formats,
    ...(options.command.length > 0 ? { command: options.command.map(hidePassword) } : {}),
    warmup_duration: warmupSeconds,
    ...(durationSeconds === undefined ? {} : { duration: durationSeconds }),
    ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    ...(prefix === undefined ? {} : { profile_export_prefix: prefix }),
    percentile_method: options.percentileMethod,
    collection_interval: settings.intervalMs / 1000,
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
