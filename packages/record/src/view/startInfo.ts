import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import type { ResetRecord, RunRecord } from '../runRecord.ts';
import { toSummary } from './summary.ts';
import type { ViewEndpoint } from './viewEndpoint.ts';

type Summary = ServerMetricsDocument['summary'];

/**
 * Returns the summary of a run with conclusions from all its scrapes: the numbers of series whose first value is not
 * counted, and resets without the decreases of counters that behave like gauges.
 */
export function toSummaryWithStarts(record: RunRecord, endpoints: readonly ViewEndpoint[]): Summary {
  const summary = toSummary(record);
  // The summary of an earlier export contains these conclusions.
  if (record.summary) return summary;
  const infos = endpoints.map(endpoint => {
    const { url } = endpoint.record;
    return [url, { ...selectResets(summary.endpoint_info[url]!, endpoint), ...toUnknownStarts(endpoint) }];
  });
  return { ...summary, endpoint_info: Object.fromEntries(infos) };
}

function toUnknownStarts({ histories }: ViewEndpoint): Pick<EndpointInfo, 'unknown_starts'> {
  const counts = [...histories.countUnknownStarts()];
  return counts.length === 0
    ? {}
    : { unknown_starts: counts.map(([reason, series]) => ({ reason, series })) };
}

/** The minimum number of resets of an endpoint that has a counter that behaves like a gauge. */
const MIN_SUSPICIOUS_RESETS = 3;

/** Replaces the number of series of each reset in the period, and omits resets without any. */
function selectResets(info: EndpointInfo, { record, period, histories }: ViewEndpoint): EndpointInfo {
  const { resets = [], resets_omitted: omitted = 0, ...others } = info;
  if (resets.length < MIN_SUSPICIOUS_RESETS) return info;
  const counts = histories.countResets();
  if (counts === undefined) return info;
  const { originNs } = record.store.timeline();
  const toOffset = (reset: ResetRecord): number => Number(reset.at_ns - originNs);
  const selected = resets
    .map(reset => {
      const isInPeriod = toOffset(reset) >= period.startNs && toOffset(reset) <= period.endNs;
      return isInPeriod ? { ...reset, counters: counts.get(toOffset(reset)) ?? 0 } : reset;
    })
    .filter(reset => reset.counters > 0 || reset.process_restarted);
  return {
    ...others,
    ...(selected.length > 0 ? { resets: selected } : {}),
    ...(selected.length > 0 && omitted > 0 ? { resets_omitted: omitted } : {}),
  } as EndpointInfo;
}
