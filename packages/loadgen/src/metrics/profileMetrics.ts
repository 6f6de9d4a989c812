import type { RequestRecord } from '../requestRecord.ts';
import { ADJUSTED_TAGS, adjustLatencies } from './adjustedLatencies.ts';
import { isContextOverflow } from './contextOverflow.ts';
import { type Distribution, type DistributionStats, MAX_EXACT_VALUES } from './distribution.ts';
import { type ErrorGroup, ErrorGroups } from './errorGroups.ts';
import { GapCounter } from './gapCounter.ts';
import { GOOD_REQUEST, type GoodputRule, meetsGoodput } from './goodput.ts';
import { isLengthMismatch } from './lengthMismatch.ts';
import type { RecordMetric } from './measure.ts';
import { MetricDistributions } from './metricDistributions.ts';
import { listRecordMetrics } from './recordMetrics.ts';
import { ERROR_ISL, type RequestMetrics } from './requestMetrics.ts';
import { createSingleValue } from './singleValue.ts';
import { computeThroughput } from './throughput.ts';
import { computeTokenShares, sumTokens } from './tokenTotals.ts';
import { hasBothCounts, isDiscrepancy } from './usageMetrics.ts';

/** The fields of a record that aggregate metrics use in addition to the request's metrics. */
export type EndedRequest = Pick<RequestRecord, 'failure' | 'cancelled' | 'startNs' | 'lastTokenNs' | 'endNs'>;

/** A metric's block in a profile export: a distribution, or a single value in `avg`. */
export type MetricBlock = { readonly unit: string } & Partial<DistributionStats> & {
    /** Present if times are rounded to this resolution, in bounded memory. */
    readonly time_resolution_ms?: number;
  };

/** Options of {@link ProfileMetrics}. */
export interface ProfileMetricsOptions {
  /** Include the metrics of streamed requests. */
  readonly streaming: boolean;
  readonly goodput?: readonly GoodputRule[];
  /** Maximum number of values per metric for exact percentiles; one million by default. */
  readonly maxExactValues?: number;
}

/** The metrics of a set of requests, aggregated as requests end. The metrics are defined in docs/profile.md. */
export class ProfileMetrics {
  readonly #options: ProfileMetricsOptions;
  readonly #metrics: readonly RecordMetric[];
  readonly #distributions: MetricDistributions;
  readonly #errors = new ErrorGroups();
  #succeeded = 0;
  #failed = 0;
  #cancelled = 0;
  #overflows = 0;
  #good = 0;
  #mismatches = 0;
  #discrepancies = 0;
  #compared = 0;
  readonly #gaps = new GapCounter();
  #firstNs = Number.POSITIVE_INFINITY;
  #lastNs = Number.NEGATIVE_INFINITY;

  constructor(options: ProfileMetricsOptions) {
    this.#options = options;
    this.#metrics = listRecordMetrics(options.streaming);
    this.#distributions = new MetricDistributions(options.maxExactValues ?? MAX_EXACT_VALUES);
  }

  get succeeded(): number {
    return this.#succeeded;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Number of requests that the client cancelled; they are not included in `failed`. */
  get cancelled(): number {
    return this.#cancelled;
  }

  /** Number of successful requests that meet the goodput limits; 0 without limits. */
  get good(): number {
    return this.#good;
  }

  /** Failures grouped by kind, most frequent first. */
  get errors(): readonly ErrorGroup[] {
    return this.#errors.toList();
  }

  /**
   * Earliest start and latest content of the successful requests, in ns since the run's origin; undefined if
   * none succeeded.
   */
  get span(): { readonly startNs: number; readonly endNs: number } | undefined {
    return this.#succeeded === 0 ? undefined : { startNs: this.#firstNs, endNs: this.#lastNs };
  }

  /** Returns the distribution of a per-request metric; undefined if it has no values. */
  getDistribution(tag: string): Distribution | undefined {
    return this.#distributions.get(tag)?.distribution;
  }

  /** Adds a request and its metrics. */
  add(record: EndedRequest, metrics: RequestMetrics): void {
    if (record.cancelled) {
      this.#cancelled += 1;
      return;
    }
    // Counted below, by the rules of this instance.
    for (const [tag, { value, unit }] of Object.entries(metrics))
      if (tag !== GOOD_REQUEST.tag) this.#distributions.add(tag, value, unit);
    if (record.failure) {
      this.#failed += 1;
      if (isContextOverflow(record.failure)) this.#overflows += 1;
      this.#errors.add(record.failure);
      return;
    }
    this.#succeeded += 1;
    this.#firstNs = Math.min(this.#firstNs, record.startNs);
    this.#lastNs = Math.max(this.#lastNs, record.lastTokenNs ?? record.endNs);
    const values = Object.fromEntries(Object.entries(metrics).map(([tag, { value }]) => [tag, value]));
    const { goodput } = this.#options;
    if (goodput && meetsGoodput(goodput, values)) this.#good += 1;
    if (isLengthMismatch(values)) this.#mismatches += 1;
    if (isDiscrepancy(values)) this.#discrepancies += 1;
    if (hasBothCounts(values)) this.#compared += 1;
    this.#gaps.add(values.inter_chunk_latency);
  }

  /**
   * Adds all requests of another instance. Returns false without changes if `other` no longer stores individual
   * values.
   */
  merge(other: ProfileMetrics): boolean {
    if (!this.#distributions.merge(other.#distributions)) return false;
    for (const { failure, count } of other.errors) this.#errors.add(failure, count);
    this.#succeeded += other.#succeeded;
    this.#failed += other.#failed;
    this.#cancelled += other.#cancelled;
    this.#overflows += other.#overflows;
    this.#good += other.#good;
    this.#mismatches += other.#mismatches;
    this.#discrepancies += other.#discrepancies;
    this.#compared += other.#compared;
    this.#gaps.merge(other.#gaps);
    this.#firstNs = Math.min(this.#firstNs, other.#firstNs);
    this.#lastNs = Math.max(this.#lastNs, other.#lastNs);
    return true;
  }

  /**
   * Returns all metrics by tag: per-request metrics, then aggregate and derived metrics. `durationNs` replaces
   * the time from the first start to the last content. Rates are omitted if no request succeeded or if the
   * duration is 0.
   */
  toBlocks(durationNs?: number): Record<string, MetricBlock> {
    const blocks: Record<string, MetricBlock> = {};
    for (const { tag } of [...this.#metrics, ERROR_ISL]) {
      const entry = this.#distributions.get(tag);
      const stats = entry?.distribution.computeStats();
      if (entry && stats) blocks[tag] = { unit: entry.unit, ...stats };
    }
    const span = this.span;
    const seconds = (durationNs ?? (span ? span.endNs - span.startNs : 0)) / 1e9;
    const { coalescedShare } = this.#gaps;
    return {
      ...blocks,
      ...(coalescedShare === undefined
        ? {}
        : { coalesced_chunk_share: createSingleValue(coalescedShare, 'ratio') }),
      ...this.#listCounts(),
      ...sumTokens(this.#distributions),
      ...computeTokenShares(this.#distributions),
      ...this.#adjustLatencies(),
      ...computeThroughput(
        seconds,
        { succeeded: this.#succeeded, good: this.#options.goodput ? this.#good : undefined },
        this.#distributions,
      ),
    };
  }

  #listCounts(): Record<string, MetricBlock> {
    return {
      request_count: createSingleValue(this.#succeeded, 'requests'),
      ...(this.#failed > 0
        ? {
            error_request_count: createSingleValue(this.#failed, 'requests'),
            context_overflow_count: createSingleValue(this.#overflows, 'requests'),
          }
        : {}),
      ...(this.#cancelled > 0
        ? { cancelled_request_count: createSingleValue(this.#cancelled, 'requests') }
        : {}),
      ...this.#computeErrorRate(),
      ...this.#listGoodRequests(),
      ...(this.#distributions.has('osl_mismatch_diff_pct')
        ? { osl_mismatch_count: createSingleValue(this.#mismatches, 'requests') }
        : {}),
      ...(this.#compared > 0
        ? { usage_discrepancy_count: createSingleValue(this.#discrepancies, 'requests') }
        : {}),
    };
  }

  /** Returns the number of requests with a result, which cancelled ones do not have, and the percentage that failed. */
  #computeErrorRate(): Record<string, MetricBlock> {
    const completed = this.#succeeded + this.#failed;
    if (completed === 0) return {};
    return {
      completed_request_count: createSingleValue(completed, 'requests'),
      request_error_rate: createSingleValue((100 * this.#failed) / completed, '%'),
    };
  }

  /** Returns the number of requests that meet the goodput limits, and their share of all attempts. */
  #listGoodRequests(): Record<string, MetricBlock> {
    if (!this.#options.goodput) return {};
    const attempts = this.#succeeded + this.#failed + this.#cancelled;
    return {
      [GOOD_REQUEST.tag]: createSingleValue(this.#good, GOOD_REQUEST.unit),
      ...(attempts === 0 ? {} : { good_request_fraction: createSingleValue(this.#good / attempts, 'ratio') }),
    };
  }

  /** Returns latencies in which failed requests count as infinite, if any failed. */
  #adjustLatencies(): Record<string, MetricBlock> {
    if (this.#failed === 0) return {};
    const blocks = ADJUSTED_TAGS.flatMap(tag => {
      const entry = this.#distributions.get(tag);
      if (!entry) return [];
      return [
        [`adj_${tag}`, { unit: entry.unit, ...adjustLatencies(entry.distribution, this.#failed) }] as const,
      ];
    });
    return Object.fromEntries(blocks);
  }
}
