import { rm } from 'node:fs/promises';
import type { RunInfo } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import { type LoadListener, type LoadSummary, MAX_SLICES } from '@org/loadgen';
import { RunInputError } from '@org/record';
import { LOAD_MARK, type LoadBoundary, type LoadEnd } from '@org/record/journal';
import { extendBuiltInServers, type ServerCatalog } from '@org/servers';
import { GpuRecorder } from '../gpu/gpuRecorder.ts';
import { checkFolder } from '../lifecycle/folderUse.ts';
import { waitUnlessAborted } from '../lifecycle/pause.ts';
import { RunLifecycle } from '../lifecycle/runLifecycle.ts';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import { createProfileConfig, type RecordedConfig } from '../plan/profileConfig.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { hasServers } from '../plan/runPlan.ts';
import { reconcileLoad } from '../reconciliation/reconcileLoad.ts';
import { countRunningRequests } from '../reconciliation/serverCounts.ts';
import { removeEarlierRuns } from '../repeat/earlierRuns.ts';
import { createRunContext, type RunContext } from '../runContext.ts';
import { CommonStart } from '../shard/commonStart.ts';
import { describeShard } from '../shard/shardReport.ts';
import { renameEarlierRequests } from './earlierRequests.ts';
import { EarlyEndings } from './earlyEndings.ts';
import { writeFurtherFiles } from './furtherFiles.ts';
import { openLoad, type ReadyLoad } from './load.ts';
import { NetworkLatency } from './networkLatency.ts';
import { PreparedServers } from './preparedServers.ts';
import { writeProfileExports } from './profileExports.ts';
import { createProfileHeader } from './profileHeader.ts';
import { getProfilePaths, type ProfilePaths } from './profilePaths.ts';
import type { ProfileOptions, ProfileResult } from './profileResult.ts';
import type { PhaseTimes } from './recordedPhases.ts';
import { RequestRecorder } from './requestRecorder.ts';
import { removeReadyMarker, writeReadyMarker } from './resultsReady.ts';
import { writeRunConfig } from './runConfig.ts';
import { createRunInfo } from './runInfo.ts';
import { listPhases } from './runPhases.ts';

/** Implements `profile`. */
export async function runProfile(plan: ProfilePlan, options: ProfileOptions): Promise<ProfileResult> {
  const context = await createRunContext(plan, options);
  checkFolder(context.plan.folder, {
    prefix: context.plan.prefix,
    writesServerMetrics: hasServers(context.plan),
    writesClientMetrics: true,
  });
  if (options.runInfo === undefined) await removeEarlierRuns(context.plan.folder, context.plan.prefix);
  return new ProfileRun(context, options).run();
}

/** Drives the lifecycle of a profile run by the phases of its load. */
class ProfileRun {
  readonly #context: RunContext<ProfilePlan>;
  readonly #config: Required<RecordedConfig>;
  readonly #servers: ServerCatalog;
  readonly #runInfo: RunInfo;
  readonly #formatConsole: ProfileOptions['formatConsole'];
  /** True if the run is one of several runs. */
  readonly #isPart: boolean;
  readonly #prepared: PreparedServers;
  readonly #endEarly: ProfileOptions['endEarly'];
  readonly #start: CommonStart;
  readonly #network: NetworkLatency;
  #lifecycle!: RunLifecycle;
  #earlyEndings!: EarlyEndings;
  #recorder!: RequestRecorder;
  #gpus: GpuRecorder | undefined;
  /** End of profiling, in nanoseconds since 1970. */
  #profilingEndNs: bigint | undefined;
  /** Resolves when profiling has ended; undefined until the profiling phase of the load has ended. */
  #profilingEnded: Promise<void> | undefined;
  #runningAtStart: number | undefined;
  #runningAtEnd: number | undefined;

  constructor(context: RunContext<ProfilePlan>, { runInfo, formatConsole, endEarly }: ProfileOptions) {
    this.#context = context;
    this.#config = createProfileConfig(context.plan);
    this.#servers = extendBuiltInServers(context.plan.servers ?? []);
    this.#runInfo = createRunInfo(context, runInfo);
    this.#formatConsole = formatConsole;
    this.#isPart = runInfo !== undefined;
    this.#prepared = new PreparedServers(context);
    this.#endEarly = endEarly;
    this.#start = new CommonStart(context);
    this.#network = new NetworkLatency(context.plan);
  }

  async run(): Promise<ProfileResult> {
    const { plan, clock, emit } = this.#context;
    const load = await openLoad(plan, clock, (model, endpoint) =>
      emit({ type: 'tokenizer_downloaded', model, endpoint }),
    );
    try {
      return await this.#runLifecycle(load);
    } finally {
      await this.#prepared.stopProfilers();
      await this.#prepared.close();
      await this.#network.stop();
      await load.close();
    }
  }

  async #runLifecycle(ready: ReadyLoad): Promise<ProfileResult> {
    const { plan, clock, emit } = this.#context;
    const startNs = clock.nowNs();
    const paths = getProfilePaths(plan.folder, plan.prefix);
    await removeReadyMarker(paths.ready);
    const earlierRequests = renameEarlierRequests(plan);
    if (earlierRequests) emit({ type: 'earlier_requests_kept', ...earlierRequests });
    this.#recorder = await RequestRecorder.open(plan, paths);
    this.#lifecycle = this.#createLifecycle(startNs, ready.tokenizer);
    this.#earlyEndings = new EarlyEndings(
      this.#context.plan,
      this.#recorder,
      { endpoints: this.#lifecycle.endpoints, catalog: this.#servers, clock },
      this.#endEarly,
    );
    try {
      await this.#prepared.prepare();
      await this.#begin(paths);
      const load = await this.#runLoad(ready);
      this.#prepared.check();
      const endNs = clock.nowNs();
      const requests = await this.#recorder.close();
      const gpuSamples = await this.#gpus?.close();
      this.#journalEnd(endNs, load);
      const phases = listPhases(load);
      const server = await this.#lifecycle.finish(() => load.wasCancelled, phases);
      const samples = [...requests, ...(gpuSamples ? [gpuSamples] : [])];
      const exports = await this.#writeExports({ startNs, endNs, load, requests: samples, server, phases });
      const furtherFiles = await writeFurtherFiles(exports, ready, {
        context: this.#context,
        paths,
        formatConsole: this.#formatConsole,
        network: this.#network,
        config: this.#formatRunConfig(),
      });
      const result = { ...exports, furtherFiles: [...exports.furtherFiles, ...furtherFiles] };
      return await this.#complete(result, paths);
    } catch (error) {
      if (error instanceof RunInputError) await this.#abandon();
      throw error;
    }
  }

  /** Probes all endpoints and GPUs, and starts to scrape them. */
  async #begin({ gpuTelemetry }: ProfilePaths): Promise<void> {
    const { plan, interruptSignal } = this.#context;
    if (plan.gpuTelemetry) this.#gpus = new GpuRecorder(this.#context, plan.gpuTelemetry, gpuTelemetry);
    await Promise.all([
      this.#lifecycle.begin(plan.warmup !== undefined),
      this.#gpus && waitUnlessAborted(this.#gpus.open(), interruptSignal),
      waitUnlessAborted(this.#network.open(), interruptSignal),
    ]);
    this.#lifecycle.startScraping();
    this.#gpus?.start();
  }

  /** Removes all files of a run that could not start and has therefore sent no requests. */
  async #abandon(): Promise<void> {
    await this.#gpus?.close();
    await this.#lifecycle.abandon();
    await this.#recorder.abandon();
  }

  #createLifecycle(startNs: bigint, tokenizer: string): RunLifecycle {
    const { cliCommand } = this.#context;
    return new RunLifecycle(this.#context, {
      startNs,
      inputConfig: this.#config.inputConfig,
      servelensConfig: {
        ...(cliCommand === undefined ? {} : { cli_command: cliCommand }),
        ...this.#config.servelensConfig,
      },
      profile: createProfileHeader(this.#context.plan, {
        startNs,
        config: this.#config,
        runInfo: this.#runInfo,
        tokenizer,
      }),
      accepts: 'notes',
    });
  }

  async #runLoad(ready: ReadyLoad): Promise<LoadSummary> {
    const load = ready.start(this.#createListener());
    this.#earlyEndings.load = load;
    this.#recorder.originNs = load.originNs;
    const { endpoints } = this.#lifecycle;
    const { metrics, warmupMetrics } = this.#recorder;
    this.#context.emit({
      type: 'load_started',
      active: { load, endpoints, metrics, ...(warmupMetrics ? { warmupMetrics } : {}) },
    });
    const summary = await load.finished.finally(() => this.#earlyEndings.stop());
    await this.#profilingEnded;
    await this.#prepared.stopProfilers();
    this.#context.emit({ type: 'load_ended' });
    return { ...summary, warnings: [...summary.warnings, ...this.#network.warnings] };
  }

  #createListener(): LoadListener {
    return {
      signal: AbortSignal.any([this.#prepared.signal, this.#earlyEndings.signal]),
      overSaturated: this.#earlyEndings.overSaturated,
      beforePhase: async phase => {
        if (phase !== 'profiling') return undefined;
        await this.#prepared.startProfilers();
        await this.#start.wait();
        await this.#startProfiling();
        return this.#start.determine();
      },
      onPhase: ({ phase, kind }) => {
        if (phase !== 'profiling') return;
        if (kind === 'started') this.#startMeasurements();
        if (kind === 'sent') this.#earlyEndings.stop();
        if (kind === 'ended') this.#profilingEnded = this.#endProfiling();
      },
      onRecord: record => this.#recorder.add(record),
    };
  }

  async #startProfiling(): Promise<void> {
    await this.#gpus?.sample();
    const startNs = (await this.#lifecycle.phases.start())!;
    this.#recorder.profilingStartNs = startNs;
    this.#runningAtStart = countRunningRequests(this.#lifecycle.endpoints, this.#servers);
    const data: LoadBoundary = this.#describeBoundary(this.#runningAtStart);
    this.#lifecycle.journal.addMark({ kind: LOAD_MARK.started, atNs: startNs, data });
  }

  #startMeasurements(): void {
    this.#earlyEndings.start();
    this.#network.start();
  }

  async #endProfiling(): Promise<void> {
    const lastRequestNs = this.#context.clock.nowNs();
    const [endNs] = await Promise.all([
      this.#lifecycle.phases.end(),
      this.#gpus?.sample(),
      this.#network.stop(),
    ]);
    this.#profilingEndNs = endNs ?? lastRequestNs;
    this.#runningAtEnd = countRunningRequests(this.#lifecycle.endpoints, this.#servers);
  }

  #journalEnd(atNs: bigint, summary: LoadSummary): void {
    const { overSaturation } = this.#earlyEndings;
    const data: LoadEnd = {
      summary,
      ...this.#describeBoundary(this.#runningAtEnd),
      ...(this.#profilingEndNs === undefined ? {} : { profilingEndNs: this.#profilingEndNs }),
      ...(overSaturation ? { overSaturation } : {}),
    };
    this.#lifecycle.journal.addMark({ kind: LOAD_MARK.ended, atNs, data });
  }

  #describeBoundary(running: number | undefined): LoadBoundary {
    const { warmupCutOff } = this.#recorder;
    return { warmupCutOff, ...(running === undefined ? {} : { running }) };
  }

  async #writeExports(run: {
    readonly startNs: bigint;
    readonly endNs: bigint;
    readonly load: LoadSummary;
    readonly requests: readonly WriteResult[];
    readonly server: ServerMetrics | undefined;
    readonly phases: readonly PhaseTimes[];
  }): Promise<Omit<ProfileResult, 'isWritten'>> {
    const { startNs, endNs, load, server, requests, phases } = run;
    const { plan, benchmarkId, version } = this.#context;
    const { metrics, phaseMetrics, slices, profilingStartNs, earlyStops } = this.#recorder;
    const blocks = { ...metrics.toBlocks(), ...this.#network.describe(metrics) };
    if (slices && slices.omitted > 0)
      this.#context.emit({ type: 'timeslices_limited', requests: slices.omitted, maxSlices: MAX_SLICES });
    const clientExports = await writeProfileExports(
      {
        benchmarkId,
        version,
        startNs,
        endNs,
        metrics,
        phaseMetrics,
        blocks,
        byUrl: this.#recorder.byUrl,
        warmup: this.#recorder.describeWarmup(load),
        phases,
        phaseFiles: server?.phaseFiles ?? [],
        originNs: load.originNs,
        summary: load,
        earlyStops,
        overSaturation: this.#earlyEndings.overSaturation,
        tokenizer: load.tokenizer,
        tokenSource: this.#recorder.tokenSource,
        cancelled: load.wasCancelled,
        ...this.#config,
        runInfo: this.#runInfo,
        reconciliation:
          server &&
          reconcileLoad(server, this.#recorder, {
            blocks,
            load,
            shard: plan.shard,
            inputConfig: this.#config.inputConfig,
            runningAtStart: this.#runningAtStart,
            runningAtEnd: this.#runningAtEnd,
          }),
        shard: describeShard(load, this.#recorder, {
          shard: plan.shard,
          start: this.#start,
          profilingEndNs: this.#profilingEndNs,
        }),
        slices,
        profilingStartNs,
        profilingEndNs: this.#profilingEndNs ?? load.originNs,
        serverMetrics: server?.exports.document,
        servers: this.#servers,
        gpus: this.#gpus && {
          recording: this.#gpus.recording,
          startNs: profilingStartNs,
          endNs: this.#profilingEndNs ?? endNs,
        },
      },
      { folder: plan.folder, prefix: plan.prefix, compatibility: plan.exports.compatibility },
    );
    return {
      benchmarkId,
      ...clientExports,
      files: [...clientExports.files, ...requests],
      metrics,
      tokenSource: this.#recorder.tokenSource,
      load,
      ...(server ? { server } : {}),
      wasCancelled: load.wasCancelled,
    };
  }

  /** Formats the configuration of the run as a file; undefined unless the run is one of several runs. */
  #formatRunConfig(): string | undefined {
    if (!this.#isPart) return undefined;
    return writeRunConfig(this.#context.plan.folder, this.#config.inputConfig, this.#runInfo);
  }

  /** Closes the journal, removes files that are no longer needed, and marks the results as complete. */
  async #complete(result: Omit<ProfileResult, 'isWritten'>, paths: ProfilePaths): Promise<ProfileResult> {
    const isWritten = await this.#lifecycle.closeJournal(result);
    const files =
      isWritten && this.#context.plan.exportLevel === 'summary'
        ? await removeRequests(result.files, paths.jsonl)
        : result.files;
    const marker = await writeReadyMarker(paths.ready, result.wasCancelled, result);
    const furtherFiles = [...result.furtherFiles, marker];
    return { ...result, files, furtherFiles, isWritten: isWritten && marker.ok };
  }
}

/** Removes the requests file, which only `records` and `raw` include, and returns the other files. */
async function removeRequests(files: readonly WriteResult[], jsonl: string): Promise<readonly WriteResult[]> {
  await rm(jsonl, { force: true });
  return files.filter(({ path }) => path !== jsonl);
}
