import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import type { RunRecord } from '@org/record';
import type { RunHeader } from '@org/record/journal';
import type { RunExports } from '@org/run/export';
import type { CollectOptions } from '@org/run/lifecycle';
import {
  beforeLateImport,
  Collection,
  inputConfig,
  Keeping,
  type Log,
  makeFolder,
  Phases,
  pause,
  tellEvent,
  tellReached,
  warnOfNeighbour,
} from '@org/run/lifecycle';
import { MarkListener, SOCKET_VARIABLE } from '@org/run/marks';
import { type Clock, createSystemClock } from '@org/scrape';
import type { Io } from '../io.ts';
import { createLog } from '../log.ts';
import { version } from '../version.ts';
import { type CommandEnd, runCommand, signalCode } from './command.ts';
import { Interruption, type InterruptSignal } from './interruption.ts';
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
  readonly #io: Io;
  readonly #interruption: Interruption;
  readonly #log: Log;
  readonly #progress: Progress;
  readonly #clock: Clock;
  readonly #header: RunHeader;
  readonly #keeping: Keeping;
  readonly #collection: Collection;
  readonly #phases: Phases;
  #listener: MarkListener | undefined;

  constructor(options: CollectOptions, argv: readonly string[], io: Io, interruption: Interruption) {
    this.#options = options;
    this.#io = io;
    this.#interruption = interruption;
    this.#clock = createSystemClock();
    this.#progress = new Progress(this.#clock);
    this.#log = createLog(io, options.quiet, () => this.#progress.clear());
    this.#header = headerOf(options, argv, this.#clock.nowNs());
    this.#keeping = new Keeping({
      folder: options.folder,
      shownFolder: this.#shownFolder,
      header: this.#header,
      memoryLimit: options.memoryLimit,
      batchSize: options.settings.batchSize,
      keepJournal: options.keepJournal,
      clock: this.#clock,
      log: this.#log,
      interrupted: interruption.signal,
    });
    this.#collection = new Collection({
      targets: options.targets,
      clock: this.#clock,
      settings: options.settings,
      startNs: this.#header.startNs,
      journal: this.#keeping.journal,
      memory: this.#keeping.memory,
      onEvent: event => tellEvent(this.#log, event),
    });
    const { settleSeconds } = options;
    this.#phases = new Phases({
      collection: this.#collection,
      clock: this.#clock,
      progress: this.#progress,
      log: this.#log,
      interrupted: this.#interruption.signal,
      ...(settleSeconds === undefined ? {} : { settleSeconds }),
    });
    interruption.onSecond = signal => this.#quit(signal);
  }

  async run(): Promise<number> {
    await this.#begin();
    const end = this.#interruption.received ? undefined : await this.#collectWhile();
    this.#interruptedAs = this.#interruption.received;
    await this.#finish();
    const { benchmarkId, version, inputConfig } = this.#header;
    const record = this.#collection.record({ benchmarkId, version, inputConfig, cancelled: this.#cancelled });
    const exports = await this.#keeping.finish(record);
    await this.#report(record, exports);
    return this.#exitCode(end, record, exports);
  }

  get #shownFolder(): string {
    return relative(this.#io.cwd, this.#options.folder) || '.';
  }

  /** The second Ctrl-C: nothing more is written; the journal has what was collected. */
  #quit(signal: InterruptSignal): never {
    this.#progress.stop();
    this.#listener?.remove();
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
    const isTheWay = this.#phases.isProfiling && command.length === 0 && durationSeconds === undefined;
    return this.#interruptedAs !== undefined && !isTheWay;
  }

  async #begin(): Promise<void> {
    await this.#untilInterrupted(this.#collection.reach());
    tellReached(this.#log, this.#collection.endpoints);
    const { warmupSeconds } = this.#options;
    if (warmupSeconds > 0 && !this.#interruption.received)
      await this.#untilInterrupted(this.#collection.baseline());
  }

  /** Warm-up and profiling, until the command has ended, the time is over or Ctrl-C. */
  async #collectWhile(): Promise<CommandEnd | undefined> {
    const { warmupSeconds, live } = this.#options;
    const stop = new AbortController();
    await this.#listen();
    this.#progress.start(this.#collection.endpoints, this.#io, this.#log, live);
    if (warmupSeconds === 0) await this.#untilInterrupted(this.#phases.begin(stop.signal, 'before load'));
    const end = this.#interruption.received ? undefined : this.#command();
    this.#collection.start();
    const warmup = this.#warmUp(stop.signal);
    await (end ?? Promise.race([this.#timeOver(stop.signal), this.#interruption.first]));
    stop.abort();
    await warmup;
    if (!this.#phases.isProfiling && !this.#interruption.received) this.#warnOfWarmup();
    return end;
  }

  /** The command, if there is one, knows where marks are taken. */
  #command(): Promise<CommandEnd> | undefined {
    const { command } = this.#options;
    if (command.length === 0) return undefined;
    const env = this.#listener ? { ...this.#io.env, [SOCKET_VARIABLE]: this.#listener.path } : this.#io.env;
    return runCommand(command, { ...this.#io, env }, this.#interruption, this.#log);
  }

  /** Without marks a run is as good as with them. */
  async #listen(): Promise<void> {
    await warnOfNeighbour(this.#keeping.journal.path, this.#shownFolder, this.#log);
    try {
      this.#listener = await MarkListener.open(this.#options.folder, request => this.#phases.mark(request));
    } catch (error) {
      this.#log.warning(`no marks can be made: ${(error as Error).message}`);
    }
  }

  /** A mark that begins profiling ends the warm-up as well. */
  async #warmUp(signal: AbortSignal): Promise<void> {
    const { warmupSeconds } = this.#options;
    if (warmupSeconds === 0) return;
    await pause(warmupSeconds, AbortSignal.any([signal, this.#phases.begun]));
    if (!signal.aborted) await this.#phases.begin(signal, 'under load');
  }

  /** The duration counts from the beginning of profiling, also when a mark makes it begin anew. */
  async #timeOver(signal: AbortSignal): Promise<void> {
    const { durationSeconds } = this.#options;
    await pause(undefined, AbortSignal.any([signal, this.#phases.begun]));
    if (durationSeconds === undefined) return pause(undefined, signal);
    for (let left = 1; left > 0 && !signal.aborted; ) {
      left = durationSeconds - (this.#clock.monotonicMs() - this.#phases.startedMs) / 1000;
      await pause(Math.max(0, left), signal);
    }
  }

  #warnOfWarmup(): void {
    const seconds = this.#options.warmupSeconds;
    this.#log.warning(`the run ended within its warm-up of ${seconds} s; the profiling period is empty`);
  }

  /** Final scrape, then the flush period: what is scraped in it is kept, but no part of the profiling period. */
  async #finish(): Promise<void> {
    await this.#phases.end();
    this.#progress.phase = 'flush';
    const { flushMs } = this.#options.settings;
    await pause(flushMs / 1000, this.#interruption.signal);
    await this.#listener?.close();
    await this.#collection.close(this.#interruption.received !== undefined);
    this.#progress.stop();
  }

  /** The result goes to stdout; beside a command whose output is piped on, to stderr. */
  async #report(record: RunRecord, exports: RunExports): Promise<void> {
    beforeLateImport();
    const { reportRun } = await import('../report.ts');
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
    // Without a command nothing but the exports was asked for.
    if (commandCode === 0 && !end && !written) return COLLECTION_FAILED;
    if (commandCode !== 0 || !this.#options.required || (silent.length === 0 && written)) return commandCode;
    const names = silent.map(({ url }) => url).join(', ');
    if (silent.length > 0) this.#log.error(`--require-server-metrics: no data from ${names}`);
    return COLLECTION_FAILED;
  }

  async #untilInterrupted<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.#interruption.first.then(() => undefined)]);
  }
}

function headerOf(options: CollectOptions, argv: readonly string[], startNs: bigint): RunHeader {
  const { formats, layouts, prefix, parquetPartition, sliceSeconds, percentileMethod } = options;
  const benchmarkId = randomUUID();
  return {
    benchmarkId,
    version: version(),
    startNs,
    inputConfig: inputConfig(options, argv, benchmarkId),
    exports: {
      ...layouts,
      formats,
      percentileMethod,
      parquetPartition,
      ...(prefix === undefined ? {} : { prefix }),
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    },
  };
}
