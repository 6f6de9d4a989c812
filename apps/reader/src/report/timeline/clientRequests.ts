import { openInput } from '@org/analysis/files';
import type { ProfileRecord } from '@org/formats';
import { isWarmupRecord, readProfileRecords } from '@org/formats/read';
import type { ReadIssues } from '../readIssues.ts';
import { BinValues } from './binValues.ts';
import type { RunTraces } from './runTraces.ts';
import { type Axis, addToBins, createBins, findBin } from './timeAxis.ts';

/** A request of the profiling phase. Times are in seconds on the axis, latencies in ms. */
export interface ClientRequest {
  readonly sent: number;
  readonly end: number;
  readonly firstToken?: number;
  readonly interToken?: number;
  readonly latency?: number;
  readonly outputTokens?: number;
  readonly outcome: Outcome;
  /** The position in the export, from 1. */
  readonly record: number;
  /** The ID of the request in the export. */
  readonly id?: string;
}

/** The result of a request. A `late` request succeeded, but missed a limit of `--goodput`. */
export type Outcome = 'ok' | 'late' | 'failed' | 'cancelled';

/** The latencies of requests whose percentiles are drawn. */
export type Latency = 'firstToken' | 'interToken' | 'latency';

/** The maximum number of requests that are drawn one by one. */
const MAX_REQUESTS = 1000;
/** The part of them that are the slowest requests. */
const MAX_SLOWEST = 100;

/** The time axes of the requests of a run. */
type RequestAxes = Pick<RunTraces, 'startNs' | 'axis' | 'sliceAxis'>;

/** Reads the load generator's requests from their file; see `collectClientRequests`. */
export async function readClientRequests(
  file: string,
  axes: RequestAxes,
  issues: ReadIssues,
): Promise<ClientRequests | undefined> {
  const onIssue = issues.createCallback(file);
  return await collectClientRequests(readProfileRecords(await openInput(file), { onIssue }), axes);
}

/**
 * Collects the load generator's requests on the time axis of the server metrics. The times of requests and scrapes are
 * comparable only if the load generator and Servelens ran on the same machine. Returns undefined without requests.
 */
export async function collectClientRequests(
  records: AsyncIterable<ProfileRecord> | Iterable<ProfileRecord>,
  { startNs, axis, sliceAxis }: RequestAxes,
): Promise<ClientRequests | undefined> {
  const requests = new ClientRequests(axis, sliceAxis);
  let position = 0;
  for await (const record of records) {
    position++;
    if (!isWarmupRecord(record)) requests.add(toRequest(record, position, startNs));
  }
  return requests.count === 0 ? undefined : requests;
}

/** Converts a request of an export, at a position from 1. `startNs` is the start of the axis, in nanoseconds since 1970. */
export function toRequest(
  { metadata, metrics, error }: ProfileRecord,
  position: number,
  startNs: bigint,
): ClientRequest {
  const toSeconds = (ns: bigint): number => Number(ns - startNs) / 1e9;
  const firstToken = readMs(metrics.time_to_first_token);
  const interToken = readMs(metrics.inter_token_latency);
  const latency = readMs(metrics.request_latency);
  const tokens = metrics.output_sequence_length?.value;
  const good = metrics.good_request_count?.value;
  const outcome = metadata.was_cancelled ? 'cancelled' : error ? 'failed' : good === 0 ? 'late' : 'ok';
  return {
    sent: toSeconds(metadata.request_start_ns),
    end: toSeconds(metadata.request_end_ns),
    ...(firstToken !== undefined && { firstToken }),
    ...(interToken !== undefined && { interToken }),
    ...(latency !== undefined && { latency }),
    ...(typeof tokens === 'number' && { outputTokens: tokens }),
    outcome,
    record: position,
    ...(metadata.x_request_id != null && { id: metadata.x_request_id }),
  };
}

/** Time units of profile exports, in ms. */
const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3, sec: 1e3 };

function readMs(metric: ProfileRecord['metrics'][string] | undefined): number | undefined {
  const scale = metric && UNIT_MS[metric.unit];
  return scale !== undefined && typeof metric?.value === 'number' ? metric.value * scale : undefined;
}

/** Requests in the bins of a time axis, and a selection of single requests. */
export class ClientRequests {
  readonly axis: Axis;
  readonly sliceAxis: Axis;
  /** Number of requests by outcome. */
  readonly outcomes: Record<Outcome, number> = { ok: 0, late: 0, failed: 0, cancelled: 0 };
  /** Number of requests without a first token, by outcome. */
  readonly withoutFirstToken: Record<Outcome, number> = { ok: 0, late: 0, failed: 0, cancelled: 0 };
  count = 0;
  readonly #inFlight: Float64Array;
  readonly #sent: Float64Array;
  readonly #completed: Float64Array;
  readonly #failed: Float64Array;
  readonly #tokens: Float64Array;
  /** The requests that ended in each slice, and the ones among them that succeeded within the limits. */
  readonly #ended: Float64Array;
  readonly #good: Float64Array;
  readonly #latencies: Readonly<Record<Latency, BinValues>>;
  readonly #sample: ClientRequest[] = [];
  /** Every request with a multiple of this number is in the sample. */
  #stride = 1;
  #slowest: ClientRequest[] = [];
  /** The first and the last time of a request, in seconds. */
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  constructor(axis: Axis, sliceAxis: Axis) {
    this.axis = axis;
    this.sliceAxis = sliceAxis;
    const createValues = (): BinValues => new BinValues(sliceAxis);
    this.#inFlight = createBins(axis);
    this.#sent = createBins(axis);
    this.#completed = createBins(axis);
    this.#failed = createBins(axis);
    this.#tokens = createBins(axis);
    this.#ended = createBins(sliceAxis);
    this.#good = createBins(sliceAxis);
    this.#latencies = { firstToken: createValues(), interToken: createValues(), latency: createValues() };
  }

  add(request: ClientRequest): void {
    const { sent, end, outcome, firstToken, interToken, latency, outputTokens } = request;
    this.#first = Math.min(this.#first, sent);
    this.#last = Math.max(this.#last, end);
    this.outcomes[outcome]++;
    if (firstToken === undefined) this.withoutFirstToken[outcome]++;
    addToBins(this.#inFlight, this.axis, sent, end, end - sent);
    increment(this.#sent, this.axis, sent);
    const isDone = outcome === 'ok' || outcome === 'late';
    increment(isDone ? this.#completed : this.#failed, this.axis, end);
    increment(this.#ended, this.sliceAxis, end);
    if (outcome === 'ok') increment(this.#good, this.sliceAxis, end);
    this.#select(request);
    this.count++;
    if (!isDone) return;
    const firstTokenAt = sent + (firstToken ?? 0) / 1e3;
    this.#addLatency('firstToken', firstTokenAt, firstToken);
    this.#addLatency('interToken', end, interToken);
    this.#addLatency('latency', end, latency);
    if (outputTokens !== undefined) addToBins(this.#tokens, this.axis, firstTokenAt, end, outputTokens);
  }

  /** Rates per second; null before the first and after the last request. */
  get sent(): (number | null)[] {
    return this.#toRates(this.#sent);
  }

  get completed(): (number | null)[] {
    return this.#toRates(this.#completed);
  }

  get failed(): (number | null)[] {
    return this.#toRates(this.#failed);
  }

  get outputTokens(): (number | null)[] {
    return this.#toRates(this.#tokens);
  }

  /** The mean number of requests that were sent and had not ended. */
  get inFlight(): (number | null)[] {
    return this.#toRates(this.#inFlight);
  }

  /** The percentage of the requests that ended in each slice that succeeded within the limits; null without requests. */
  get goodPercent(): (number | null)[] {
    return Array.from(this.#ended.subarray(0, this.sliceAxis.bins), (ended, slice) =>
      ended === 0 ? null : (100 * this.#good[slice]!) / ended,
    );
  }

  /** The latencies in each slice, in ms and ascending order: at the first token or at the end of the request. */
  listLatencies(latency: Latency): readonly Float64Array[] {
    return this.#latencies[latency].list();
  }

  /** Requests to draw one by one: the slowest, and a regular sample of all. `count` is the number of all requests. */
  selectRequests(): readonly ClientRequest[] {
    const slowest = this.listSlowest();
    const included = new Set(slowest);
    const every = Math.max(1, Math.ceil(this.#sample.length / (MAX_REQUESTS - slowest.length)));
    return [...slowest, ...this.#sample.filter((request, i) => i % every === 0 && !included.has(request))];
  }

  /** The slowest requests, slowest first. */
  listSlowest(): readonly ClientRequest[] {
    this.#trimSlowest();
    return this.#slowest;
  }

  #addLatency(latency: Latency, seconds: number, value: number | undefined): void {
    if (value !== undefined) this.#latencies[latency].add(seconds, value);
  }

  #select(request: ClientRequest): void {
    if (this.count % this.#stride === 0) this.#sample.push(request);
    if (this.#sample.length > 2 * MAX_REQUESTS) {
      this.#stride *= 2;
      this.#sample.splice(0, Number.POSITIVE_INFINITY, ...this.#sample.filter((_, i) => i % 2 === 0));
    }
    this.#slowest.push(request);
    if (this.#slowest.length > 4 * MAX_SLOWEST) this.#trimSlowest();
  }

  #trimSlowest(): void {
    this.#slowest = this.#slowest.sort((a, b) => (b.latency ?? 0) - (a.latency ?? 0)).slice(0, MAX_SLOWEST);
  }

  #toRates(sums: Float64Array): (number | null)[] {
    // Warm-up requests are left out, so values before the first request are unknown, not 0.
    const [from, to] = [Math.floor(this.#first / this.axis.width), Math.floor(this.#last / this.axis.width)];
    return Array.from(sums.subarray(0, this.axis.bins), (sum, bin) =>
      bin < from || bin > to ? null : sum / this.axis.width,
    );
  }
}

function increment(bins: Float64Array, axis: Axis, seconds: number): void {
  const bin = findBin(axis, seconds);
  if (bin >= 0) bins[bin]!++;
}
