import { PacedResult } from '@org/core';
import type { ProfileExport, ProfileRecord, ProfileTimeslices, ServerMetricsDocument } from '@org/formats';
import { isWarmupRecord, readProfileRecords } from '@org/formats/read';
import type { MetricBlock, RequestMetrics } from '@org/loadgen';
import { GrowingLines } from '@org/record/follow';
import type { ProfileHeader, RecoveredRun } from '@org/record/journal';
import { getServers } from '@org/record/servers';
import type { GpuRecording } from '../gpu/gpuRecorder.ts';
import { createProfileDocument, type DocumentParts } from '../profile/document.ts';
import { toEndedRequest } from '../profile/requestLine.ts';
import { RunMetrics } from '../profile/runMetrics.ts';
import { createTimeslices, type TimesliceParts } from '../profile/timeslices.ts';
import { RecordedTokenSource, toClientTokens } from '../profile/tokenSource.ts';
import { createRequestParts } from '../recover/requestParts.ts';

/** The metrics of a request that charts use. */
const CHARTED_METRICS = [
  'time_to_first_token',
  'inter_token_latency',
  'request_latency',
  'output_sequence_length',
  'good_request_count',
] as const;

/** Maximum share of the time that the computation of load metrics may take. */
const MAX_LOAD_SHARE = 0.02;

/** The documents of the client about the profiling phase so far. */
export interface ClientDocuments {
  readonly profile: ProfileExport;
  /** Absent if the run has no timeslices. */
  readonly timeslices?: ProfileTimeslices;
}

/** Values of servers and GPUs in the documents of the client. */
export interface MeasuredServers {
  readonly document: ServerMetricsDocument;
  readonly gpus: GpuRecording | undefined;
  /** Whether all metrics must be current, because the run has ended. */
  readonly isComplete: boolean;
}

/** Reads the requests of an active run, and their metrics so far. Only appended lines are read. */
export class FollowedRequests {
  readonly #header: ProfileHeader;
  readonly #path: string;
  readonly #sliceSeconds: number | undefined;
  #lines: GrowingLines;
  #totals: Totals;
  #recordedTokens = new RecordedTokenSource();
  /** The metrics of the load that are weighted by time, whose computation takes long. */
  readonly #loadBlocks = new PacedResult<Record<string, MetricBlock>>(MAX_LOAD_SHARE, () =>
    performance.now(),
  );
  /** The timeslices of the last documents. Most of them have ended, so that they do not change. */
  readonly #timeslices: NonNullable<TimesliceParts['known']> = new WeakMap();
  /** Start of profiling, in nanoseconds since 1970; undefined during the warm-up. */
  #profilingStartNs: bigint | undefined;
  /** Profiling requests that were read before the start of profiling was known. */
  #early: ProfileRecord[] = [];

  /** @param sliceSeconds the duration of a timeslice; undefined without timeslices */
  constructor(header: ProfileHeader, path: string, sliceSeconds?: number) {
    this.#header = header;
    this.#path = path;
    this.#sliceSeconds = sliceSeconds;
    this.#lines = new GrowingLines(path);
    this.#totals = this.#createTotals();
  }

  /** The requests of the profiling phase, with the fields that charts use. */
  get charted(): readonly ProfileRecord[] {
    return this.#totals.charted;
  }

  /**
   * Reads the appended requests. Lines that cannot be read are skipped.
   *
   * @param profilingStartNs start of profiling, in nanoseconds since 1970; undefined during the warm-up
   */
  async read(profilingStartNs: bigint | undefined): Promise<void> {
    this.#profilingStartNs = profilingStartNs;
    const { bytes, isRestarted } = await this.#lines.read();
    if (isRestarted) this.#restart();
    if (profilingStartNs !== undefined) for (const record of this.#early.splice(0)) this.#add(record);
    if (bytes.length === 0) return;
    const records: ProfileRecord[] = [];
    for await (const record of readProfileRecords(bytes, { onIssue: () => {} })) records.push(record);
    const usedTokens = this.#tokenSource;
    for (const record of records) this.#recordedTokens.add(record);
    // The first response decides which tokens count, and a later one can change that for all requests.
    if (this.#totals.count > 0 && this.#tokenSource !== usedTokens) return this.#readAgain();
    for (const record of records) this.#add(record);
  }

  /** Creates the client's documents of the profiling phase so far. Returns undefined before its first request has ended. */
  createDocuments(
    run: RecoveredRun,
    { document, gpus, isComplete }: MeasuredServers,
  ): ClientDocuments | undefined {
    if (this.#totals.charted.length === 0) return undefined;
    if (isComplete) this.#loadBlocks.reset();
    const { metrics, earlyStops } = this.#totals;
    const parts = createRequestParts(run, this.#header, {
      metrics,
      earlyStops,
      originNs: this.#header.startNs,
      warmupStartNs: this.#header.startNs,
      lastNs: this.#totals.getLastNs(run.record.endNs),
      tokenSource: this.#tokenSource,
    });
    const { profilingStartNs: startNs, profilingEndNs: endNs } = parts;
    const timeslices = createTimeslices({
      ...parts,
      slices: metrics.slices,
      // Until the run has ended, requests of the last timeslice follow, so that it is not added to the one before.
      serverMetrics: isComplete ? document : undefined,
      // The page draws the load itself, from the requests.
      omitsLoad: true,
      known: this.#timeslices,
    });
    const measured: Pick<DocumentParts, 'gpus' | 'serverMetrics' | 'servers'> = {
      gpus: gpus && { recording: gpus, startNs, endNs },
      serverMetrics: document,
      servers: getServers(run.record),
    };
    return {
      profile: omitEnd(createProfileDocument({ ...parts, ...measured, phaseMetrics: this.#pace(parts) })),
      ...(timeslices && { timeslices }),
    };
  }

  /** Returns the metrics of the load. Those that are weighted by time may be older than the others. */
  #pace({ phaseMetrics }: Pick<DocumentParts, 'phaseMetrics'>): DocumentParts['phaseMetrics'] {
    return {
      acceptanceHistogram: phaseMetrics.acceptanceHistogram,
      toRangeBlocks: ranges => phaseMetrics.toRangeBlocks(ranges),
      toBlocks: startNs => this.#loadBlocks.get(() => phaseMetrics.toBlocks(startNs)),
    };
  }

  get #tokenSource(): 'client' | 'server' {
    const { tokenSource, tokenizer } = this.#header;
    return tokenSource ?? (tokenizer === 'server' ? 'server' : this.#recordedTokens.source);
  }

  #createTotals(): Totals {
    return new Totals(this.#header, this.#sliceSeconds);
  }

  #add(record: ProfileRecord): void {
    const startNs = this.#profilingStartNs;
    if (startNs === undefined && !isWarmupRecord(record)) {
      this.#early.push(record);
      return;
    }
    const mustConvert = this.#header.tokenSource === undefined && this.#tokenSource === 'client';
    this.#totals.add(mustConvert ? toClientTokens(record) : record, startNs ?? this.#header.startNs);
  }

  #restart(): void {
    this.#totals = this.#createTotals();
    this.#recordedTokens = new RecordedTokenSource();
    this.#early = [];
  }

  async #readAgain(): Promise<void> {
    this.#totals = this.#createTotals();
    this.#early = [];
    this.#lines = new GrowingLines(this.#path);
    const { bytes } = await this.#lines.read();
    for await (const record of readProfileRecords(bytes, { onIssue: () => {} })) {
      this.#recordedTokens.add(record);
      this.#add(record);
    }
  }
}

/** Leaves out what is known only when a run has ended. */
function omitEnd(document: ProfileExport): ProfileExport {
  const { was_cancelled: _, is_complete: __, incomplete_reason: ___, ...rest } = document;
  return rest;
}

/** The metrics of requests. Times are relative to the start of the run. */
class Totals {
  readonly metrics: RunMetrics;
  readonly charted: ProfileRecord[] = [];
  readonly #startNs: bigint;
  count = 0;
  earlyStops = 0;
  /** The last end of a request, in nanoseconds since 1970. */
  lastNs = 0n;

  constructor(
    { streaming, goodput, fixedSchedule = false, startNs }: ProfileHeader,
    sliceSeconds: number | undefined,
  ) {
    this.metrics = new RunMetrics(
      { streaming, fixedSchedule, ...(goodput ? { goodput } : {}) },
      sliceSeconds,
    );
    this.#startNs = startNs;
  }

  /** Returns the last end of a request, or the time of the last scrape if it is later. */
  getLastNs(scrapeNs: bigint): bigint {
    if (scrapeNs > this.lastNs) return scrapeNs;
    return this.lastNs;
  }

  /** Adds a request. `profilingStartNs` is the start of profiling, in nanoseconds since 1970. */
  add(line: ProfileRecord, profilingStartNs: bigint): void {
    const { metadata } = line;
    // The file may contain requests of an earlier run.
    if (BigInt(metadata.request_start_ns) < this.#startNs) return;
    this.count += 1;
    const isWarmup = isWarmupRecord(line);
    const request = toEndedRequest(line, this.#startNs);
    this.metrics.add(
      isWarmup ? 'warmup' : 'profiling',
      request,
      (line.metrics ?? {}) as RequestMetrics,
      Number(profilingStartNs - this.#startNs),
      metadata.url_index,
    );
    if (isWarmup) return;
    if (metadata.stopped_early) this.earlyStops += 1;
    const endNs = BigInt(metadata.request_end_ns);
    if (endNs > this.lastNs) this.lastNs = endNs;
    this.charted.push(selectCharted(line));
  }
}

/** Keeps the fields of a request that charts use, so that a long run does not fill the memory. */
function selectCharted({ metadata, metrics, error }: ProfileRecord): ProfileRecord {
  const { request_start_ns, request_end_ns, was_cancelled, x_request_id } = metadata;
  const selected = CHARTED_METRICS.flatMap(name => {
    const metric = metrics?.[name];
    return metric ? [[name, metric] as const] : [];
  });
  return {
    metadata: { request_start_ns, request_end_ns, was_cancelled, x_request_id },
    metrics: Object.fromEntries(selected),
    error: error ?? null,
  } as ProfileRecord;
}
