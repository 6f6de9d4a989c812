import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Reconciliation, RunInfo } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import type { LoadListener, LoadSummary, ProfileMetrics } from '@org/loadgen';
import { RunInputError } from '@org/record';
import { LOAD_MARK, type LoadBoundary, type LoadEnd, type RunHeader } from '@org/record/journal';
import { type Clock, createSystemClock } from '@org/scrape';
import type { EventSink } from '../events.ts';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import { RunLifecycle, type ServerMetrics } from '../lifecycle/runLifecycle.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { type ResolvedPlan, resolvePlan } from '../plan/runPlan.ts';
import { reconcileRun } from '../reconciliation/reconcileRun.ts';
import { DEFAULT_VERSION, NEVER_ABORTED } from '../runOptions.ts';
import { createProfileDocument } from './document.ts';
import { keepEarlierRequests } from './earlierRequests.ts';
import { openLoad, type ReadyLoad } from './load.ts';
import { createProfileConfig } from './profileConfig.ts';
import { profileFiles } from './profileFiles.ts';
import { isDiskFull, isWritten, type ProfileOptions, type ProfileResult } from './profileResult.ts';
import { isStreaming, RequestRecorder } from './requestRecorder.ts';
import { countRunningRequests } from './runningRequests.ts';
import { writeProfile } from './writeProfile.ts';

/** Implements `profile`. */
export async function runProfile(plan: ProfilePlan, options: ProfileOptions): Promise<ProfileResult> {
  await makeFolder(plan.folder);
  return new ProfileRun(resolvePlan(plan), options).run();
}

class ProfileRun {
  readonly #plan: ResolvedPlan<ProfilePlan>;
  readonly #options: ProfileOptions;
  readonly #interrupted: AbortSignal;
  readonly #emit: EventSink;
  readonly #version: string;
  readonly #clock: Clock = createSystemClock();
  readonly #benchmarkId: string = randomUUID();
  readonly #inputConfig: Record<string, unknown>;
  #lifecycle!: RunLifecycle;
  #recorder!: RequestRecorder;
  /** End of profiling, Unix ns. */
  #endNs: bigint | undefined;
  #ending: Promise<void> | undefined;
  #runningAtStart: number | undefined;
  #runningAtEnd: number | undefined;

  constructor(plan: ResolvedPlan<ProfilePlan>, options: ProfileOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#interrupted = options.signal ?? NEVER_ABORTED;
    this.#emit = options.onEvent ?? (() => {});
    this.#version = options.version ?? DEFAULT_VERSION;
    this.#inputConfig = createProfileConfig(plan, this.#benchmarkId);
  }

  async run(): Promise<ProfileResult> {
    const load = await openLoad(this.#plan, this.#clock);
    try {
      return await this.#runLifecycle(load);
    } finally {
      await load.close();
    }
  }

  async #runLifecycle(ready: ReadyLoad): Promise<ProfileResult> {
    const startNs = this.#clock.nowNs();
    const { jsonl } = profileFiles(this.#plan.folder, this.#plan.prefix);
    const earlier = keepEarlierRequests(this.#plan);
    if (earlier) this.#emit({ type: 'earlier_requests_kept', ...earlier });
    this.#recorder = await RequestRecorder.open(this.#plan, jsonl);
    this.#lifecycle = this.#createLifecycle(startNs, ready.tokenizer);
    try {
      await this.#lifecycle.begin(this.#plan.warmup !== undefined);
      this.#lifecycle.startScraping();
      const load = await this.#runLoad(ready);
      const endNs = this.#clock.nowNs();
      const requests = await this.#recorder.close();
      this.#journalEnd(endNs, load);
      const server = await this.#lifecycle.finish(() => load.wasCancelled);
      const result = await this.#createResult({ startNs, endNs, load, requests, server });
      await this.#lifecycle.closeJournal({ isWritten: isWritten(result), isDiskFull: isDiskFull(result) });
      return result;
    } catch (error) {
      if (error instanceof RunInputError) await this.#abandon(jsonl);
      throw error;
    }
  }

  /** No request was sent, so that no files are kept. */
  async #abandon(jsonl: string): Promise<void> {
    await this.#lifecycle.abandon();
    await this.#recorder.close();
    await rm(jsonl, { force: true });
  }

  #createLifecycle(startNs: bigint, tokenizer: string): RunLifecycle {
    return new RunLifecycle({
      plan: this.#plan,
      header: this.#createHeader(startNs, tokenizer),
      clock: this.#clock,
      emit: this.#emit,
      interrupted: this.#interrupted,
      accepts: 'notes',
    });
  }

  #createHeader(startNs: bigint, tokenizer: string): RunHeader {
    const { goodput, targets, workers, prefix } = this.#plan;
    const { layouts, ...exports } = this.#plan.exports;
    const { cliCommand } = this.#options;
    return {
      benchmarkId: this.#benchmarkId,
      version: this.#version,
      startNs,
      inputConfig: {
        ...this.#inputConfig,
        ...(cliCommand === undefined ? {} : { cli_command: cliCommand }),
      },
      exports: { ...layouts, ...exports, ...(prefix === undefined ? {} : { prefix }) },
      profile: {
        startNs,
        inputConfig: this.#inputConfig,
        runInfo: this.#createRunInfo(),
        streaming: isStreaming(this.#plan),
        ...(goodput ? { goodput } : {}),
        tokenizer,
        ...(workers === undefined ? {} : { workers }),
        hasServers: targets.length > 0,
      },
    };
  }

  async #runLoad(ready: ReadyLoad): Promise<LoadSummary> {
    const load = ready.start(this.#createListener());
    this.#recorder.originNs = load.originNs;
    const { endpoints } = this.#lifecycle;
    this.#emit({ type: 'load_started', active: { load, endpoints, metrics: this.#recorder.metrics } });
    const summary = await load.finished;
    await this.#ending;
    this.#emit({ type: 'load_ended' });
    return summary;
  }

  #createListener(): LoadListener {
    return {
      signal: this.#interrupted,
      beforePhase: async phase => {
        if (phase === 'profiling') await this.#startProfiling();
      },
      onPhase: ({ phase, kind }) => {
        if (phase === 'profiling' && kind === 'ended') this.#ending = this.#endProfiling();
      },
      onRecord: record => this.#recorder.add(record),
    };
  }

  async #startProfiling(): Promise<void> {
    const startNs = (await this.#lifecycle.phases.start())!;
    this.#recorder.profilingStartNs = startNs;
    this.#runningAtStart = countRunningRequests(this.#lifecycle.endpoints);
    const data: LoadBoundary = this.#describeBoundary(this.#runningAtStart);
    this.#lifecycle.journal.addMark({ kind: LOAD_MARK.started, atNs: startNs, data });
  }

  async #endProfiling(): Promise<void> {
    const lastRequestNs = this.#clock.nowNs();
    this.#endNs = (await this.#lifecycle.phases.end()) ?? lastRequestNs;
    this.#runningAtEnd = countRunningRequests(this.#lifecycle.endpoints);
  }

  #journalEnd(atNs: bigint, summary: LoadSummary): void {
    const data: LoadEnd = {
      summary,
      ...this.#describeBoundary(this.#runningAtEnd),
      ...(this.#endNs === undefined ? {} : { profilingEndNs: this.#endNs }),
    };
    this.#lifecycle.journal.addMark({ kind: LOAD_MARK.ended, atNs, data });
  }

  #describeBoundary(running: number | undefined): LoadBoundary {
    const { warmupCutOff } = this.#recorder;
    return { warmupCutOff, ...(running === undefined ? {} : { running }) };
  }

  async #createResult(run: {
    readonly startNs: bigint;
    readonly endNs: bigint;
    readonly load: LoadSummary;
    readonly requests: WriteResult;
    readonly server: ServerMetrics | undefined;
  }): Promise<ProfileResult> {
    const { load, server, requests } = run;
    const { metrics } = this.#recorder;
    const blocks = metrics.blocks();
    const reconciliation = server && this.#reconcile(blocks, load, server);
    const document = createProfileDocument({
      ...run,
      benchmarkId: this.#benchmarkId,
      version: this.#version,
      metrics,
      blocks,
      originNs: load.originNs,
      summary: load,
      tokenizer: load.tokenizer,
      cancelled: load.wasCancelled,
      inputConfig: this.#inputConfig,
      runInfo: this.#createRunInfo(),
      reconciliation,
    });
    const timeslices = this.#recorder.createTimeslices(
      this.#endNs ?? load.originNs,
      this.#inputConfig,
      server?.exports.document,
    );
    const { folder, prefix, exports } = this.#plan;
    const files = profileFiles(folder, prefix);
    const layout = exports.layouts.csvLayout ?? 'servelens';
    return {
      benchmarkId: this.#benchmarkId,
      document,
      ...(timeslices ? { timeslices } : {}),
      metrics,
      load,
      ...(reconciliation ? { reconciliation } : {}),
      ...(server ? { server } : {}),
      files: [...(await writeProfile(files, document, timeslices, layout)), requests],
      wasCancelled: load.wasCancelled,
    };
  }

  #createRunInfo(): RunInfo {
    const { cliCommand, runInfo } = this.#options;
    return {
      random_seed: this.#plan.seed,
      trial: 0,
      run_label: 'run_0001',
      variation_label: 'base',
      variation_index: 0,
      variation_values: {},
      ...runInfo,
      benchmark_id: this.#benchmarkId,
      ...(cliCommand === undefined ? {} : { cli_command: cliCommand }),
    };
  }

  #reconcile(
    blocks: ReturnType<ProfileMetrics['blocks']>,
    load: LoadSummary,
    { record, exports }: ServerMetrics,
  ): Reconciliation | undefined {
    const { metrics, cancelled, warmupCutOff } = this.#recorder;
    const { succeeded, failed } = metrics;
    // Servers may have completed the in-flight requests of a worker that exited.
    const lost = load.lostWorkers.reduce((sum, { requests }) => sum + requests, 0);
    return reconcileRun(record, exports.document, {
      blocks,
      metrics: { succeeded, failed: failed + lost },
      cancelled,
      warmupCutOff,
      tokenizer: load.tokenizer,
      runningAtStart: this.#runningAtStart,
      runningAtEnd: this.#runningAtEnd,
    });
  }
}
