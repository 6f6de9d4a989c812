/** URLs of endpoints behind a load balancer that mixes the metrics of several replicas. */
export interface MixedReplicas {
  /** Endpoints that responded from several IP addresses. */
  readonly byAddress: readonly string[];
  /** Other endpoints whose counters fell repeatedly. */
  readonly byCounters: readonly string[];
  readonly all: readonly string[];
}

/** More resets than this in one run are not restarts of a server. */
const MAX_RESTARTS = 2;

/** Detects mixed replicas from the endpoints with several addresses and the numbers of counter resets by endpoint. */
export function detectMixedReplicas(
  byAddress: readonly string[],
  resets: ReadonlyMap<string, number>,
): MixedReplicas {
  const falling = [...resets].flatMap(([url, count]) => (count > MAX_RESTARTS ? [url] : []));
  const byCounters = falling.filter(url => !byAddress.includes(url));
  return { byAddress, byCounters, all: [...byAddress, ...byCounters] };
}
