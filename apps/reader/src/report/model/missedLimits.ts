import type { Run } from '@org/analysis';
import { formatPercent, formatValue } from '@org/core';
import { readClientStat } from './clientStats.ts';

/** The share of requests that must keep the limits, as in limits on p99. */
const EXPECTED_SHARE = 0.99;

/** Latencies that limits are set on, and their names in sentences. */
const LATENCIES: readonly (readonly [metric: string, name: string])[] = [
  ['time_to_first_token', 'time to first token'],
  ['inter_token_latency', 'time between tokens'],
  ['request_latency', 'latency'],
];

/** Describes what a request within the limits did, such as `had a time to first token of at most 300 ms`. */
export function describeLimits(limits: ReadonlyMap<string, number>): string {
  const [only] = LATENCIES.filter(([metric]) => limits.has(metric));
  if (limits.size !== 1 || !only) return 'were within the limits';
  const [metric, name] = only;
  return `had a ${name} of at most ${formatValue(limits.get(metric)!, 'ms')}`;
}

/**
 * Describes the limits (`--goodput`) that more than 1% of the requests did not keep, with the latencies whose p99 is over
 * its limit. Returns undefined if the limits were kept, or if there are none.
 */
export function describeMissedLimits(run: Run, limits: ReadonlyMap<string, number>): string | undefined {
  const good = readClientStat(run, 'good_request_fraction', 'avg');
  if (good === undefined || good >= EXPECTED_SHARE) return undefined;
  const missed = LATENCIES.flatMap(([metric, name]) => {
    const limit = limits.get(metric);
    const p99 = readClientStat(run, metric, 'p99');
    return limit === undefined || p99 === undefined || p99 <= limit
      ? []
      : [`${name} over ${formatValue(limit, 'ms')}`];
  });
  const causes = missed.length === 0 ? '' : `: ${missed.join(', ')}`;
  return `${formatPercent(1 - good)} of the requests were not within the limits${causes}.`;
}

/**
 * Returns the largest excess of a p99 latency over its limit, in milliseconds; 0 if no p99 exceeds its limit.
 */
export function measureExcess(run: Run, limits: ReadonlyMap<string, number>): number {
  const excesses = LATENCIES.flatMap(([metric]) => {
    const [limit, p99] = [limits.get(metric), readClientStat(run, metric, 'p99')];
    return limit === undefined || p99 === undefined || p99 <= limit ? [] : [p99 - limit];
  });
  return excesses.length === 0 ? 0 : Math.max(...excesses);
}
