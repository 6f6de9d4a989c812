import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type JournalWriter, systemClock } from '@org/scrape';
import { exportRun, type RunExports } from '../export/write.ts';
import { makeFolder } from '../folder.ts';
import type { Io } from '../io.ts';
import { openJournal, type RunHeader } from '../journal.ts';
import { createLog, type Log } from '../log.ts';
import { type RunMemory, runMemory } from '../memory.ts';
import { reportRun } from '../report.ts';
import type { RunRecord } from '../run.ts';
import { version } from '../version.ts';
import { Collection } from './collection.ts';
import { type CommandEnd, runCommand, signalCode } from './command.ts';
import { inputConfig } from './inputconfig.ts';
import { Interruption, type InterruptSignal } from './interruption.ts';
import type { CollectOptions } from './options.ts';
import { pause } from './pause.ts';
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
    return (await runCommand(options.command, io, interruption, createLog(io, options.quiet))).exitCode;
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
  readonly #memory: RunMemory;
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
    const onTrouble = ({ state, message }: { state: 'failing' | 'resumed'; message: string }): void =>
      state === 'failing' ? this.#log.warning(message) : this.#log.info(message);
    this.#journal = openJournal(options.folder, this.#header(startNs), { clock: this.#clock, onTrouble });
    this.#memory = runMemory(options.folder, options.memoryLimit, { clock: this.#clock, onTrouble });
    this.#collection = new Collection({
      targets: options.targets,
      clock: this.#clock,
      settings: options.settings,
      startNs,
      journal: this.#journal,
      memory: this.#memory.memory,
      onEvent: ({ kind, message }) => {
        const news = ['swapped', 'duplicate', 'back', 'left_out'].includes(kind);
        if (news) this.#log.info(message);
        else this.#log.warning(message);
      },
    });
    interruption.onSecond = signal => this.#quit(signal);
  }

  async run(): Promise<number> {
    await this.#begin();
    const end = this.#interruption.received ? undefined : await this.#collectWhile();
    this.#interruptedAs = this.#interruption.received;
    await this.#finish();
    const { benchmarkId, version, inputConfig } = this.#header(0n);
    const record = this.#collection.record({ benchmarkId, version, inputConfig, cancelled: this.#cancelled });
    const exports = await this.#export(record);
    this.#memory.close();
    await this.#closeJournal(exports);
    this.#report(record, exports);
    return this.#exitCode(end, record, exports);
  }

  #header(startNs: bigint): RunHeader {
    const { formats, prefix, parquetPartition, sliceSeconds, percentileMethod } = this.#options;
    return {
      benchmarkId: this.#benchmarkId,
      version: version(),
      startNs,
      inputConfig: inputConfig(this.#options, this.#argv, this.#benchmarkId),
      exports: {
        ...this.#options.layouts,
        formats,
        percentileMethod,
        parquetPartition,
        ...(prefix === undefined ? {} : { prefix }),
        ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
      },
    };
  }

  /** Once all exports are written the journal has served; until then it is what can be recovered. */
  async #closeJournal({ results }: RunExports): Promise<void> {
    const written = results.every(({ failure }) => failure === undefined);
    const hasJournal = this.#journal.byteLength > 0;
    try {
      if (written && !this.#options.keepJournal) await this.#journal.remove();
      else await this.#journal.close();
    } catch (error) {
      this.#log.warning(`cannot remove the journal: ${(error as Error).message}`);
    }
    if (!written && hasJournal)
      this.#log.warning(`the journal stays: servelens recover ${this.#shownFolder}`);
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

  /** The signal that ended profiling; one that comes later, in the flush period, cuts nothing short. */
  #interruptedAs: InterruptSignal | undefined;

  /** Without a command and a duration Ctrl-C is how a run ends; with one of them it cuts the run short. */
  get #cancelled(): boolean {
    const { command, durationSeconds } = this.#options;
    const isTheWay = this.#profiling && command.length === 0 && durationSeconds === undefined;
    return this.#interruptedAs !== undefined && !isTheWay;
  }

  async #begin(): Promise<void> {
    const { endpoints } = this.#collection;
    await this.#untilInterrupted(this.#collection.reach());
    const reached = endpoints.filter(({ health }) => health.status === 'active').length;
    this.#log.info(`Server metrics enabled - ${reached}/${endpoints.length} endpoint(s) reachable`);
    for (const { health, url } of endpoints) {
      if (health.status !== 'no_data' || !health.lastOutage) continue;
      this.#log.warning(`endpoint '${url}' ${health.lastOutage.message}; it is tried again during the run`);
    }
    if (!this.#interruption.received) await this.#untilInterrupted(this.#collection.baseline());
  }

  /** Warm-up and profiling, until the command has ended, the time is over or Ctrl-C. */
  async #collectWhile(): Promise<CommandEnd | undefined> {
    const { command, warmupSeconds, durationSeconds, live } = this.#options;
    const stop = new AbortController();
    if (warmupSeconds === 0) this.#profile();
    const end = command.length > 0 ? runCommand(command, this.#io, this.#interruption, this.#log) : undefined;
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
    await this.#collection.endProfiling(this.#interruption.received !== undefined);
    this.#progress.phase = 'flush';
    const { flushMs } = this.#options.settings;
    if (flushMs > 0 && !this.#interruption.received) await this.#untilInterrupted(sleep(flushMs));
    await this.#collection.close(this.#interruption.received !== undefined);
    this.#progress.stop();
  }

  async #export(record: RunRecord): Promise<RunExports> {
    const { folder, prefix, formats, layouts, parquetPartition, sliceSeconds, percentileMethod, settings } =
      this.#options;
    return exportRun(record, {
      folder,
      formats,
      parquetPartition,
      percentileMethod,
      ...layouts,
      batchSize: settings.batchSize,
      ...(prefix === undefined ? {} : { prefix }),
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    });
  }

  /** The result goes to stdout; beside a command whose output is piped on, to stderr. */
  #report(record: RunRecord, exports: RunExports): void {
    const { stdout, stderr } = this.#io;
    const out = this.#options.command.length > 0 && !stdout.isTTY ? stderr : stdout;
    reportRun(record, exports, { out, io: this.#io, log: this.#log });
  }

  #exitCode(end: CommandEnd | undefined, record: RunRecord, { results }: RunExports): number {
    const silent = record.endpoints.filter(
      ({ store, health }) => store.frameCount === 0 && health.status !== 'duplicate',
    );
    const written = results.every(({ failure }) => failure === undefined);
    const commandCode = end?.exitCode ?? (this.#cancelled ? signalCode(this.#interruptedAs!) : 0);
    if (commandCode !== 0 || !this.#options.required || (silent.length === 0 && written)) return commandCode;
    const names = silent.map(({ url }) => url).join(', ');
    if (silent.length > 0) this.#log.error(`--require-server-metrics: no data from ${names}`);
    return COLLECTION_FAILED;
  }

  async #untilInterrupted<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.#interruption.first.then(() => undefined)]);
  }
}
