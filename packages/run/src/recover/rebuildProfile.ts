import { isPartOfRun } from '@org/core';
import type { ProfileRecord, Reconciliation } from '@org/formats';
import { isWarmupRecord } from '@org/formats/read';
import type { WriteResult } from '@org/formats/write';
import { ProfileMetrics, type RequestMetrics, type TokenSource } from '@org/loadgen';
import { getDefinitions, recordDefinitions } from '@org/record';
import { type ProfileHeader, type RecoveredLoad, readLoad } from '@org/record/journal';
import { getServers } from '@org/record/servers';
import type { RecoverEventSink } from '../events.ts';
import type { ExportOptions } from '../export/exportRun.ts';
import { isRegularFile } from '../export/regularFile.ts';
import type { GpuRecording } from '../gpu/gpuRecorder.ts';
import { readGpuTelemetry, readRecordedMap } from '../gpu/readGpuTelemetry.ts';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import type { DocumentParts } from '../profile/document.ts';
import { writeOutputs } from '../profile/outputs.ts';
import { type PhaseParts, type ProfileExports, writeProfileExports } from '../profile/profileExports.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import { describeWarmupTimes, type PhaseTimes } from '../profile/recordedPhases.ts';
import { toEndedRequest } from '../profile/requestLine.ts';
import { RunMetrics } from '../profile/runMetrics.ts';
import type { TimesliceParts } from '../profile/timeslices.ts';
import { RecordedTokenSource, toClientTokens } from '../profile/tokenSource.ts';
import { mayCombineInputs } from '../reconciliation/combinedInputs.ts';
import { OpenRequests } from '../reconciliation/openRequests.ts';
import { reconcileRun } from '../reconciliation/reconcile.ts';
import { type LineCounts, readRequests } from './readRequests.ts';
import type { RebuiltRun } from './rebuiltRun.ts';
import { createRequestParts } from './requestParts.ts';

export interface RebuildOptions {
  /** Path of the requests file. */
  readonly requests: string;
  readonly exports: Pick<ExportOptions, 'folder' | 'prefix' | 'compatibility' | 'sliceSeconds'>;
  /** The recovered server metrics; undefined if the run scraped nothing. */
  readonly server: ServerMetrics | undefined;
  /** Empty for a run without a warm-up. */
  readonly phases: readonly PhaseTimes[];
  readonly emit: RecoverEventSink;
  /** The shards of a merged run, and why it is incomplete. Absent for the recovery of a single run. */
  readonly merged?: Pick<DocumentParts, 'shards' | 'incompleteReason'>;
}

/**
 * Writes the client's exports of a run from its requests file and its journal. The requests file contains all digits of
 * the measurements, so the statistics equal the statistics of a completed run.
 */
export async function rebuildProfile(
  run: RebuiltRun,
  header: ProfileHeader,
  options: RebuildOptions,
): Promise<ProfileExports> {
  const rebuild = new ProfileRebuild(run, header, options);
  await rebuild.read();
  const { folder, prefix } = options.exports;
  const gpus = await readGpuTelemetry(
    getProfilePaths(folder, prefix).gpuTelemetry,
    header.startNs,
    readRecordedMap(header.servelensConfig),
  );
  const parts = rebuild.createParts(gpus);
  const exports = await writeProfileExports(parts, options.exports);
  const outputs = await recoverOutputs(options.exports, parts.tokenSource);
  return outputs ? { ...exports, files: [...exports.files, outputs] } : exports;
}

/** Writes outputs.json of a run that was killed before it did so; undefined if there is nothing to write. */
async function recoverOutputs(
  { folder, prefix }: RebuildOptions['exports'],
  tokenSource: TokenSource,
): Promise<WriteResult | undefined> {
  const paths = getProfilePaths(folder, prefix);
  if (!isRegularFile(paths.outputFragments)) return undefined;
  return writeOutputs(paths, tokenSource === 'client');
}

/** Recomputes the metrics of a run from its requests. Times are nanoseconds since `#originNs`. */
class ProfileRebuild {
  readonly #run: RebuiltRun;
  readonly #header: ProfileHeader;
  readonly #options: RebuildOptions;
  readonly #load: RecoveredLoad;
  readonly #originNs: bigint;
  readonly #metrics: RunMetrics;
  /** Profiling requests that ended before the last scrape. */
  readonly #scraped: ProfileMetrics;
  /** Number of profiling requests that ended after the last scrape. */
  #unscraped = 0;
  /** Time of the last scrape or the last response, whichever is later, in nanoseconds since 1970. */
  #lastNs: bigint;
  #tokenSource: TokenSource | undefined;
  #earlyStops = 0;
  readonly #open = new OpenRequests();
  #lineCounts: LineCounts = { requests: 0, dropped: 0 };

  constructor(run: RebuiltRun, header: ProfileHeader, options: RebuildOptions) {
    this.#run = run;
    this.#header = header;
    this.#options = options;
    this.#load = readLoad(run.replay.marks);
    this.#originNs = this.#load.end?.summary.originNs ?? header.startNs;
    this.#lastNs = run.record.endNs;
    const { streaming, goodput, fixedSchedule = false } = header;
    const metricsOptions = { streaming, fixedSchedule, ...(goodput ? { goodput } : {}) };
    this.#metrics = new RunMetrics(metricsOptions, options.exports.sliceSeconds);
    this.#scraped = new ProfileMetrics(metricsOptions);
  }

  async read(): Promise<void> {
    const mustReplace = await this.#findTokenSource();
    const startNs = this.#toRelative(this.#run.record.period.startNs);
    // If the load was completed, all of its requests are reconciled.
    const lastScrapeNs = this.#load.end ? Number.POSITIVE_INFINITY : this.#toRelative(this.#run.record.endNs);
    const { requests, emit } = this.#options;
    this.#lineCounts = await readRequests(
      requests,
      this.#header.startNs,
      line => this.#add(mustReplace ? toClientTokens(line) : line, startNs, lastScrapeNs),
      emit,
    );
  }

  /**
   * Determines the source of token counts. Returns true if the lines must be converted to it, because the run
   * was killed before it ended.
   */
  async #findTokenSource(): Promise<boolean> {
    const { startNs, tokenizer, tokenSource } = this.#header;
    this.#tokenSource = tokenSource ?? (tokenizer === 'server' ? 'server' : undefined);
    if (this.#tokenSource !== undefined) return false;
    const recorded = new RecordedTokenSource();
    await readRequests(
      this.#options.requests,
      startNs,
      line => recorded.add(line),
      () => {},
    );
    this.#tokenSource = recorded.source;
    return recorded.source === 'client';
  }

  #add(line: ProfileRecord, startNs: number, lastScrapeNs: number): void {
    const request = toEndedRequest(line, this.#originNs);
    const requestMetrics = (line.metrics ?? {}) as RequestMetrics;
    const isWarmup = isWarmupRecord(line);
    const { url_index: urlIndex } = line.metadata;
    this.#metrics.add(isWarmup ? 'warmup' : 'profiling', request, requestMetrics, startNs, urlIndex);
    if (isWarmup) return;
    this.#open.add(request.startNs, request.endNs);
    if (line.metadata.stopped_early) this.#earlyStops += 1;
    const endNs = BigInt(line.metadata.request_end_ns);
    if (endNs > this.#lastNs) this.#lastNs = endNs;
    if (request.endNs > lastScrapeNs) {
      this.#unscraped += 1;
      return;
    }
    this.#scraped.add(request, requestMetrics);
  }

  createParts(gpus: GpuRecording | undefined): DocumentParts & TimesliceParts & PhaseParts {
    const { record } = this.#run;
    const { phases, server } = this.#options;
    const parts = createRequestParts(this.#run, this.#header, {
      originNs: this.#originNs,
      metrics: this.#metrics,
      lastNs: this.#lastNs,
      tokenSource: this.#tokenSource!,
      earlyStops: this.#earlyStops,
      warmupStartNs: phases[0]?.startNs ?? this.#header.startNs,
    });
    const { profilingStartNs, profilingEndNs } = parts;
    return {
      ...parts,
      ...(parts.shard ? { shard: { ...parts.shard, ...describeWarmupTimes(phases) } } : {}),
      phases,
      phaseFiles: server?.phaseFiles ?? [],
      servelensConfig: recordDefinitions(
        this.#header.servelensConfig,
        getDefinitions(record.servelensConfig),
      ),
      reconciliation: this.#reconcile(),
      ...(this.#options.merged ?? {
        recovered: { requests: this.#lineCounts.requests, lines_dropped: this.#lineCounts.dropped },
      }),
      slices: this.#metrics.slices,
      gpus: gpus && { recording: gpus, startNs: profilingStartNs, endNs: profilingEndNs },
      serverMetrics: server?.exports.document,
      servers: getServers(record),
    };
  }

  #reconcile(): Reconciliation | undefined {
    const { server } = this.#options;
    const { start, end } = this.#load;
    if (!server || !start || isPartOfRun(this.#header.shard)) return undefined;
    return reconcileRun(server.record, server.exports.document, {
      blocks: this.#scraped.toBlocks(),
      metrics: this.#scraped,
      warmupCutOff: (end ?? start).warmupCutOff,
      tokenizer: this.#header.tokenizer,
      runningAtStart: start.running,
      runningAtEnd: end?.running,
      requests: { open: this.#open, originNs: this.#originNs },
      mayCombineInputs: mayCombineInputs(this.#header.inputConfig),
      ...(end ? {} : { killed: { unscraped: this.#unscraped } }),
    });
  }

  #toRelative(ns: bigint): number {
    return Number(ns - this.#originNs);
  }
}
