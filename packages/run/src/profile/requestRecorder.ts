import type { SecretRedactor } from '@org/core';
import { openProfileRecords, type ProfileRecordWriter, type WriteResult } from '@org/formats/write';
import { computeRequestMetrics, ProfileMetrics, type RequestRecord, SliceMetrics } from '@org/loadgen';
import { RunInputError } from '@org/record';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { ResolvedPlan } from '../plan/runPlan.ts';
import { toRequestLine } from './requestLine.ts';
import { createRequestRedactor, redactFailure } from './secrets.ts';

/** Reports whether responses are streamed. The embeddings API does not support streaming. */
export function isStreaming({ request }: Pick<ProfilePlan, 'request'>): boolean {
  return request.streaming && request.endpoint !== 'embeddings';
}

/**
 * Computes the metrics of a run from the requests of its profiling phase, and writes each of these requests
 * to profile_export.jsonl.
 */
export class RequestRecorder {
  readonly metrics: ProfileMetrics;
  /** Undefined if the run has no timeslices. */
  readonly slices: SliceMetrics | undefined;
  readonly #redactor: SecretRedactor;
  readonly #writer: ProfileRecordWriter;
  #originNs = 0n;
  /** Nanoseconds since `#originNs`. */
  #profilingStartNs = 0;
  #cancelled = 0;
  #warmupCutOff = 0;

  constructor(plan: ResolvedPlan<ProfilePlan>, writer: ProfileRecordWriter) {
    const { goodput, exports } = plan;
    const options = { streaming: isStreaming(plan), ...(goodput ? { goodput } : {}) };
    this.metrics = new ProfileMetrics(options);
    this.slices =
      exports.sliceSeconds === undefined ? undefined : new SliceMetrics(exports.sliceSeconds * 1e9, options);
    this.#redactor = createRequestRedactor(plan.request);
    this.#writer = writer;
  }

  /** Opens the requests file. Throws `RunInputError` if it cannot be created. */
  static async open(plan: ResolvedPlan<ProfilePlan>, path: string): Promise<RequestRecorder> {
    try {
      return new RequestRecorder(plan, await openProfileRecords(path));
    } catch (error) {
      throw new RunInputError(`cannot write to the artifact folder: ${(error as Error).message}`);
    }
  }

  /** Number of requests of the profiling phase that the client cancelled. */
  get cancelled(): number {
    return this.#cancelled;
  }

  /**
   * Number of warm-up requests that were in flight when the warm-up ended, except requests that were
   * cancelled on purpose.
   */
  get warmupCutOff(): number {
    return this.#warmupCutOff;
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

  /**
   * Adds a request. Requests of the warm-up are not recorded, but counted in `warmupCutOff` if they were cut
   * off. Write errors are part of the result of `close`.
   */
  add(original: RequestRecord): void {
    const record = redactFailure(original, this.#redactor);
    if (record.phase !== 'profiling') {
      if (record.failure?.type === 'Interrupted') this.#warmupCutOff += 1;
      return;
    }
    if (record.cancelled) this.#cancelled += 1;
    const requestMetrics = computeRequestMetrics(record);
    this.metrics.add(record, requestMetrics);
    this.slices?.add(record, requestMetrics, this.#profilingStartNs);
    this.#writer.append(toRequestLine(record, requestMetrics, this.#originNs)).catch(() => {});
  }

  close(): Promise<WriteResult> {
    return this.#writer.close();
  }
}
