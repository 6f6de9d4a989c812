import { rm } from 'node:fs/promises';
import type { RunInfo } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import { type LoadListener, type LoadSummary, MAX_SLICES } from '@org/loadgen';
import { RunInputError } from '@org/record';
import { extendBuiltInServers, type ServerCatalog } from '@org/servers';
import { GpuRecorder } from '../gpu/gpuRecorder.ts';
import { checkFolder } from '../lifecycle/folderUse.ts';
import { waitUnlessAborted } from '../lifecycle/pause.ts';
import { RunLifecycle } from '../lifecycle/runLifecycle.ts';
import { createProfileConfig, type RecordedConfig } from '../plan/profileConfig.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { hasServers } from '../plan/runPlan.ts';
import { removeEarlierRuns } from '../repeat/earlierRuns.ts';
import { createRunContext, type RunContext } from '../runContext.ts';
import { CommonStart } from '../shard/commonStart.ts';
import { renameEarlierRequests } from './earlierRequests.ts';
import { EarlyEndings } from './earlyEndings.ts';
import { collectExportParts, type EndedLoad } from './exportParts.ts';
import { writeFurtherFiles } from './furtherFiles.ts';
import { openLoad, type ReadyLoad } from './load.ts';
import { NetworkLatency } from './networkLatency.ts';
import { PreparedServers } from './preparedServers.ts';
import { writeProfileExports } from './profileExports.ts';
import { createProfileHeader } from './profileHeader.ts';
import { getProfilePaths, type ProfilePaths } from './profilePaths.ts';
import type { ProfileOptions, ProfileResult } from './profileResult.ts';
import { ProfilingPhase } from './profilingPhase.ts';
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
  #profiling!: ProfilingPhase;

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
    const { plan, clock } = this.#context;
    const startNs = clock.nowNs();
    const paths = getProfilePaths(plan.folder, plan.prefix);
    await this.#open(startNs, ready.tokenizer, paths);
    try {
      await this.#prepared.prepare();
      await this.#begin(paths);
      const load = await this.#runLoad(ready);
      this.#prepared.check();
      return await this.#finish({ startNs, endNs: clock.nowNs(), load }, ready, paths);
    } catch (error) {
      if (error instanceof RunInputError) await this.#abandon();
      throw error;
    }
  }

  /** Opens the files of the run, and creates what observes its load. */
  async #open(startNs: bigint, tokenizer: string, paths: ProfilePaths): Promise<void> {
    const { plan, clock, emit } = this.#context;
    await removeReadyMarker(paths.ready);
    const earlierRequests = renameEarlierRequests(plan);
    if (earlierRequests) emit({ type: 'earlier_requests_kept', ...earlierRequests });
    this.#recorder = await RequestRecorder.open(plan, paths);
    this.#lifecycle = this.#createLifecycle(startNs, tokenizer);
    this.#earlyEndings = new EarlyEndings(
      plan,
      this.#recorder,
      { endpoints: this.#lifecycle.endpoints, catalog: this.#servers, clock },
      this.#endEarly,
    );
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
    this.#profiling = new ProfilingPhase({
      lifecycle: this.#lifecycle,
      recorder: this.#recorder,
      network: this.#network,
      gpus: this.#gpus,
      catalog: this.#servers,
      clock: this.#context.clock,
    });
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
    await this.#profiling.waitForEnd();
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
        await this.#profiling.start();
        return this.#start.determine();
      },
      onPhase: ({ phase, kind }) => {
        if (phase !== 'profiling') return;
        if (kind === 'started') this.#startMeasurements();
        if (kind === 'sent') this.#earlyEndings.stop();
        if (kind === 'ended') this.#profiling.end();
      },
      onRecord: record => this.#recorder.add(record),
    };
  }

  #startMeasurements(): void {
    this.#earlyEndings.start();
    this.#network.start();
  }

  /** Closes the files of the requests, stops scraping, and writes the exports. */
  async #finish(
    ended: Pick<EndedLoad, 'startNs' | 'endNs' | 'load'>,
    ready: ReadyLoad,
    paths: ProfilePaths,
  ): Promise<ProfileResult> {
    const { endNs, load } = ended;
    const requests = await this.#recorder.close();
    const gpuSamples = await this.#gpus?.close();
    this.#profiling.journalEnd(endNs, load, this.#earlyEndings.overSaturation);
    const phases = listPhases(load);
    const server = await this.#lifecycle.finish(() => load.wasCancelled, phases);
    const samples = [...requests, ...(gpuSamples ? [gpuSamples] : [])];
    const exports = await this.#writeExports({ ...ended, server, phases }, samples);
    const furtherFiles = await writeFurtherFiles(exports, ready, {
      context: this.#context,
      paths,
      formatConsole: this.#formatConsole,
      network: this.#network,
      config: this.#formatRunConfig(),
    });
    return await this.#complete(
      { ...exports, furtherFiles: [...exports.furtherFiles, ...furtherFiles] },
      paths,
    );
  }

  async #writeExports(
    ended: EndedLoad,
    requests: readonly WriteResult[],
  ): Promise<Omit<ProfileResult, 'isWritten'>> {
    const { load, server } = ended;
    const { plan, benchmarkId, emit } = this.#context;
    const { metrics, slices, tokenSource } = this.#recorder;
    if (slices && slices.omitted > 0)
      emit({ type: 'timeslices_limited', requests: slices.omitted, maxSlices: MAX_SLICES });
    const clientExports = await writeProfileExports(this.#collectParts(ended), {
      folder: plan.folder,
      prefix: plan.prefix,
      compatibility: plan.exports.compatibility,
    });
    return {
      benchmarkId,
      ...clientExports,
      files: [...clientExports.files, ...requests],
      metrics,
      tokenSource,
      load,
      ...(server ? { server } : {}),
      wasCancelled: load.wasCancelled,
    };
  }

  #collectParts(ended: EndedLoad): ReturnType<typeof collectExportParts> {
    return collectExportParts(
      {
        context: this.#context,
        config: this.#config,
        runInfo: this.#runInfo,
        catalog: this.#servers,
        start: this.#start,
        recorder: this.#recorder,
        profiling: this.#profiling,
        earlyEndings: this.#earlyEndings,
        network: this.#network,
        gpus: this.#gpus,
      },
      ended,
    );
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
