import { rm } from 'node:fs/promises';
import type { SecretRedactor } from '@org/core';
import type { ProfileRecord } from '@org/formats';
import {
  type LineWriter,
  openLines,
  openProfileRecords,
  type ProfileRecordWriter,
  type WriteResult,
  writeRawRecordLine,
} from '@org/formats/write';
import {
  computeRequestMetrics,
  isEarlyStop,
  type LoadSummary,
  type PhaseMetrics,
  type ProfileMetrics,
  type RequestMetrics,
  type RequestRecord,
  type SliceMetrics,
  type TokenSource,
  toWallNs,
} from '@org/loadgen';
import { RunInputError } from '@org/record';
import { getFileLayout } from '../export/fileLayout.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';
import { type ClientRequests, OpenRequests } from '../reconciliation/openRequests.ts';
import { ClockBounds } from '../shard/clockBounds.ts';
import type { WarmupResults } from './document.ts';
import { rateRequest } from './goodRequest.ts';
import { formatFragment, writeOutputs } from './outputs.ts';
import type { PhaseName } from './phasePosition.ts';
import type { ProfilePaths } from './profilePaths.ts';
import { toRawRecord } from './rawRecord.ts';
import { replaceTokens } from './replaceTokens.ts';
import { toEndedRequest, toRequestLine } from './requestLine.ts';
import { RunMetrics } from './runMetrics.ts';
import { createRequestRedactor, redactFailure } from './secrets.ts';
import { describeClientTokens, TokenSourceChoice } from './tokenSource.ts';

/** Reports whether responses are streamed. The embeddings API does not support streaming. */
export function isStreaming({ request }: Pick<ProfilePlan, 'request'>): boolean {
  return request.streaming && request.endpoint !== 'embeddings';
}

/**
 * Writes each request of a run to profile_export.jsonl, and computes the metrics of the profiling phase and of the
 * warm-up.
 */
export class RequestRecorder {
  readonly #plan: ResolvedPlan<ProfilePlan>;
  readonly #paths: ProfilePaths;
  readonly #redactor: SecretRedactor;
  readonly #writers: RequestWriters;
  readonly #tokens: TokenSourceChoice;
  #metrics: RunMetrics;
  #tokenSource: TokenSource | undefined;
  #originNs = 0n;
  /** Nanoseconds since `#originNs`. */
  #profilingStartNs = 0;
  #warmupCutOff = 0;
  #earlyStops = 0;
  readonly #open = new OpenRequests();
  /** The clocks of the servers; empty unless the run is a shard. */
  readonly clocks: ClockBounds = new ClockBounds();

  constructor(plan: ResolvedPlan<ProfilePlan>, paths: ProfilePaths, writers: RequestWriters) {
    this.#plan = plan;
    this.#paths = paths;
    this.#metrics = createMetrics(plan);
    this.#tokens = new TokenSourceChoice(plan);
    this.#redactor = createRequestRedactor(plan.request);
    this.#writers = writers;
  }

  /** Opens the files with a line per request. Throws `RunInputError` if one cannot be created. */
  static async open(plan: ResolvedPlan<ProfilePlan>, paths: ProfilePaths): Promise<RequestRecorder> {
    try {
      return new RequestRecorder(plan, paths, {
        records: await openProfileRecords(paths.jsonl, {
          layout: getFileLayout(plan.exports.compatibility),
          endpointType: plan.request.endpoint,
        }),
        ...(plan.exportLevel === 'raw' ? { raw: await openLines(paths.raw) } : {}),
        ...(plan.exportOutputs ? { fragments: await openLines(paths.outputFragments) } : {}),
      });
    } catch (error) {
      throw new RunInputError(`cannot write to the artifact folder: ${(error as Error).message}`);
    }
  }

  get metrics(): ProfileMetrics {
    return this.#metrics.profiling;
  }

  get #hasSeveralUrls(): boolean {
    return this.#plan.request.urls.length > 1;
  }

  /** The metrics of the profiling phase by URL; empty with a single URL. */
  get byUrl(): ReadonlyMap<number, ProfileMetrics> {
    return this.#metrics.byUrl;
  }

  /** The metrics of the profiling phase as a whole. */
  get phaseMetrics(): PhaseMetrics {
    return this.#metrics.profilingPhase;
  }

  /** The metrics of the warm-up; undefined if the run has none. */
  get warmupMetrics(): ProfileMetrics | undefined {
    return this.#plan.warmup && this.#metrics.warmup;
  }

  /** Returns the metrics of the warm-up and its start; undefined if the run has none. */
  describeWarmup({ phases }: Pick<LoadSummary, 'phases'>): WarmupResults | undefined {
    if (!this.#plan.warmup) return undefined;
    const { warmup: metrics, warmupPhase: phaseMetrics } = this.#metrics;
    const startNs = toWallNs(this.#originNs, phases[0]?.startNs ?? 0);
    return { metrics, phaseMetrics, blocks: metrics.toBlocks(), startNs };
  }

  /** Undefined if the run has no timeslices. */
  get slices(): SliceMetrics | undefined {
    return this.#metrics.slices;
  }

  /** Source of the token counts that the metrics use. Final after `close`. */
  get tokenSource(): TokenSource {
    return this.#tokenSource ?? this.#tokens.source;
  }

  /**
   * Number of warm-up requests that were in flight when the warm-up ended, except requests that were
   * cancelled on purpose.
   */
  get warmupCutOff(): number {
    return this.#warmupCutOff;
  }

  /** The requests of the profiling phase that were open at each time. */
  get requests(): ClientRequests {
    return { open: this.#open, originNs: this.#originNs };
  }

  /** Number of responses that the server ended before the requested length. */
  get earlyStops(): number {
    return this.#earlyStops;
  }

  /** Sets the wall time that the times of all records are relative to, in nanoseconds since 1970. */
  set originNs(originNs: bigint) {
    this.#originNs = originNs;
  }

  /** The start of the profiling period, in nanoseconds since 1970; `originNs` until it is set. */
  get profilingStartNs(): bigint {
    return this.#originNs + BigInt(this.#profilingStartNs);
  }

  set profilingStartNs(startNs: bigint) {
    this.#profilingStartNs = Number(startNs - this.#originNs);
  }

  /** Called with the metrics of each request of the profiling phase. */
  onMeasured: ((metrics: RequestMetrics) => void) | undefined;

  /** Adds a request. Write errors are part of the result of `close`. */
  add(original: RequestRecord): void {
    const record = redactFailure(original, this.#redactor);
    this.#count(record);
    if (this.#plan.shard) this.clocks.add(record, this.#originNs);
    const sources = this.#tokens.add(record);
    const requestMetrics = computeRequestMetrics(record, sources.metrics);
    if (record.phase === 'profiling') this.onMeasured?.(requestMetrics);
    const urlIndex = this.#hasSeveralUrls ? record.urlIndex : undefined;
    this.#metrics.add(record.phase, record, requestMetrics, this.#profilingStartNs, urlIndex);
    const measured = toRequestLine(
      record,
      sources.line === sources.metrics ? requestMetrics : computeRequestMetrics(record, sources.line),
      {
        originNs: this.#originNs,
        hasWarmup: this.#plan.warmup !== undefined,
        hasSeveralUrls: this.#hasSeveralUrls,
        clientTokens: sources.isPreliminary ? describeClientTokens(record) : undefined,
      },
    );
    this.#write(record, rateRequest(measured, this.#plan.goodput));
  }

  #write(record: RequestRecord, line: ProfileRecord): void {
    const { records, raw, fragments } = this.#writers;
    const { request } = this.#plan;
    const redactor = this.#redactor;
    records.append(line).catch(() => {});
    const rawRecord = raw && toRawRecord(record, line, { redactor, request });
    if (rawRecord) raw.append(writeRawRecordLine(rawRecord)).catch(() => {});
    if (record.phase === 'profiling')
      fragments?.append(formatFragment(record, line, text => redactor.redact(text))).catch(() => {});
  }

  #count(record: RequestRecord): void {
    if (record.phase === 'warmup') {
      if (record.failure?.type === 'Interrupted') this.#warmupCutOff += 1;
      return;
    }
    if (isEarlyStop(record)) this.#earlyStops += 1;
    this.#open.add(record.startNs, record.endNs);
  }

  /**
   * Closes the files, and chooses the source of token counts. Returns the results of the requests file and, if the plan
   * has them, of the raw requests and the outputs.
   */
  async close(): Promise<readonly [requests: WriteResult, ...others: WriteResult[]]> {
    const { raw, fragments } = this.#writers;
    const requests = await this.#closeRequests();
    const others = raw ? [await raw.close()] : [];
    const written = await fragments?.close();
    if (!written) return [requests, ...others];
    const usesClientTokens = this.#tokens.mustReplace && this.#tokenSource === 'client';
    return [requests, ...others, written.ok ? await writeOutputs(this.#paths, usesClientTokens) : written];
  }

  /** Deletes all files of a run that has sent no requests. */
  async abandon(): Promise<void> {
    const { records, raw, fragments } = this.#writers;
    await Promise.all([records.close(), raw?.close(), fragments?.close()]);
    const { jsonl, raw: rawPath, outputFragments } = this.#paths;
    for (const path of [jsonl, ...(raw ? [rawPath] : []), ...(fragments ? [outputFragments] : [])])
      await rm(path, { force: true });
  }

  async #closeRequests(): Promise<WriteResult> {
    const written = await this.#writers.records.close();
    if (!written.ok || !this.#tokens.mustReplace) return written;
    const metrics = createMetrics(this.#plan);
    const replaced = await replaceTokens(this.#paths.jsonl, this.#plan.goodput, line =>
      metrics.add(
        line.metadata.benchmark_phase as PhaseName,
        toEndedRequest(line, this.#originNs),
        line.metrics as RequestMetrics,
        this.#profilingStartNs,
        line.metadata.url_index,
      ),
    );
    if (!replaced?.ok) return written;
    this.#metrics = metrics;
    this.#tokenSource = 'client';
    return replaced;
  }
}

/** The files that a run writes line by line, one line per request. */
interface RequestWriters {
  readonly records: ProfileRecordWriter;
  /** Requests and responses as sent. */
  readonly raw?: LineWriter;
  /** Parts of outputs.json. */
  readonly fragments?: LineWriter;
}

function createMetrics(plan: ResolvedPlan<ProfilePlan>): RunMetrics {
  const { goodput, exports, inputs } = plan;
  return new RunMetrics(
    { streaming: isStreaming(plan), fixedSchedule: inputs.fixedSchedule, ...(goodput ? { goodput } : {}) },
    exports.sliceSeconds,
  );
}
