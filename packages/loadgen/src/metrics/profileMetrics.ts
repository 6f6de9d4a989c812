import type { RequestRecord } from '../requestRecord.ts';
import { Distribution, type DistributionStats, EXACT_VALUES } from './distribution.ts';
import { type ErrorGroup, ErrorGroups } from './errorGroups.ts';
import { type GoodputRule, isGood } from './goodput.ts';
import { measureOf } from './measure.ts';
import type { RecordMetric } from './recordMetric.ts';
import { recordMetrics } from './recordMetrics.ts';
import { isCompared, isDiscrepancy } from './usageMetrics.ts';

/** A value with its unit. */
export interface MeasuredValue {
  readonly value: number | readonly number[];
  readonly unit: string;
}

/** What was measured of one request, by tag. */
export type RequestMetrics = Readonly<Record<string, MeasuredValue>>;

/** What metrics of many requests need of each beside what was measured of it. */
export type EndedRequest = Pick<RequestRecord, 'failure' | 'startNs' | 'lastTokenNs' | 'endNs'>;

/** The block of one metric in an export (seed 004): a distribution, or a single value in `avg`. */
export type MetricBlock = { readonly unit: string; readonly avg: number } & Partial<
  Omit<DistributionStats, 'avg'>
>;

export interface ProfileMetricsOptions {
  /** Whether answers come as streams: only then there are metrics of streams. */
  readonly streaming: boolean;
  readonly goodput?: readonly GoodputRule[];
  /** Values of a metric that are kept one by one; a million by default. */
  readonly exactValues?: number;
}

/** An answer is as long as asked for when it is off by less than this share, and by less than so many tokens. */
const MISMATCH_SHARE = 0.05;
const MISMATCH_TOKENS = 50;

/** The metrics of a set of requests, gathered while they end. Reference, section B1. */
export class ProfileMetrics {
  readonly #options: ProfileMetricsOptions;
  readonly #metrics: readonly RecordMetric[];
  readonly #distributions = new Map<string, { unit: string; distribution: Distribution }>();
  readonly #errors = new ErrorGroups();
  #succeeded = 0;
  #failed = 0;
  #good = 0;
  #mismatches = 0;
  #discrepancies = 0;
  #compared = 0;
  #firstNs = Number.POSITIVE_INFINITY;
  #lastNs = Number.NEGATIVE_INFINITY;

  constructor(options: ProfileMetricsOptions) {
    this.#options = options;
    this.#metrics = recordMetrics(options.streaming);
  }

  get succeeded(): number {
    return this.#succeeded;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Failures, the most frequent first. */
  get errors(): readonly ErrorGroup[] {
    return this.#errors.groups();
  }

  /** First sending and last content of the requests that succeeded, ns of the run; undefined without one. */
  get span(): { readonly startNs: number; readonly endNs: number } | undefined {
    return this.#succeeded === 0 ? undefined : { startNs: this.#firstNs, endNs: this.#lastNs };
  }

  /** The values of one metric of single requests. */
  distribution(tag: string): Distribution | undefined {
    return this.#distributions.get(tag)?.distribution;
  }

  /** Takes a request in, with what was measured of it. */
  add(record: EndedRequest, measured: RequestMetrics): void {
    for (const [tag, { value, unit }] of Object.entries(measured)) this.#take(tag, value, unit);
    if (record.failure) {
      this.#failed += 1;
      this.#errors.add(record.failure);
      return;
    }
    this.#succeeded += 1;
    this.#firstNs = Math.min(this.#firstNs, record.startNs);
    this.#lastNs = Math.max(this.#lastNs, record.lastTokenNs ?? record.endNs);
    const values = Object.fromEntries(Object.entries(measured).map(([tag, { value }]) => [tag, value]));
    const { goodput } = this.#options;
    if (goodput && isGood(goodput, values)) this.#good += 1;
    if (isMismatch(values)) this.#mismatches += 1;
    if (isDiscrepancy(values)) this.#discrepancies += 1;
    if (isCompared(values)) this.#compared += 1;
  }

  /** Takes in all that another one has. False, and nothing is changed, when that one no longer keeps its values. */
  include(other: ProfileMetrics): boolean {
    const kept = [...other.#distributions].map(([tag, { unit, distribution }]) => ({
      ...{ tag, unit },
      values: distribution.values,
    }));
    if (kept.some(({ values }) => values === undefined)) return false;
    for (const { tag, unit, values } of kept) this.#take(tag, [...values!], unit);
    for (const { failure, count } of other.errors) this.#errors.add(failure, count);
    this.#succeeded += other.#succeeded;
    this.#failed += other.#failed;
    this.#good += other.#good;
    this.#mismatches += other.#mismatches;
    this.#discrepancies += other.#discrepancies;
    this.#compared += other.#compared;
    this.#firstNs = Math.min(this.#firstNs, other.#firstNs);
    this.#lastNs = Math.max(this.#lastNs, other.#lastNs);
    return true;
  }

  #take(tag: string, value: number | readonly number[], unit: string): void {
    let kept = this.#distributions.get(tag);
    if (!kept) {
      kept = { unit, distribution: new Distribution(this.#options.exactValues ?? EXACT_VALUES) };
      this.#distributions.set(tag, kept);
    }
    if (typeof value === 'number') kept.distribution.add(value);
    else for (const one of value) kept.distribution.add(one);
  }

  /**
   * All metrics by tag: those of requests, then the aggregate and derived ones. `durationNs` takes the place of the time
   * from the first sending to the last content. Without a request that succeeded, nothing is derived.
   */
  blocks(durationNs?: number): Record<string, MetricBlock> {
    const blocks: Record<string, MetricBlock> = {};
    for (const { tag } of [...this.#metrics, ERROR_ISL]) {
      const kept = this.#distributions.get(tag);
      const stats = kept?.distribution.stats();
      if (kept && stats) blocks[tag] = { unit: kept.unit, ...stats };
    }
    const span = this.span;
    const seconds = (durationNs ?? (span ? span.endNs - span.startNs : 0)) / 1e9;
    return { ...blocks, ...this.#counts(), ...this.#totals(), ...this.#rates(seconds) };
  }

  #counts(): Record<string, MetricBlock> {
    return {
      request_count: single(this.#succeeded, 'requests'),
      ...(this.#failed > 0 ? { error_request_count: single(this.#failed, 'requests') } : {}),
      ...(this.#options.goodput ? { good_request_count: single(this.#good, 'requests') } : {}),
      ...(this.#distributions.has('osl_mismatch_diff_pct')
        ? { osl_mismatch_count: single(this.#mismatches, 'requests') }
        : {}),
      ...(this.#compared > 0 ? { usage_discrepancy_count: single(this.#discrepancies, 'requests') } : {}),
    };
  }

  #totals(): Record<string, MetricBlock> {
    const totals = TOTALS.flatMap(([total, tag]) => {
      const sum = this.distribution(tag)?.sum;
      return sum === undefined ? [] : [[total, single(sum, 'tokens')] as const];
    });
    const reasoning = this.distribution('reasoning_token_count')?.sum;
    const length = this.distribution('output_sequence_length')?.sum;
    return {
      ...Object.fromEntries(totals),
      ...(reasoning !== undefined && length
        ? { overall_thinking_efficiency: single(reasoning / length, 'ratio') }
        : {}),
    };
  }

  #rates(seconds: number): Record<string, MetricBlock> {
    if (this.#succeeded === 0 || !(seconds > 0)) return {};
    const input = this.distribution('input_sequence_length')?.sum;
    const output = this.distribution('output_sequence_length')?.sum;
    const rate = (tag: string, value: number | undefined, unit: string): Record<string, MetricBlock> =>
      value === undefined ? {} : { [tag]: single(value / seconds, unit) };
    return {
      benchmark_duration: single(seconds, 'sec'),
      ...rate('request_throughput', this.#succeeded, 'requests/sec'),
      ...rate('output_token_throughput', output, 'tokens/sec'),
      ...rate(
        'total_token_throughput',
        input === undefined || output === undefined ? undefined : input + output,
        'tokens/sec',
      ),
      ...(this.#options.goodput ? rate('goodput', this.#good, 'requests/sec') : {}),
    };
  }
}

const ERROR_ISL = { tag: 'error_isl', unit: 'tokens' } as const;

/** Totals of tokens and the metrics whose sums they are. */
const TOTALS: readonly (readonly [total: string, tag: string])[] = [
  ['total_isl', 'input_sequence_length'],
  ['total_osl', 'output_sequence_length'],
  ['total_output_tokens', 'output_token_count'],
  ['total_reasoning_tokens', 'reasoning_token_count'],
  ['total_error_isl', 'error_isl'],
  ['total_usage_prompt_tokens', 'usage_prompt_tokens'],
  ['total_usage_completion_tokens', 'usage_completion_tokens'],
  ['total_usage_total_tokens', 'usage_total_tokens'],
];

function single(avg: number, unit: string): MetricBlock {
  return { unit, avg };
}

/** What was measured of one request: of a failed one only the length of its input. */
export function requestMetrics(record: RequestRecord): RequestMetrics {
  if (record.failure) {
    const length = record.tokens.input ?? record.counted.input;
    return length === undefined ? {} : { [ERROR_ISL.tag]: { value: length, unit: ERROR_ISL.unit } };
  }
  const measure = measureOf(record);
  const found: Record<string, MeasuredValue> = {};
  for (const { tag, unit, of } of METRICS_OF[record.streaming ? 'stream' : 'whole']) {
    const value = of(measure);
    if (value !== undefined) found[tag] = { value, unit };
  }
  return found;
}

const METRICS_OF = { stream: recordMetrics(true), whole: recordMetrics(false) } as const;

function isMismatch(values: Readonly<Record<string, unknown>>): boolean {
  const { requested_osl: asked, output_sequence_length: got } = values;
  if (typeof asked !== 'number' || typeof got !== 'number') return false;
  return Math.abs(got - asked) > Math.min(MISMATCH_SHARE * asked, MISMATCH_TOKENS);
}
