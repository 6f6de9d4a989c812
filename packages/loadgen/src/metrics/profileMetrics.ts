import type { RequestRecord } from '../requestRecord.ts';
import { ADJUSTED_TAGS, adjustLatencies } from './adjustedLatencies.ts';
import { isContextOverflow } from './contextOverflow.ts';
import { Distribution, type DistributionStats, MAX_EXACT_VALUES } from './distribution.ts';
import { type ErrorGroup, ErrorGroups } from './errorGroups.ts';
import { GapCounter } from './gapCounter.ts';
import { GOOD_REQUEST, type GoodputRule, meetsGoodput } from './goodput.ts';
import { divide, type RecordMetric } from './measure.ts';
import { listRecordMetrics } from './recordMetrics.ts';
import { ERROR_ISL, type RequestMetrics } from './requestMetrics.ts';
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

/**
 * Tolerated difference from the requested response length: this fraction or this number of tokens, whichever is
 * smaller.
 */
const MAX_MISMATCH_FRACTION = 0.05;
const MAX_MISMATCH_TOKENS = 50;

/** Totals, each with the metric that it sums. */
const TOTALS: readonly (readonly [total: string, tag: string])[] = [
  ['total_isl', 'input_sequence_length'],
  ['total_osl', 'output_sequence_length'],
  ['total_output_tokens', 'output_token_count'],
  ['total_reasoning_tokens', 'reasoning_token_count'],
  ['total_error_isl', 'error_isl'],
  ...[
    ...['usage_prompt_tokens', 'usage_completion_tokens', 'usage_total_tokens', 'usage_reasoning_tokens'],
    ...[
      'usage_prompt_cache_read_tokens',
      'usage_prompt_cache_write_tokens',
      'usage_prompt_cache_miss_tokens',
    ],
    ...['usage_accepted_prediction_tokens', 'usage_rejected_prediction_tokens'],
    ...['usage_prompt_audio_tokens', 'usage_completion_audio_tokens', 'usage_prompt_audio_seconds'],
    'usage_tool_use_prompt_tokens',
  ].map(tag => [`total_${tag}`, tag] as const),
  ['total_spec_decode_steps', 'spec_decode_steps'],
  ['total_accepted_draft_tokens', 'spec_decode_accepted_draft_tokens'],
  ['total_draft_tokens', 'spec_decode_draft_tokens'],
];

/** The metrics of a set of requests, aggregated as requests end. The metrics are defined in docs/profile.md. */
export class ProfileMetrics {
  readonly #options: ProfileMetricsOptions;
  readonly #metrics: readonly RecordMetric[];
  readonly #distributions = new Map<string, { unit: string; distribution: Distribution }>();
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
      if (tag !== GOOD_REQUEST.tag) this.#addValues(tag, value, unit);
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
    if (isMismatch(values)) this.#mismatches += 1;
    if (isDiscrepancy(values)) this.#discrepancies += 1;
    if (hasBothCounts(values)) this.#compared += 1;
    this.#gaps.add(values.inter_chunk_latency);
  }

  /**
   * Adds all requests of another instance. Returns false without changes if `other` no longer stores individual
   * values.
   */
  merge(other: ProfileMetrics): boolean {
    const distributions = [...other.#distributions].map(([tag, { unit, distribution }]) => ({
      tag,
      unit,
      values: distribution.values,
    }));
    if (distributions.some(({ values }) => values === undefined)) return false;
    for (const { tag, unit, values } of distributions) this.#addValues(tag, [...values!], unit);
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
      ...(coalescedShare === undefined ? {} : { coalesced_chunk_share: toBlock(coalescedShare, 'ratio') }),
      ...this.#listCounts(),
      ...this.#sumTokens(),
      ...this.#computeShares(),
      ...this.#adjustLatencies(),
      ...this.#computeRates(seconds),
    };
  }

  #addValues(tag: string, value: number | readonly number[], unit: string): void {
    let entry = this.#distributions.get(tag);
    if (!entry) {
      entry = { unit, distribution: new Distribution(this.#options.maxExactValues ?? MAX_EXACT_VALUES) };
      this.#distributions.set(tag, entry);
    }
    if (typeof value === 'number') entry.distribution.add(value);
    else for (const element of value) entry.distribution.add(element);
  }

  #listCounts(): Record<string, MetricBlock> {
    return {
      request_count: toBlock(this.#succeeded, 'requests'),
      ...(this.#failed > 0
        ? {
            error_request_count: toBlock(this.#failed, 'requests'),
            context_overflow_count: toBlock(this.#overflows, 'requests'),
          }
        : {}),
      ...(this.#cancelled > 0 ? { cancelled_request_count: toBlock(this.#cancelled, 'requests') } : {}),
      ...this.#computeErrorRate(),
      ...this.#listGoodRequests(),
      ...(this.#distributions.has('osl_mismatch_diff_pct')
        ? { osl_mismatch_count: toBlock(this.#mismatches, 'requests') }
        : {}),
      ...(this.#compared > 0 ? { usage_discrepancy_count: toBlock(this.#discrepancies, 'requests') } : {}),
    };
  }

  /** Returns the number of requests with a result, which cancelled ones do not have, and the percentage that failed. */
  #computeErrorRate(): Record<string, MetricBlock> {
    const completed = this.#succeeded + this.#failed;
    if (completed === 0) return {};
    return {
      completed_request_count: toBlock(completed, 'requests'),
      request_error_rate: toBlock((100 * this.#failed) / completed, '%'),
    };
  }

  /** Returns the number of requests that meet the goodput limits, and their share of all attempts. */
  #listGoodRequests(): Record<string, MetricBlock> {
    if (!this.#options.goodput) return {};
    const attempts = this.#succeeded + this.#failed + this.#cancelled;
    return {
      [GOOD_REQUEST.tag]: toBlock(this.#good, GOOD_REQUEST.unit),
      ...(attempts === 0 ? {} : { good_request_fraction: toBlock(this.#good / attempts, 'ratio') }),
    };
  }

  #sumTokens(): Record<string, MetricBlock> {
    const totals = TOTALS.flatMap(([total, tag]) => {
      const sum = this.#sum(tag);
      return sum === undefined ? [] : [[total, toBlock(sum, this.#distributions.get(tag)!.unit)] as const];
    });
    return Object.fromEntries(totals);
  }

  /** Returns the sum of a metric. Embeddings have no output tokens to sum. */
  #sum(tag: string): number | undefined {
    if (tag === 'output_sequence_length' && !this.#distributions.has('output_token_count')) return undefined;
    return this.getDistribution(tag)?.sum;
  }

  /** Returns shares of all tokens. */
  #computeShares(): Record<string, MetricBlock> {
    const accepted = this.#sum('spec_decode_accepted_draft_tokens');
    const steps = this.#sum('spec_decode_steps');
    const perStep = divide(accepted, steps);
    const share = (tag: string, value: number | undefined, unit: string): Record<string, MetricBlock> =>
      value === undefined ? {} : { [tag]: toBlock(value, unit) };
    const percentage = (part: number | undefined, whole: number | undefined): number | undefined => {
      const fraction = divide(part, whole);
      return fraction === undefined ? undefined : fraction * 100;
    };
    return {
      ...share(
        'overall_thinking_efficiency',
        divide(this.#sum('reasoning_token_count'), this.#sum('output_sequence_length')),
        'ratio',
      ),
      ...share(
        'overall_usage_prompt_cache_read_pct',
        percentage(this.#sum('usage_prompt_cache_read_tokens'), this.#sum('usage_prompt_tokens')),
        '%',
      ),
      ...share(
        'spec_decode_token_weighted_acceptance_length',
        perStep === undefined ? undefined : 1 + perStep,
        'ratio',
      ),
      ...share(
        'spec_decode_overall_draft_acceptance_rate',
        percentage(accepted, this.#sum('spec_decode_draft_tokens')),
        '%',
      ),
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

  #computeRates(seconds: number): Record<string, MetricBlock> {
    if (this.#succeeded === 0 || !(seconds > 0)) return {};
    const input = this.#sum('input_sequence_length');
    const output = this.#sum('output_sequence_length');
    const toRate = (tag: string, value: number | undefined, unit: string): Record<string, MetricBlock> =>
      value === undefined ? {} : { [tag]: toBlock(value / seconds, unit) };
    return {
      benchmark_duration: toBlock(seconds, 'sec'),
      ...toRate('request_throughput', this.#succeeded, 'requests/sec'),
      ...toRate('input_token_throughput', input, 'tokens/sec'),
      ...toRate('output_token_throughput', output, 'tokens/sec'),
      ...toRate(
        'total_token_throughput',
        input === undefined || output === undefined ? undefined : input + output,
        'tokens/sec',
      ),
      ...(this.#options.goodput ? toRate('goodput', this.#good, 'requests/sec') : {}),
    };
  }
}

function toBlock(avg: number, unit: string): MetricBlock {
  return { unit, avg };
}

function isMismatch(values: Readonly<Record<string, unknown>>): boolean {
  const { requested_osl: requested, output_sequence_length: actual } = values;
  if (typeof requested !== 'number' || typeof actual !== 'number') return false;
  return Math.abs(actual - requested) > Math.min(MAX_MISMATCH_FRACTION * requested, MAX_MISMATCH_TOKENS);
}
