import { type ClientLimit, parseRule, readClientLimit, readServerLimit } from '@org/analysis';
import type { RequestMetrics } from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { EarlyEnd, SampledEndpoint } from '../profile/profileResult.ts';
import { describeExceededGauge, type GaugeLimit } from './exceededGauges.ts';
import { LIMIT_LOCATION } from './measureRun.ts';
import type { SearchPlan } from './searchPlan.ts';

/** A limit of a percentile, and the rule that contains it. */
interface RequestLimit {
  readonly limit: ClientLimit;
  readonly rule: string;
}

interface CountedLimit extends RequestLimit {
  /** Number of requests above the limit from which the percentile is certainly above it, too. */
  readonly enough: number;
  count: number;
}

/**
 * Detects that a limit has certainly failed, whatever is measured later. This is known for upper limits of the maximum of a
 * metric of requests or of a gauge of the servers, and in runs with a fixed number of requests for percentiles, too.
 */
export class CertainFailure implements EarlyEnd {
  readonly #limits: CountedLimit[];
  readonly #gauges: readonly GaugeLimit[];
  readonly #requests: number | undefined;
  #reason: string | undefined;

  /** `requests` is the number of requests of the run; undefined if it is not fixed, so that all limits are of maxima. */
  constructor(
    limits: readonly RequestLimit[],
    requests: number | undefined,
    gauges: readonly GaugeLimit[] = [],
  ) {
    this.#requests = requests;
    this.#gauges = gauges;
    this.#limits = limits.map(each => ({
      ...each,
      enough: requests === undefined ? 1 : countEnough(each.limit.share, requests),
      count: 0,
    }));
  }

  /** Why the run ends early; undefined as long as no limit has certainly failed. */
  get reason(): string | undefined {
    return this.#reason;
  }

  add(metrics: RequestMetrics): boolean {
    for (const counted of this.#limits) {
      const value = metrics[counted.limit.metric]?.value;
      if (typeof value !== 'number' || value <= counted.limit.max) continue;
      counted.count += 1;
      if (counted.count >= counted.enough) this.#reason ??= this.#describe(counted);
    }
    return this.#reason !== undefined;
  }

  checkServers(endpoints: readonly SampledEndpoint[], startNs: bigint): boolean {
    this.#reason ??= describeExceededGauge(this.#gauges, endpoints, startNs);
    return this.#reason !== undefined;
  }

  #describe({ count, rule }: CountedLimit): string {
    const requests =
      this.#requests === undefined ? 'a request is' : `${count} of ${this.#requests} requests are`;
    return `ended early: ${requests} above the limit, so ${rule} has failed whatever the others measure`;
  }
}

/**
 * Returns how many of `requests` values must be above a limit, so that the percentile is above it. The percentile of n values
 * is interpolated between the values of rank ⌊(n - 1) share⌋ and the next one, counted from 0. If the lower one is above the
 * limit, so is the percentile. Failed requests have no value, so n may be smaller, but then fewer values suffice.
 */
export function countEnough(share: number, requests: number): number {
  return requests - Math.floor((requests - 1) * share);
}

/** Creates the monitor of a run; undefined if no limit can certainly fail before the end. */
export function createMonitor(
  { limits }: SearchPlan,
  { profiling }: Pick<ProfilePlan, 'profiling'>,
): CertainFailure | undefined {
  const { requestCount } = profiling;
  const rules = limits.map(({ rule }) => ({ rule, expression: parseRule(rule, LIMIT_LOCATION).expression }));
  const watched = rules.flatMap(({ rule, expression }) => {
    const limit = readClientLimit(expression);
    return limit && (requestCount !== undefined || limit.share === 1) ? [{ limit, rule }] : [];
  });
  const gauges = rules.flatMap(({ rule, expression }) => {
    const limit = readServerLimit(expression);
    return limit ? [{ limit, rule }] : [];
  });
  if (watched.length + gauges.length === 0) return undefined;
  return new CertainFailure(watched, requestCount, gauges);
}
