import type { PhaseGpuTelemetry } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import type { GpuTelemetryPlan } from '@org/gpu';
import type { RunRecord } from '@org/record';
import type { RunExports } from '../export/exportRun.ts';
import { GpuRecorder } from '../gpu/gpuRecorder.ts';
import type { ServedGpus } from '../gpu/servedGpus.ts';
import { checkFolder } from '../lifecycle/folderUse.ts';
import { prepareLateImport } from '../lifecycle/lateImport.ts';
import { pause, waitUnlessAborted } from '../lifecycle/pause.ts';
import { RunLifecycle } from '../lifecycle/runLifecycle.ts';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import { type CollectPlan, createCollectConfig } from '../plan/collectPlan.ts';
import { PlanError } from '../plan/planError.ts';
import { hasServers } from '../plan/runPlan.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import { createRunContext, type RunContext, type RunOptions } from '../runContext.ts';

/** Properties of a run that are passed to its workload. */
export interface WorkloadContext {
  /** Path of the socket that accepts marks; undefined if it could not be created. */
  readonly markSocket: string | undefined;
}

export interface CollectOptions extends RunOptions {
  /** Runs the load; the run ends when the promise settles. The workload must react to an aborted `signal` itself. */
  readonly workload?: (context: WorkloadContext) => Promise<unknown>;
}

/** The result of a collect run. */
export interface CollectResult {
  readonly benchmarkId: string;
  readonly record: RunRecord;
  readonly exports: RunExports;
  /** GPU telemetry of the profiling phase; absent if no source was found. */
  readonly gpus?: PhaseGpuTelemetry;
  /** Outcomes of writing the files about GPUs. */
  readonly files: readonly WriteResult[];
  /** True if all exports are written. */
  readonly isWritten: boolean;
  /** True if the run was interrupted before its workload or its duration ended. */
  readonly wasCancelled: boolean;
}

/**
 * Scrapes the targets of a plan while a workload runs, for a fixed duration, or until the signal is aborted,
 * and writes the exports.
 *
 * Failures of endpoints and exports do not throw: they are part of the result. Throws `RunInputError` if the
 * artifact folder cannot be used, and `PlanError` if the plan is invalid. Rejects with the error of the
 * workload after the exports are written.
 */
export async function collect(plan: CollectPlan, options: CollectOptions = {}): Promise<CollectResult> {
  if (!hasServers(plan)) throw new PlanError('targets', 'expected at least one endpoint to scrape');
  if (plan.durationSeconds !== undefined && options.workload)
    throw new PlanError('durationSeconds', 'not allowed together with a workload', plan.durationSeconds);
  const context = await createRunContext(plan, options);
  checkFolder(context.plan.folder, {
    prefix: context.plan.prefix,
    writesServerMetrics: true,
    writesClientMetrics: false,
  });
  return new CollectRun(context, options.workload).run();
}

function createRecorder(context: RunContext<CollectPlan>, sources: GpuTelemetryPlan): GpuRecorder {
  const { folder, prefix } = context.plan;
  return new GpuRecorder(context, sources, getProfilePaths(folder, prefix).gpuTelemetry);
}

/** Drives the lifecycle of a collect run by time, by the end of the workload and by marks. */
class CollectRun {
  readonly #context: RunContext<CollectPlan>;
  readonly #workload: CollectOptions['workload'];
  readonly #lifecycle: RunLifecycle;
  readonly #gpus: GpuRecorder | undefined;

  constructor(context: RunContext<CollectPlan>, workload: CollectOptions['workload']) {
    const { plan, benchmarkId, cliCommand, clock } = context;
    this.#context = context;
    this.#workload = workload;
    this.#gpus = plan.gpuTelemetry && createRecorder(context, plan.gpuTelemetry);
    this.#lifecycle = new RunLifecycle(context, {
      startNs: clock.nowNs(),
      ...createCollectConfig(plan, benchmarkId, cliCommand),
      accepts: 'marks',
    });
  }

  async run(): Promise<CollectResult> {
    const { interruptSignal } = this.#context;
    await Promise.all([
      this.#lifecycle.begin(this.#warmupSeconds > 0),
      this.#gpus && waitUnlessAborted(this.#gpus.open(), interruptSignal),
    ]);
    this.#gpus?.start();
    const workload = interruptSignal.aborted ? undefined : await this.#runPhases();
    // An interruption after this point, in the flush period, does not shorten the profiling phase.
    const wasInterrupted = interruptSignal.aborted;
    await Promise.all([this.#lifecycle.phases.end(), this.#gpus?.sample()]);
    const samples = await this.#gpus?.close();
    const server = (await this.#lifecycle.finish(() => wasInterrupted && !this.#isOpenEnded))!;
    const { record, exports } = server;
    const gpus = await this.#writeGpus(server);
    const files = [...(samples ? [samples] : []), ...(gpus ? [gpus.file] : [])];
    const isWritten = await this.#lifecycle.closeJournal({ server, furtherFiles: files });
    if (workload?.error !== undefined) throw workload.error;
    return {
      benchmarkId: record.benchmarkId,
      record,
      exports,
      ...(gpus ? { gpus: gpus.document } : {}),
      files,
      isWritten,
      wasCancelled: record.cancelled,
    };
  }

  /** Writes the GPU telemetry with modules that are loaded only after scraping has ended. */
  async #writeGpus(server: ServerMetrics): Promise<ServedGpus | undefined> {
    const recording = this.#gpus?.recording;
    if (!recording || recording.sources.length === 0) return undefined;
    prepareLateImport();
    const { writeServedGpus } = await import('../gpu/servedGpus.ts');
    return writeServedGpus(recording, server, this.#context.plan);
  }

  get #warmupSeconds(): number {
    return this.#context.plan.warmupSeconds ?? 0;
  }

  /** True if an interruption is the regular end of the run. */
  get #isOpenEnded(): boolean {
    return (
      this.#lifecycle.phases.isProfiling &&
      !this.#workload &&
      this.#context.plan.durationSeconds === undefined
    );
  }

  /** Runs the warm-up and profiling until the workload ends, the duration has passed or the run is interrupted. */
  async #runPhases(): Promise<{ readonly error?: unknown } | undefined> {
    const { emit, interruptSignal } = this.#context;
    const { phases } = this.#lifecycle;
    const ending = new AbortController();
    const { signal } = ending;
    emit({ type: 'phase_changed', phase: 'warm-up' });
    if (this.#warmupSeconds === 0) await waitUnlessAborted(this.#startProfiling(signal), interruptSignal);
    const workload = interruptSignal.aborted ? undefined : this.#startWorkload();
    this.#lifecycle.startScraping();
    const warmup = this.#endWarmup(signal);
    await (workload ?? waitUnlessAborted(this.#waitForDuration(signal), interruptSignal));
    ending.abort();
    await warmup;
    if (!phases.isProfiling && !interruptSignal.aborted)
      emit({ type: 'warmup_incomplete', warmupSeconds: this.#warmupSeconds });
    return workload;
  }

  /** Starts the workload. The promise resolves when it has settled. */
  #startWorkload(): Promise<{ readonly error?: unknown }> | undefined {
    const { markSocket } = this.#lifecycle;
    return this.#workload?.({ markSocket }).then(
      () => ({}),
      (error: unknown) => ({ error }),
    );
  }

  /** Starts profiling after the warm-up, unless a mark has already started it. */
  async #endWarmup(signal: AbortSignal): Promise<void> {
    if (this.#warmupSeconds === 0) return;
    const { phases } = this.#lifecycle;
    await pause(this.#warmupSeconds, AbortSignal.any([signal, phases.started]));
    if (signal.aborted) return;
    await this.#gpus?.sample();
    await phases.start({ signal, isLoaded: true });
  }

  /** Starts profiling without a warm-up, after a sample of the GPUs. */
  async #startProfiling(signal: AbortSignal): Promise<void> {
    await this.#gpus?.sample();
    await this.#lifecycle.phases.start({ signal });
  }

  /**
   * Waits until the duration has passed since the last start of profiling. A mark may restart profiling
   * during the wait.
   */
  async #waitForDuration(signal: AbortSignal): Promise<void> {
    const { plan, clock } = this.#context;
    const { durationSeconds } = plan;
    const { phases } = this.#lifecycle;
    await pause(undefined, AbortSignal.any([signal, phases.started]));
    if (durationSeconds === undefined) return pause(undefined, signal);
    for (let remainingSeconds = 1; remainingSeconds > 0 && !signal.aborted; ) {
      remainingSeconds = durationSeconds - (clock.monotonicMs() - phases.startedMs) / 1000;
      await pause(Math.max(0, remainingSeconds), signal);
    }
  }
}
