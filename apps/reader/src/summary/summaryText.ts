import {
  computeFailedShare,
  type Finding,
  formatPartialCoverage,
  formatVersions,
  type PartialCoverage,
  type Run,
  type RunEndpoint,
  recognizeServers,
} from '@org/analysis';
import { formatCount, formatDuration, formatPercent, formatValue } from '@org/core';
import { servesRequests } from '@org/servers';

/** Describes the duration of the profiling period and of the run, and whether the run was interrupted. */
export function describePeriod({ times, wasCancelled }: Run): string[] {
  const { seconds, profilingSeconds } = times;
  const profiling = profilingSeconds === undefined ? '' : `profiling ${formatDuration(profilingSeconds)} of `;
  return [
    ...(seconds === undefined ? [] : [`${profiling}${formatDuration(seconds)}`]),
    ...(wasCancelled ? ['interrupted'] : []),
  ];
}

/** Formats the number of metrics and series of a run. */
export function describeContents({ families, seriesCount }: Run): string {
  return `${formatCount(families.size, 'metric')} in ${seriesCount} series`;
}

/** Lists the scrape statistics, status and last error of an endpoint. Text from servers is not escaped. */
export function describeEndpoint(endpoint: RunEndpoint): string[] {
  const { info, state } = endpoint;
  if (!info) return state === 'without_data' ? ['no data'] : [];
  const isRemoved = info.status === 'removed';
  if (state === 'no_metrics')
    return [isRemoved ? 'removed before its first scrape' : 'no metrics at this URL'];
  const parts = formatVersions(endpoint.versions);
  if (info.total_fetches > 0) parts.push(formatCount(info.total_fetches, 'scrape'));
  // 0 means unknown, as in imported runs.
  if (info.avg_fetch_latency_ms) parts.push(`${formatValue(info.avg_fetch_latency_ms, 'milliseconds')} each`);
  if (info.scrapes_failed) parts.push(`${info.scrapes_failed} failed${formatShare(endpoint)}`);
  if (info.scrapes_late) parts.push(`${info.scrapes_late} skipped`);
  if (info.samples_dropped) parts.push(`${info.samples_dropped} samples dropped`);
  if (info.added_ns !== undefined) parts.push('added during the run');
  if (isRemoved) parts.push('removed during the run');
  else if (info.status !== undefined && state !== 'ok') parts.push(info.status.replaceAll('_', ' '));
  if (info.last_error) parts.push(`last error: ${info.last_error}`);
  return parts;
}

/** Formats the fraction of failed scrapes of an endpoint that also returned data. */
function formatShare(endpoint: RunEndpoint): string {
  return endpoint.state === 'impaired' ? ` (${formatPercent(computeFailedShare(endpoint))})` : '';
}

/** Maximum number of endpoints in the note about partial rates. */
const MAX_PARTIAL_ENDPOINTS = 3;

/** Describes the endpoints whose rates cover only a part of the run, for the mark `*`. */
export function describePartialRates(partial: ReadonlyMap<string, PartialCoverage>): string {
  const all = [...partial.values()];
  const listed = all.slice(0, MAX_PARTIAL_ENDPOINTS).map(formatPartialCoverage);
  const more = all.length > listed.length ? [`${all.length - listed.length} more`] : [];
  return `* rate of the time with samples only: ${[...listed, ...more].join(', ')}`;
}

/** A finding as one line of text. Text from servers is not escaped. */
export interface FindingText {
  readonly title: string;
  /** The most severe evidence, and the number of further items of evidence. */
  readonly text: string;
}

/**
 * Creates a function that describes findings. The text names the endpoint if there are several endpoints. The
 * title names the server if the run has several kinds of servers.
 */
export function createFindingDescriber({
  endpoints,
  families,
  servers,
}: Pick<Run, 'endpoints' | 'families' | 'servers'>): (finding: Finding) => FindingText {
  const isMixed = recognizeServers({ families, servers }).filter(servesRequests).length > 1;
  return ({ title, server, evidence }) => {
    const [worst] = evidence;
    const hasEndpoint =
      worst!.endpoint !== undefined &&
      (evidence.length > 1 || endpoints.length > 1) &&
      !worst!.text.startsWith(worst!.endpoint);
    const moreText = evidence.length > 1 ? ` (and ${evidence.length - 1} more)` : '';
    return {
      title: isMixed && server !== undefined ? `${server}: ${title}` : title,
      text: `${hasEndpoint ? `${worst!.endpoint}: ` : ''}${worst!.text}${moreText}`,
    };
  };
}
