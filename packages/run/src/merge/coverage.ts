import type { EndpointRecord, RunRecord } from '@org/record';
import type { RequestTimes } from './mergedRequests.ts';

/**
 * Returns the URL of an endpoint whose samples do not cover the requests of all shards, because its shard started later or
 * ended earlier than another one. Returns undefined if the counters of the servers can be compared with the requests.
 */
export function findUncovered({ endpoints }: RunRecord, times: RequestTimes): string | undefined {
  return endpoints.find(endpoint => !covers(endpoint, times))?.url;
}

function covers(
  { boundaries = {}, store }: EndpointRecord,
  { warmupEndNs, firstStartNs, lastEndNs }: RequestTimes,
): boolean {
  // An endpoint without samples has nothing to compare.
  if (store.frameCount === 0 || firstStartNs === undefined || lastEndNs === undefined) return true;
  const { baseline_ns: baselineNs, closing_ns: closingNs } = boundaries;
  if (baselineNs === undefined || closingNs === undefined) return false;
  return baselineNs <= firstStartNs && baselineNs >= (warmupEndNs ?? baselineNs) && closingNs >= lastEndNs;
}
