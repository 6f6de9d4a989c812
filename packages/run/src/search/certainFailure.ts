import { type ClientLimit, parseRule, readClientLimit } from '@org/analysis';
import type { RequestMetrics } from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { EarlyEnd } from '../profile/profileResult.ts';
import { LIMIT_LOCATION } from './measureRun.ts';
import type { SearchPlan } from './searchPlan.ts';

/** A limit of a percentile, and the requests that have exceeded it. */
interface CountedLimit {
  readonly limit: ClientLimit;
  readonly rule: string;
  /** Number of requests above the limit from which the percentile is certainly above it, too. */
  readonly enough: number;
  count: number;
}

/**
 * Detects that a limit has certainly failed, whatever the outcome of all further requests. This is known for upper limits of
 * percentiles and of the maximum of a metric of requests, in runs with a fixed number of requests.
 */
export class CertainFailure implements EarlyEnd {
  readonly #limits: CountedLimit[];
  readonly #requests: number;
  #reason: string | undefined;

  /** `requests` is the number of requests of the run. */
  constructor(limits: readonly { readonly limit: ClientLimit; readonly rule: string }[], requests: number) {
    this.#requests = requests;
    this.#limits = limits.map(each => ({
      ...each,
      enough: countEnough(each.limit.share, requests),
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
      if (counted.count >= counted.enough)
        this.#reason ??= `ended early: ${counted.count} of ${this.#requests} requests are above the limit, so ${counted.rule} has failed whatever the others measure`;
    }
    return this.#reason !== undefined;
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
  if (requestCount === undefined) return undefined;
  const watched = limits.flatMap(({ rule }) => {
    const limit = readClientLimit(parseRule(rule, LIMIT_LOCATION).expression);
    return limit ? [{ limit, rule }] : [];
  });
  return watched.length > 0 ? new CertainFailure(watched, requestCount) : undefined;
}
