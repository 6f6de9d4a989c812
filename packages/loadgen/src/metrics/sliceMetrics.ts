import {
  type EndedRequest,
  type MetricBlock,
  ProfileMetrics,
  type ProfileMetricsOptions,
} from './profileMetrics.ts';
import type { RequestMetrics } from './requestMetrics.ts';

/**
 * Metrics of the requests that started in one timeslice of the profiling period. Times are in ns since the
 * run's origin.
 */
export interface MetricSlice {
  readonly index: number;
  readonly startNs: number;
  readonly endNs: number;
  /** False if the period ends within the timeslice. */
  readonly isComplete: boolean;
  readonly blocks: Readonly<Record<string, MetricBlock>>;
}

/** Describes the end of the server metrics' timeslices. Times are in ns since the run's origin. */
export interface ServerSlices {
  /** Start of the last timeslice. */
  readonly lastStartNs: number;
  /**
   * Longest update interval of the endpoints. Server metrics omit a last timeslice that is shorter than this
   * interval.
   */
  readonly intervalNs: number;
}

/**
 * The number of the requests that ended in a timeslice, and their mean latency, which are comparable with the metrics of
 * servers.
 */
export const ENDED_REQUEST_METRICS: readonly string[] = ['ended_request_count', 'ended_request_latency'];

/** Maximum number of timeslices of a run; each takes about 20 KB and more. */
export const MAX_SLICES = 10_000;

/** Maximum number of values per metric and timeslice for exact percentiles. */
const MAX_EXACT_VALUES = 10_000;

/**
 * Metrics per timeslice. A request belongs to timeslice floor((request start − period start) / slice duration),
 * as in the server metrics, so that client and server metrics can be joined. Rates are relative to the duration
 * of the timeslice.
 */
export class SliceMetrics {
  readonly #durationNs: number;
  readonly #options: ProfileMetricsOptions;
  readonly #slices = new Map<number, ProfileMetrics>();
  /** Latencies of the requests that ended in each timeslice. */
  readonly #ended = new Map<number, { count: number; sumMs: number }>();
  /** The results of timeslices that have not changed since. */
  readonly #results = new Map<number, MetricSlice>();
  #omitted = 0;

  constructor(durationNs: number, options: ProfileMetricsOptions) {
    this.#durationNs = durationNs;
    this.#options = { maxExactValues: MAX_EXACT_VALUES, ...options };
  }

  /** Adds a request and its metrics. `startNs` is the start of the profiling period, in ns since the run's origin. */
  add(record: EndedRequest, requestMetrics: RequestMetrics, startNs: number): void {
    const latencyMs = requestMetrics.request_latency?.value;
    if (typeof latencyMs === 'number') this.#addEnd(record.startNs + latencyMs * 1e6 - startNs, latencyMs);
    const index = Math.max(0, Math.floor((record.startNs - startNs) / this.#durationNs));
    if (index >= MAX_SLICES) {
      this.#omitted += 1;
      return;
    }
    let metrics = this.#slices.get(index);
    if (!metrics) {
      metrics = new ProfileMetrics(this.#options);
      this.#slices.set(index, metrics);
    }
    metrics.add(record, requestMetrics);
    this.#results.delete(index);
  }

  /** Adds the end of a request: servers count requests when they end, not when they start. */
  #addEnd(endNs: number, latencyMs: number): void {
    const index = Math.floor(endNs / this.#durationNs);
    if (index < 0 || index >= MAX_SLICES) return;
    const { count, sumMs } = this.#ended.get(index) ?? { count: 0, sumMs: 0 };
    this.#ended.set(index, { count: count + 1, sumMs: sumMs + latencyMs });
    this.#results.delete(index);
  }

  /** Number of requests that started after the last possible timeslice. */
  get omitted(): number {
    return this.#omitted;
  }

  /**
   * Returns all timeslices with requests, in order. `startNs` and `endNs` bound the profiling period, in ns
   * since the run's origin. If the server metrics omit the last timeslice, requests that start in it are
   * assigned to the previous timeslice; `servers` may therefore be set only when the period has ended.
   *
   * A timeslice that has not changed since the last call is the same object.
   */
  toSlices(startNs: number, endNs: number, servers?: ServerSlices): MetricSlice[] {
    if (servers) this.#mergeShortSlice(startNs, endNs, servers);
    return [...this.#slices]
      .sort(([a], [b]) => a - b)
      .map(([index, metrics]) => {
        const sliceStartNs = startNs + index * this.#durationNs;
        const fullEndNs = sliceStartNs + this.#durationNs;
        const sliceEndNs = Math.min(fullEndNs, Math.max(endNs, sliceStartNs + 1));
        const known = this.#results.get(index);
        if (known?.startNs === sliceStartNs && known.endNs === sliceEndNs) return known;
        const slice = {
          index,
          startNs: sliceStartNs,
          endNs: sliceEndNs,
          isComplete: sliceEndNs === fullEndNs,
          blocks: { ...metrics.toBlocks(sliceEndNs - sliceStartNs), ...this.#toEndedBlock(index) },
        };
        this.#results.set(index, slice);
        return slice;
      });
  }

  #toEndedBlock(index: number): Readonly<Record<string, MetricBlock>> {
    const ended = this.#ended.get(index);
    if (!ended) return {};
    const { count, sumMs } = ended;
    return {
      ended_request_count: { unit: 'requests', avg: count },
      ended_request_latency: { unit: 'ms', avg: sumMs / count },
    };
  }

  /**
   * Merges the last timeslice into the previous one if it is shorter than the scrape interval. If the run was
   * killed, the timeslice may be longer, because requests are recorded even after the last scrape.
   */
  #mergeShortSlice(startNs: number, endNs: number, { lastStartNs, intervalNs }: ServerSlices): void {
    // If scrapes are further apart than the slice duration, the timeslices of the server metrics are the scrape
    // intervals.
    if (intervalNs > this.#durationNs) return;
    const lastIndex = Math.round((lastStartNs - startNs) / this.#durationNs);
    const shortSlice = this.#slices.get(lastIndex + 1);
    if (lastIndex < 0 || !shortSlice || [...this.#slices.keys()].some(index => index > lastIndex + 1)) return;
    if (endNs - (startNs + (lastIndex + 1) * this.#durationNs) >= intervalNs) return;
    const previous = this.#slices.get(lastIndex) ?? new ProfileMetrics(this.#options);
    if (!previous.merge(shortSlice)) return;
    this.#slices.set(lastIndex, previous);
    this.#slices.delete(lastIndex + 1);
    // The last timeslice is longer than the one of the servers, so that their ends are not comparable.
    this.#ended.delete(lastIndex);
    this.#results.delete(lastIndex);
    this.#results.delete(lastIndex + 1);
  }
}
