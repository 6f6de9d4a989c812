/** Endpoints behind which several replicas stand by turns: a load balancer has `/metrics` as well. */
export interface MixedEndpoints {
  /** Those that gave data from several addresses. */
  readonly byAddress: readonly string[];
  /** Those whose counters fall again and again. */
  readonly byCounters: readonly string[];
  readonly all: readonly string[];
}

/** No server starts again so often within a run. */
const MOST_RESTARTS = 2;

/** `resets`: how often counters of an endpoint began again. */
export function mixedEndpoints(
  byAddress: readonly string[],
  resets: ReadonlyMap<string, number>,
): MixedEndpoints {
  const falling = [...resets].flatMap(([url, count]) => (count > MOST_RESTARTS ? [url] : []));
  const byCounters = falling.filter(url => !byAddress.includes(url));
  return { byAddress, byCounters, all: [...byAddress, ...byCounters] };
}
