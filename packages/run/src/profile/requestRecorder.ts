import type { SecretRedactor } from '@org/core';
import { openProfileRecords, type ProfileRecordWriter, type WriteResult } from '@org/formats/write';
import {
  computeRequestMetrics,
  isEarlyStop,
  type PhaseMetrics,
  type ProfileMetrics,
  type RequestMetrics,
  type RequestRecord,
  type SliceMetrics,
  type TokenSource,
} from '@org/loadgen';
import { RunInputError } from '@org/record';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';
import { type ClientRequests, OpenRequests } from '../reconciliation/openRequests.ts';
import type { PhaseName } from './phasePosition.ts';
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
  readonly #path: string;
  readonly #redactor: SecretRedactor;
  readonly #writer: ProfileRecordWriter;
  readonly #tokens: TokenSourceChoice;
  #metrics: RunMetrics;
  #tokenSource: TokenSource | undefined;
  #originNs = 0n;
  /** Nanoseconds since `#originNs`. */
  #profilingStartNs = 0;
  #warmupCutOff = 0;
  #earlyStops = 0;
  readonly #open = new OpenRequests();

  constructor(plan: ResolvedPlan<ProfilePlan>, path: string, writer: ProfileRecordWriter) {
    this.#plan = plan;
    this.#path = path;
    this.#metrics = createMetrics(plan);
    this.#tokens = new TokenSourceChoice(plan);
    this.#redactor = createRequestRedactor(plan.request);
    this.#writer = writer;
  }

  /** Opens the requests file. Throws `RunInputError` if it cannot be created. */
  static async open(plan: ResolvedPlan<ProfilePlan>, path: string): Promise<RequestRecorder> {
    try {
      return new RequestRecorder(plan, path, await openProfileRecords(path));
    } catch (error) {
      throw new RunInputError(`cannot write to the artifact folder: ${(error as Error).message}`);
    }
  }

  get metrics(): ProfileMetrics {
    return this.#metrics.profiling;
  }

  /** The metrics of the profiling phase as a whole. */
  get phaseMetrics(): PhaseMetrics {
    return this.#metrics.profilingPhase;
  }

  /** The metrics of the warm-up; undefined if the run has none. */
  get warmupMetrics(): ProfileMetrics | undefined {
    return this.#plan.warmup && this.#metrics.warmup;
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

  /** Adds a request. Write errors are part of the result of `close`. */
  add(original: RequestRecord): void {
    const record = redactFailure(original, this.#redactor);
    this.#count(record);
    const sources = this.#tokens.add(record);
    const requestMetrics = computeRequestMetrics(record, sources.metrics);
    this.#metrics.add(record.phase, record, requestMetrics, this.#profilingStartNs);
    const line = toRequestLine(
      record,
      sources.line === sources.metrics ? requestMetrics : computeRequestMetrics(record, sources.line),
      {
        originNs: this.#originNs,
        hasWarmup: this.#plan.warmup !== undefined,
        clientTokens: sources.isPreliminary ? describeClientTokens(record) : undefined,
      },
    );
    this.#writer.append(line).catch(() => {});
  }

  #count(record: RequestRecord): void {
    if (record.phase === 'warmup') {
      if (record.failure?.type === 'Interrupted') this.#warmupCutOff += 1;
      return;
    }
    if (isEarlyStop(record)) this.#earlyStops += 1;
    this.#open.add(record.startNs, record.endNs);
  }

  /** Closes the requests file, and chooses the source of token counts. */
  async close(): Promise<WriteResult> {
    const written = await this.#writer.close();
    if (!written.ok || !this.#tokens.mustReplace) return written;
    const metrics = createMetrics(this.#plan);
    const replaced = await replaceTokens(this.#path, line =>
      metrics.add(
        line.metadata.benchmark_phase as PhaseName,
        toEndedRequest(line, this.#originNs),
        line.metrics as RequestMetrics,
        this.#profilingStartNs,
      ),
    );
    if (!replaced?.ok) return written;
    this.#metrics = metrics;
    this.#tokenSource = 'client';
    return replaced;
  }
}

function createMetrics(plan: ResolvedPlan<ProfilePlan>): RunMetrics {
  const { goodput, exports, inputs } = plan;
  return new RunMetrics(
    { streaming: isStreaming(plan), fixedSchedule: inputs.fixedSchedule, ...(goodput ? { goodput } : {}) },
    exports.sliceSeconds,
  );
}
