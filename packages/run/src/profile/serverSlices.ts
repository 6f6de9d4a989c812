import type { ServerMetricsDocument } from '@org/formats';
import type { ServerSlices } from '@org/loadgen';

/** Finds the extent of the timeslices of a server metrics document, in nanoseconds since `originNs`; undefined if it has none. */
export function findServerSlices(
  document: Pick<ServerMetricsDocument, 'metrics' | 'summary'>,
  originNs: bigint,
): ServerSlices | undefined {
  const last = findLastStart(document.metrics);
  if (last === undefined) return undefined;
  const intervals = Object.values(document.summary.endpoint_info).map(
    ({ median_update_interval_ms: interval }) => interval ?? 0,
  );
  return { lastStartNs: Number(last - originNs), intervalNs: Math.max(0, ...intervals) * 1e6 };
}

function findLastStart(metrics: ServerMetricsDocument['metrics']): bigint | undefined {
  let last: bigint | undefined;
  for (const { series } of Object.values(metrics)) {
    for (const { timeslices } of series) {
      const start = timeslices?.at(-1)?.start_ns;
      if (start !== undefined && (last === undefined || start > last)) last = start;
    }
  }
  return last;
}
