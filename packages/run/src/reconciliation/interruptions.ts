import { formatDuration } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { nameEndpoints } from '@org/formats/read';
import { type AvailabilityTimes, findDeath, listRestarts } from '@org/record';

/** A part of the profiling period whose requests an endpoint may not have counted. */
export interface Interruption {
  readonly url: string;
  readonly kind: 'death' | 'restart' | 'late_start' | 'outage';
  /** Start of the range in which uncounted requests ended, in nanoseconds since 1970. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** The event, such as `localhost:8000 stopped responding at 17 s`. */
  readonly event: string;
  /** The requests that are not counted. */
  readonly loss: string;
}

/** The start and end of profiling, and of the run. */
type Times = AvailabilityTimes & { readonly startNs: bigint; readonly endNs: bigint };

type Found = Omit<Interruption, 'url'>;

/** Reasons of outages in which the server may have been down, and may have lost its counters. */
const DOWN_REASONS: ReadonlySet<string> = new Set(['refused', 'connection_closed', 'unreachable']);

/** Minimum time between the scrapes before and after a restart that is described as a range, in nanoseconds. */
const MIN_RANGE_NS = 2_000_000_000n;

/** Finds the deaths, restarts, late starts and outages of endpoints during profiling. */
export function findInterruptions({ summary }: ServerMetricsDocument): Interruption[] {
  const { profiling_start_ns: startNs, profiling_end_ns: endNs, endpoint_info: infos = {} } = summary;
  if (startNs === undefined || endNs === undefined) return [];
  const times = { startNs, endNs, profilingStartNs: startNs, profilingEndNs: endNs };
  const names = nameEndpoints(Object.keys(infos));
  return Object.entries(infos).flatMap(([url, info]) =>
    [
      ...findLateStart(info, times),
      ...findRestarts(info, times),
      ...findOutages(info, times),
      ...describeDeath(info, times),
    ].map(found => ({ ...found, url, event: `${names.get(url)} ${found.event}` })),
  );
}

/** Counts the counter resets that follow an outage, by endpoint URL. A load balancer does not explain them. */
export function countResetsAfterOutages({ summary }: ServerMetricsDocument): Map<string, number> {
  return new Map(
    Object.entries(summary.endpoint_info ?? {}).map(([url, { resets = [], outages = [] }]) => [
      url,
      resets.filter(reset =>
        outages.some(({ start_ns, end_ns }) => end_ns === reset.at_ns && start_ns > reset.previous_ns),
      ).length,
    ]),
  );
}

function describeDeath(info: EndpointInfo, times: Times): Found[] {
  const death = findDeath(info, times);
  if (!death) return [];
  return [
    {
      kind: 'death',
      startNs: death.lastSuccessNs,
      endNs: times.endNs,
      event: `stopped ${death.isResponding ? 'returning metrics' : 'responding'} ${formatTime(death.lastSuccessNs, times)}`,
      loss: 'requests that it completed after its last scrape are not counted',
    },
  ];
}

function findRestarts(info: EndpointInfo, times: Times): Found[] {
  return listRestarts(info, times).map(({ previousNs, atNs }) => ({
    kind: 'restart',
    startNs: previousNs,
    endNs: atNs,
    event: `restarted ${formatRestartTime(previousNs, atNs, times)}`,
    loss: 'requests that it completed between its last scrape and the restart are not counted',
  }));
}

/** Finds the late start of an endpoint, whose first sample contains an unknown number of requests. */
function findLateStart({ baseline_ns, first_fetch_ns }: EndpointInfo, times: Times): Found[] {
  if (baseline_ns !== undefined || first_fetch_ns === undefined) return [];
  if (first_fetch_ns <= times.startNs || first_fetch_ns >= times.endNs) return [];
  return [
    {
      kind: 'late_start',
      startNs: times.startNs,
      endNs: first_fetch_ns,
      event: `first returned metrics ${formatTime(first_fetch_ns, times)}`,
      loss: 'requests that it completed earlier may not be counted',
    },
  ];
}

/**
 * Finds the outages of an endpoint that recovered and may have lost counts: its server may have been down, or series
 * appeared after it whose first value is not counted.
 */
function findOutages(info: EndpointInfo, times: Times): Found[] {
  const restarts = listRestarts(info, times);
  const hasUnknownStarts = info.unknown_starts?.some(({ reason }) => reason === 'scrape_failed') ?? false;
  return (info.outages ?? []).flatMap(({ start_ns, end_ns, reason }): Found[] => {
    if (end_ns === undefined || start_ns >= times.endNs || end_ns <= times.startNs) return [];
    if (info.first_fetch_ns !== undefined && end_ns <= info.first_fetch_ns) return [];
    if (!hasUnknownStarts && !DOWN_REASONS.has(reason)) return [];
    if (restarts.some(({ previousNs, atNs }) => start_ns < atNs && end_ns > previousNs)) return [];
    return [
      {
        kind: 'outage',
        startNs: times.startNs,
        endNs: end_ns,
        event: `returned no metrics ${formatRange(start_ns, end_ns, times)}`,
        loss: 'requests that it completed before the end of this outage may not be counted',
      },
    ];
  });
}

/** Formats a time as `at 17 s` since the start of profiling. */
function formatTime(ns: bigint, { startNs }: Times): string {
  return ns < startNs ? 'before profiling' : `at ${formatSeconds(ns - startNs)}`;
}

/** Formats the time of a restart, as a range if the server was not scraped for a long time. */
function formatRestartTime(previousNs: bigint, atNs: bigint, times: Times): string {
  if (previousNs < times.startNs || atNs - previousNs < MIN_RANGE_NS) return formatTime(atNs, times);
  return `between ${formatSeconds(previousNs - times.startNs)} and ${formatSeconds(atNs - times.startNs)}`;
}

function formatRange(fromNs: bigint, toNs: bigint, times: Times): string {
  const to = formatSeconds(toNs - times.startNs);
  return fromNs < times.startNs ? `until ${to}` : `from ${formatSeconds(fromNs - times.startNs)} to ${to}`;
}

/** Formats a duration without decimals that the scrape interval does not support. */
function formatSeconds(ns: bigint): string {
  const seconds = Number(ns) / 1e9;
  return formatDuration(seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds));
}
