import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { SecretRedactor } from '@org/core';
import type {
  ProfileExport,
  ProfileTimeslices,
  Reconciliation,
  RunInfo,
  ServerMetricsDocument,
} from '@org/formats';
import { openProfileRecords, type ProfileRecordWriter, type WriteResult } from '@org/formats/write';
import {
  computeRequestMetrics,
  type LoadListener,
  type LoadRun,
  type LoadSummary,
  type PhaseName,
  ProfileMetrics,
  type RequestRecord,
  SliceMetrics,
} from '@org/loadgen';
import { RunInputError } from '@org/record';
import type { LoadBoundary, LoadEnd } from '@org/record/journal';
import { type Clock, createSystemClock, type Endpoint } from '@org/scrape';
import type { Log } from '../lifecycle/log.ts';
import { reconcileRun } from '../reconciliation/reconcileRun.ts';
import { profileDocument, timeslicesDocument } from './document.ts';
import { setAsideRequests } from './earlierRequests.ts';
import { type ReadyLoad, readyLoad } from './load.ts';
import { profileConfig } from './profileConfig.ts';
import { profileFiles } from './profileFiles.ts';
import { RunJournal, type RunJournalOptions } from './profileJournal.ts';
import type { ProfileOptions } from './profilePlan.ts';
import { requestLine } from './requestLine.ts';
import { runningRequests } from './runningRequests.ts';
import { createRequestRedactor, redactFailure } from './secrets.ts';
import { type ServerRun, ServerSide } from './serverSide.ts';
import { serverSlices } from './serverSlices.ts';
import { writeProfile } from './writeProfile.ts';

/** What a run needs besides its options. */
export interface ProfileContext {
  /** Version of the program that runs it. */
  readonly version: string;
  readonly log: Log;
  /** Aborted when somebody wants the run to end: what is under way is cut, and the exports are written. */
  readonly interrupted: AbortSignal;
  /** The command line, without secrets. */
  readonly cliCommand: string;
  /** Where the run stands among others, such as the runs of a sweep. */
  readonly runInfo?: Partial<Omit<RunInfo, 'benchmark_id' | 'random_seed' | 'cli_command'>>;
  /** Called when the load begins, for whoever shows how it goes on. */
  readonly onStart?: (run: RunUnderWay) => void;
  /** Called when the load is over. */
  readonly onLoadEnd?: () => void;
}

/** A run while its load is on. */
export interface RunUnderWay {
  readonly load: LoadRun;
  readonly endpoints: readonly Endpoint[];
  readonly metrics: ProfileMetrics;
  readonly clock: Clock;
}

/** What one run left behind. */
export interface ProfileResult {
  readonly benchmarkId: string;
  readonly document: ProfileExport;
  readonly timeslices?: ProfileTimeslices;
  readonly metrics: ProfileMetrics;
  readonly load: LoadSummary;
  readonly reconciliation?: Reconciliation;
  /** Absent with --no-server-metrics. */
  readonly server?: ServerRun;
  /** What became of the client's files; the servers' stand in `server.exports`. */
  readonly files: readonly WriteResult[];
  readonly wasCancelled: boolean;
}

/**
 * Runs one profile with these settings: loads the servers, scrapes them beside it on the same clock, and writes all exports
 * into `options.folder`, which must be there. Throws `RunInputError` for inputs and tokenizers that cannot be used; what goes
 * wrong once requests are sent stands in the result.
 */
export async function runProfile(options: ProfileOptions, context: ProfileContext): Promise<ProfileResult> {
  return new ProfileRun(options, context).run();
}

class ProfileRun {
  readonly #options: ProfileOptions;
  readonly #context: ProfileContext;
  readonly #clock: Clock = createSystemClock();
  readonly #benchmarkId: string = randomUUID();
  readonly #inputConfig: Record<string, unknown>;
  readonly #redactor: SecretRedactor;
  readonly #metrics: ProfileMetrics;
  readonly #slices: SliceMetrics | undefined;
  #server: ServerSide | undefined;
  #records!: ProfileRecordWriter;
  #journal!: RunJournal;
  #load: LoadRun | undefined;
  /** When profiling began, ns of the run. */
  #startNs = 0;
  #endNs: bigint | undefined;
  #cancelled = 0;
  /** Requests of the warm-up that its end cut off; those that hung up on purpose had their time. */
  #warmupCutOff = 0;
  #ending: Promise<void> | undefined;
  #runningAtStart: number | undefined;
  #runningAtEnd: number | undefined;

  constructor(options: ProfileOptions, context: ProfileContext) {
    this.#options = options;
    this.#context = context;
    this.#inputConfig = profileConfig(options, this.#benchmarkId);
    this.#redactor = createRequestRedactor(options.ask);
    const { goodput, sliceSeconds } = options;
    const measuring = { streaming: this.#streaming, ...(goodput ? { goodput } : {}) };
    this.#metrics = new ProfileMetrics(measuring);
    this.#slices = sliceSeconds === undefined ? undefined : new SliceMetrics(sliceSeconds * 1e9, measuring);
  }

  get #streaming(): boolean {
    const { ask } = this.#options;
    return ask.streaming && ask.endpoint !== 'embeddings';
  }

  async run(): Promise<ProfileResult> {
    const ready = await readyLoad(this.#options, this.#clock);
    try {
      return await this.#runWith(ready);
    } finally {
      await ready.close();
    }
  }

  async #runWith(ready: ReadyLoad): Promise<ProfileResult> {
    const startNs = this.#clock.nowNs();
    const files = profileFiles(this.#options.folder, this.#options.prefix);
    setAsideRequests(this.#options, this.#context.log);
    this.#records = await this.#openRecords(files.jsonl);
    this.#journal = this.#openJournal(startNs, ready.tokenizer);
    try {
      await this.#beginServer(startNs);
      const load = await this.#loaded(ready);
      const endNs = this.#clock.nowNs();
      const requests = await this.#records.close();
      this.#journal.over(endNs, { summary: load, ...this.#edge('end') });
      const server = await this.#server?.finish(load.wasCancelled);
      const result = await this.#result({ startNs, endNs, load, requests, server });
      await this.#journal.close(isWritten(result), hasNoRoom(result));
      return result;
    } catch (error) {
      if (error instanceof RunInputError) await this.#abandon(files.jsonl);
      throw error;
    }
  }

  async #openRecords(path: string): Promise<ProfileRecordWriter> {
    try {
      return await openProfileRecords(path);
    } catch (error) {
      throw new RunInputError(`cannot write into the artifact folder: ${(error as Error).message}`);
    }
  }

  /** Nothing was sent: nothing is left behind. */
  async #abandon(jsonl: string): Promise<void> {
    await this.#server?.abandon();
    await this.#journal.abandon();
    await this.#records.close();
    await rm(jsonl, { force: true });
  }

  #openJournal(startNs: bigint, tokenizer: string): RunJournal {
    const { goodput, server, workers } = this.#options;
    return new RunJournal({
      ...this.#common,
      profile: {
        startNs,
        inputConfig: this.#inputConfig,
        runInfo: this.#runInfo(),
        streaming: this.#streaming,
        ...(goodput ? { goodput } : {}),
        tokenizer,
        ...(workers === undefined ? {} : { workers }),
        hasServers: server.enabled,
      },
    });
  }

  /** What the journal and the scraping of the servers are told. */
  get #common(): Omit<RunJournalOptions, 'profile'> {
    const { log, cliCommand } = this.#context;
    return {
      options: this.#options,
      clock: this.#clock,
      log,
      benchmarkId: this.#benchmarkId,
      version: this.#context.version,
      inputConfig: { ...this.#inputConfig, cli_command: cliCommand },
    };
  }

  async #beginServer(startNs: bigint): Promise<void> {
    const { interrupted } = this.#context;
    if (!this.#options.server.enabled) return;
    this.#server = new ServerSide({
      ...this.#common,
      startNs,
      journal: this.#journal.writer,
      interrupted,
    });
    await this.#server.begin();
  }

  async #loaded(ready: ReadyLoad): Promise<LoadSummary> {
    const load = ready.start(this.#listener());
    this.#load = load;
    const endpoints = this.#server?.endpoints ?? [];
    this.#context.onStart?.({ load, endpoints, metrics: this.#metrics, clock: this.#clock });
    const summary = await load.finished;
    await this.#ending;
    this.#context.onLoadEnd?.();
    return summary;
  }

  #listener(): LoadListener {
    return {
      signal: this.#context.interrupted,
      beforePhase: phase => this.#beforePhase(phase),
      onPhase: ({ phase, what }) => {
        if (phase === 'profiling' && what === 'ended') this.#ending = this.#endProfiling();
      },
      onRecord: record => this.#record(record),
    };
  }

  /** The period begins with the closing look at the warm-up, and with it the first slice. */
  async #beforePhase(phase: PhaseName): Promise<void> {
    if (phase !== 'profiling') return;
    const startNs = (await this.#server?.beginProfiling()) ?? this.#clock.nowNs();
    this.#startNs = Number(startNs - this.#load!.originNs);
    this.#runningAtStart = runningRequests(this.#server?.endpoints ?? []);
    this.#journal.begun(startNs, this.#edge('start'));
  }

  #edge(which: 'start' | 'end'): LoadBoundary & Pick<LoadEnd, 'profilingEndNs'> {
    const running = which === 'start' ? this.#runningAtStart : this.#runningAtEnd;
    return {
      warmupCutOff: this.#warmupCutOff,
      ...(running === undefined ? {} : { running }),
      ...(this.#endNs === undefined ? {} : { profilingEndNs: this.#endNs }),
    };
  }

  async #endProfiling(): Promise<void> {
    this.#endNs = this.#clock.nowNs();
    this.#endNs = (await this.#server?.endProfiling()) ?? this.#endNs;
    this.#runningAtEnd = runningRequests(this.#server?.endpoints ?? []);
  }

  #record(told: RequestRecord): void {
    const record = redactFailure(told, this.#redactor);
    if (record.phase !== 'profiling') {
      if (record.failure?.type === 'Interrupted') this.#warmupCutOff += 1;
      return;
    }
    if (record.cancelled) this.#cancelled += 1;
    const measured = computeRequestMetrics(record);
    this.#metrics.add(record, measured);
    this.#slices?.add(record, measured, this.#startNs);
    // What goes wrong is told when the file is closed.
    this.#records.append(requestLine(record, measured, this.#load!.originNs)).catch(() => {});
  }

  async #result(over: {
    startNs: bigint;
    endNs: bigint;
    load: LoadSummary;
    requests: WriteResult;
    server: ServerRun | undefined;
  }): Promise<ProfileResult> {
    const { load, server, requests } = over;
    const blocks = this.#metrics.blocks();
    const reconciliation = server && this.#reconciled(blocks, load, server);
    const document = profileDocument({
      ...over,
      benchmarkId: this.#benchmarkId,
      version: this.#context.version,
      metrics: this.#metrics,
      blocks,
      originNs: load.originNs,
      summary: load,
      tokenizer: load.tokenizer,
      cancelled: load.wasCancelled,
      inputConfig: this.#inputConfig,
      runInfo: this.#runInfo(),
      reconciliation,
    });
    const timeslices = this.#timeslices(load.originNs, server?.exports.document);
    const { folder, prefix, server: exporting } = this.#options;
    const layout = exporting.layouts.csvLayout ?? 'servelens';
    const written = await writeProfile(profileFiles(folder, prefix), document, timeslices, layout);
    return {
      benchmarkId: this.#benchmarkId,
      document,
      ...(timeslices ? { timeslices } : {}),
      metrics: this.#metrics,
      load,
      ...(reconciliation ? { reconciliation } : {}),
      ...(server ? { server } : {}),
      files: [...written, requests],
      wasCancelled: load.wasCancelled,
    };
  }

  #runInfo(): RunInfo {
    return {
      random_seed: this.#options.seed,
      trial: 0,
      run_label: 'run_0001',
      variation_label: 'base',
      variation_index: 0,
      variation_values: {},
      ...this.#context.runInfo,
      benchmark_id: this.#benchmarkId,
      cli_command: this.#context.cliCommand,
    };
  }

  #timeslices(originNs: bigint, document: ServerMetricsDocument | undefined): ProfileTimeslices | undefined {
    if (!this.#slices) return undefined;
    const endNs = Number((this.#endNs ?? originNs) - originNs);
    const servers = document && serverSlices(document, originNs);
    const slices = this.#slices.slices(this.#startNs, endNs, servers);
    return slices.length === 0 ? undefined : timeslicesDocument(slices, originNs, this.#inputConfig);
  }

  #reconciled(
    blocks: ReturnType<ProfileMetrics['blocks']>,
    load: LoadSummary,
    { record, exports }: ServerRun,
  ): Reconciliation | undefined {
    const { succeeded, failed } = this.#metrics;
    // The servers may have answered what a thread had sent that died.
    const lost = load.lost.reduce((sum, { requests }) => sum + requests, 0);
    return reconcileRun(record, exports.document, {
      blocks,
      metrics: { succeeded, failed: failed + lost },
      cancelled: this.#cancelled,
      warmupCutOff: this.#warmupCutOff,
      tokenizer: load.tokenizer,
      runningAtStart: this.#runningAtStart,
      runningAtEnd: this.#runningAtEnd,
    });
  }
}

/** Whether all exports of a run are on the disk. */
export function isWritten({ files, server }: Pick<ProfileResult, 'files' | 'server'>): boolean {
  return (
    files.every(({ ok }) => ok) &&
    (server?.exports.results ?? []).every(({ failure }) => failure === undefined)
  );
}

/** Whether the disk had no room for an export of a run. */
function hasNoRoom({ files, server }: Pick<ProfileResult, 'files' | 'server'>): boolean {
  return (
    files.some(file => !file.ok && file.reason === 'disk-full') ||
    (server?.exports.results ?? []).some(({ isDiskFull }) => isDiskFull)
  );
}
