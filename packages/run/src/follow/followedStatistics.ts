import { PERCENTILE_METHODS, type PercentileMethod, type Series } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import type { RunHeader } from '@org/record/journal';
import { getServers } from '@org/record/servers';
import { type ExportView, type SeriesEntry, streamServerMetrics } from '@org/record/view';
import { collectDigest } from '../export/digest.ts';

/** The time that the statistics of known series may take per update, in milliseconds. */
const BUDGET_MS = 30;

/** The result of a series, which has no samples if `entry` is undefined, and when it was computed. */
interface Computed {
  readonly entry: SeriesEntry | undefined;
  readonly atMs: number;
}

/**
 * The statistics of the servers of an active run. For a long run with many series, computing them takes longer than the time
 * between two updates. Each update therefore computes some series, in turns, and reuses the last results of the others.
 */
export class FollowedStatistics {
  readonly #budgetMs: number;
  /** The start of the period that the results cover, in nanoseconds since 1970. */
  #startNs: bigint | undefined;
  readonly #results = new Map<Series, Computed>();
  /** The position of the series that is computed next. */
  #next = 0;

  constructor(budgetMs: number = BUDGET_MS) {
    this.#budgetMs = budgetMs;
  }

  /** The time of the oldest result, in milliseconds since 1970; undefined without results. */
  get computedMs(): number | undefined {
    let oldest: number | undefined;
    for (const { atMs } of this.#results.values()) oldest = Math.min(oldest ?? atMs, atMs);
    return oldest;
  }

  /**
   * Returns the statistics so far.
   *
   * @param isComplete whether to compute all series, because the run has ended
   */
  async compute(
    view: ExportView,
    { percentileMethod, sliceSeconds }: RunHeader['exports'],
    isComplete: boolean,
  ): Promise<ServerMetricsDocument> {
    const { record } = view;
    if (this.#startNs !== record.period.startNs) this.#results.clear();
    this.#startNs = record.period.startNs;
    const stream = streamServerMetrics(view, {
      estimator: PERCENTILE_METHODS[percentileMethod as PercentileMethod],
      reuse: this.#createTurn(isComplete),
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    });
    return await collectDigest(stream, getServers(record));
  }

  /** Returns a function that computes all new series and, as long as there is time, those whose turn it is. */
  #createTurn(
    isComplete: boolean,
  ): (series: Series, compute: () => SeriesEntry | undefined) => SeriesEntry | undefined {
    const first = this.#next;
    let position = 0;
    let endMs: number | undefined;
    this.#next = 0;
    return (series, compute) => {
      const isTurn = position >= first;
      const nowMs = performance.now();
      // The time counts from the first series of the turn, so that every update computes at least this one.
      if (isTurn) endMs ??= nowMs + this.#budgetMs;
      const hasTime = endMs !== undefined && nowMs < endMs;
      // The next update continues with the first series that had to wait.
      if (isTurn && !hasTime && this.#next === 0) this.#next = position;
      position++;
      const known = this.#results.get(series);
      if (known && !isComplete && !(isTurn && hasTime)) return known.entry;
      const entry = compute();
      this.#results.set(series, { entry, atMs: Date.now() });
      return entry;
    };
  }
}
