import { formatCount } from '@org/core';
import type { ReconciliationFinding, ServerMetricsDocument } from '@org/formats';
import type { ServerCatalog } from '@org/servers';
import type { ClientRequests, OpenRange, Range } from './openRequests.ts';

type Stall = ReconciliationFinding & { readonly kind: 'server_stalled' | 'server_unresponsive' };

type IdlePeriod = NonNullable<ServerMetricsDocument['summary']['idle_periods']>[number];

/** The minimum duration of a stall, in nanoseconds. Shorter ones can be delays of the servers' metrics. */
const MIN_STALL_NS = 2e9;

/**
 * Finds times in which requests were open on the client, but no server had running requests, such as a server that
 * compiles its model for the first requests, or no server returned metrics and no request ended, such as a server that
 * hangs. The longest stall of each kind is the first.
 */
export function findStalls(
  document: ServerMetricsDocument,
  { open, originNs }: ClientRequests,
  servers: ServerCatalog,
): Stall[] {
  const { profiling_start_ns: startNs, idle_periods = [] } = document.summary;
  if (startNs === undefined) return [];
  const idle = idle_periods.map(period => open.findOpen(toRange(period, originNs)));
  const unchanged = findCommonGaps(document, originNs, servers).map(gap => open.findUnchanged(gap));
  const profilingNs = Number(startNs - originNs);
  return [
    ...selectStalls(idle).map(stall => ({
      kind: 'server_stalled' as const,
      count: stall.requests,
      message: `${describeStall(stall, profilingNs, 'reported no running requests and no output')}; if the server was cold, send warm-up requests first`,
    })),
    ...selectStalls(unchanged).map(stall => ({
      kind: 'server_unresponsive' as const,
      count: stall.requests,
      message: describeStall(stall, profilingNs, 'returned no metrics and completed no requests'),
    })),
  ];
}

/** Selects the ranges that are long enough, the longest first. */
function selectStalls(ranges: readonly (OpenRange | undefined)[]): OpenRange[] {
  return ranges
    .filter(range => range !== undefined && getLength(range) >= MIN_STALL_NS)
    .sort((a, b) => getLength(b!) - getLength(a!)) as OpenRange[];
}

function getLength({ startNs, endNs }: OpenRange): number {
  return endNs - startNs;
}

function describeStall(
  { startNs, endNs, requests }: OpenRange,
  profilingNs: number,
  symptom: string,
): string {
  const [from, to] = [startNs, endNs].map(ns => `${Math.max(0, (ns - profilingNs) / 1e9).toFixed(1)} s`);
  const length = `${((endNs - startNs) / 1e9).toFixed(1)} s`;
  const isOne = requests === 1;
  return `for ${length} (${from} to ${to}), the servers ${symptom}, although ${formatCount(requests, 'request')} ${isOne ? 'was' : 'were'} open on the client`;
}

/** Finds the times in which no inference server returned metrics. */
function findCommonGaps(
  { summary, metrics }: ServerMetricsDocument,
  originNs: bigint,
  servers: ServerCatalog,
): readonly Range[] {
  const urls = new Set<string>();
  for (const { reconciliation } of servers.frontendsFirst)
    for (const name of reconciliation.requests.flatMap(metric => servers.listNames(metric.name)))
      for (const { endpoint_url: url } of Object.hasOwn(metrics, name) ? metrics[name]!.series : [])
        urls.add(url);
  const gaps = [...urls].map(url =>
    (summary.endpoint_info[url]?.gaps ?? []).map(gap => toRange(gap, originNs)),
  );
  return gaps.length === 0 ? [] : gaps.reduce(intersect);
}

function intersect(a: readonly Range[], b: readonly Range[]): Range[] {
  return a.flatMap(x =>
    b.flatMap(y => {
      const startNs = Math.max(x.startNs, y.startNs);
      const endNs = Math.min(x.endNs, y.endNs);
      return startNs < endNs ? [{ startNs, endNs }] : [];
    }),
  );
}

/** Converts times in nanoseconds since 1970 to times since the origin of the load. */
function toRange({ start_ns, end_ns }: IdlePeriod, originNs: bigint): Range {
  return { startNs: Number(start_ns - originNs), endNs: Number(end_ns - originNs) };
}
