import type { RequestRecord } from '../requestRecord.ts';
import type { Speculation } from '../response/speculation.ts';
import { Distribution, type DistributionStats } from './distribution.ts';
import { type CurveLimits, LoadCurves } from './loadCurves.ts';
import type { MetricBlock } from './profileMetrics.ts';
import type { RequestMetrics } from './requestMetrics.ts';
import { computeTimeBlocks, type TimeRange } from './timeMetrics.ts';

/** The fields of a record that metrics of the phase use in addition to the request's metrics. */
export type TimedRequest = Pick<RequestRecord, 'startNs' | 'endNs'> & {
  readonly intendedNs: number | undefined;
  readonly speculation: Pick<Speculation, 'histogram'> | undefined;
};

/** Options of {@link PhaseMetrics}. */
export interface PhaseMetricsOptions extends CurveLimits {
  readonly streaming: boolean;
  /** True if requests are sent at the timestamps of a trace. */
  readonly fixedSchedule?: boolean;
}

/** A replay is degraded if more than 1% of its requests are later than the least late one by more than this. */
const MAX_SCHEDULE_LAG_MS = 500;

/**
 * Metrics of the profiling phase as a whole: the load over time, and the delays of requests against their schedule.
 * They include failed and cancelled requests.
 */
export class PhaseMetrics {
  readonly #options: PhaseMetricsOptions;
  readonly #curves: LoadCurves;
  /** Delays against the schedule, in ms. Negative if a request was sent early. */
  readonly #delays = new Distribution();
  readonly #startLatencies = new Distribution();
  readonly #endLatencies = new Distribution();
  readonly #acceptedCounts: number[] = [];
  #lastEndNs = Number.NEGATIVE_INFINITY;

  constructor(options: PhaseMetricsOptions) {
    this.#options = options;
    this.#curves = new LoadCurves(options);
  }

  /** Adds a request and its metrics. */
  add({ startNs, endNs, intendedNs, speculation }: TimedRequest, metrics: RequestMetrics): void {
    const read = (tag: string): number => {
      const value = metrics[tag]?.value;
      return typeof value === 'number' ? value : Number.NaN;
    };
    const gaps = metrics.inter_chunk_latency?.value;
    this.#curves.add({
      startNs,
      endNs,
      firstTokenNs: startNs + toNs(read('time_to_first_token')),
      inputTokens: read('input_sequence_length'),
      outputTokens: read('output_sequence_length'),
      gapsNs: Array.isArray(gaps) ? gaps.map(toNs) : [],
    });
    this.#lastEndNs = Math.max(this.#lastEndNs, endNs);
    speculation?.histogram.forEach((steps, accepted) => {
      this.#acceptedCounts[accepted] = (this.#acceptedCounts[accepted] ?? 0) + steps;
    });
    if (intendedNs !== undefined) this.#addDelays(startNs - intendedNs, endNs - intendedNs);
  }

  /**
   * Number of steps of speculative decoding by number of accepted tokens; undefined if no server reported any. Numbers
   * without steps are omitted.
   */
  get acceptanceHistogram(): Readonly<Record<string, number>> | undefined {
    const counts = Object.entries(this.#acceptedCounts).filter(([, steps]) => steps > 0);
    return counts.length === 0 ? undefined : Object.fromEntries(counts);
  }

  /** Returns all metrics by tag. The phase starts at `startNs` and ends with the last request. */
  toBlocks(startNs: number): Record<string, MetricBlock> {
    if (this.#lastEndNs === Number.NEGATIVE_INFINITY) return {};
    return {
      ...this.toRangeBlocks([{ startNs, endNs: this.#lastEndNs }])[0],
      ...toBlock('credit_to_start_latency', this.#startLatencies),
      ...toBlock('effective_latency', this.#endLatencies),
      ...(this.#options.fixedSchedule ? describeLag(this.#delays.computeStats()) : {}),
    };
  }

  /** Returns the metrics of the load over time in each range. Ranges are in order and do not overlap. */
  toRangeBlocks(ranges: readonly TimeRange[]): Record<string, MetricBlock>[] {
    const blocks = computeTimeBlocks(this.#curves, ranges, this.#options.streaming);
    const { resolutionNs } = this.#curves;
    if (resolutionNs === undefined) return blocks;
    return blocks.map(range =>
      Object.fromEntries(
        Object.entries(range).map(([tag, block]) => [
          tag,
          { ...block, time_resolution_ms: resolutionNs / 1e6 },
        ]),
      ),
    );
  }

  #addDelays(startDelayNs: number, endDelayNs: number): void {
    this.#delays.add(startDelayNs / 1e6);
    this.#startLatencies.add(Math.max(0, startDelayNs) / 1e6);
    this.#endLatencies.add(Math.max(0, endDelayNs) / 1e6);
  }
}

function toBlock(tag: string, distribution: Distribution): Record<string, MetricBlock> {
  const stats = distribution.computeStats();
  return stats ? { [tag]: { unit: 'ms', ...stats } } : {};
}

/** Returns the delays of a replay, relative to its least late request. */
function describeLag(delays: DistributionStats | undefined): Record<string, MetricBlock> {
  if (!delays) return {};
  const { min, p50, p90, p99 } = delays;
  return {
    replay_sched_lag_p50: { unit: 'ms', avg: p50 - min },
    replay_sched_lag_p90: { unit: 'ms', avg: p90 - min },
    replay_sched_lag_p99: { unit: 'ms', avg: p99 - min },
    replay_sched_degraded: { unit: 'count', avg: p99 - min > MAX_SCHEDULE_LAG_MS ? 1 : 0 },
  };
}

/** Converts a duration in ms, which has all digits, to whole ns. */
function toNs(ms: number): number {
  return Math.round(ms * 1e6);
}
