import type { ReconciliationFinding, ServerMetricsDocument } from '@org/formats';
import type { ClientRequests } from './openRequests.ts';

/** The minimum duration of a stall, in nanoseconds. Shorter ones can be delays of the servers' metrics. */
const MIN_STALL_NS = 2e9;

/**
 * Finds times in which no server processed requests, although requests were open on the client, such as a server that
 * compiles its model for the first requests.
 */
export function findStalls(
  { summary }: ServerMetricsDocument,
  { open, originNs }: ClientRequests,
): (ReconciliationFinding & { readonly kind: 'server_stalled' })[] {
  const startNs = summary.profiling_start_ns;
  if (startNs === undefined) return [];
  return (summary.idle_periods ?? []).flatMap(({ start_ns, end_ns }) => {
    const stall = open.findOpen({ startNs: Number(start_ns - originNs), endNs: Number(end_ns - originNs) });
    if (!stall || stall.endNs - stall.startNs < MIN_STALL_NS) return [];
    const atSeconds = Math.max(0, (stall.startNs - Number(startNs - originNs)) / 1e9);
    const seconds = (stall.endNs - stall.startNs) / 1e9;
    return [
      {
        kind: 'server_stalled' as const,
        count: stall.requests,
        message: `no server processed requests for ${seconds.toFixed(1)} s (${atSeconds.toFixed(1)} s after the start of profiling), although ${stall.requests} ${stall.requests === 1 ? 'request was' : 'requests were'} open on the client; if the server was cold, send warm-up requests first`,
      },
    ];
  });
}
