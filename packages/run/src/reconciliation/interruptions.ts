import { formatRoundedDuration } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { nameEndpoints } from '@org/formats/read';
import { type Availability, assessAvailability } from '@org/record';

/** A part of the profiling period whose requests an endpoint may not have counted. */
export interface Interruption {
  readonly url: string;
  readonly kind: 'death' | 'removal' | 'restart' | 'late_start' | 'outage';
  /** Start of the range in which uncounted requests ended, in nanoseconds since 1970. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** The event, such as `localhost:8000 stopped responding at 17 s`. */
  readonly event: string;
  /** The requests that are not counted. */
  readonly loss: string;
}

/** The start and end of profiling. */
interface Period {
  readonly startNs: bigint;
  readonly endNs: bigint;
}

type Found = Omit<Interruption, 'url'>;

/** Reasons of outages in which the server may have been down, and may have lost its counters. */
const DOWN_REASONS: ReadonlySet<string> = new Set(['refused', 'connection_closed', 'unreachable']);

/** Minimum time between the scrapes before and after a restart that is described as a range, in nanoseconds. */
const MIN_RANGE_NS = 2_000_000_000n;

/** Finds the deaths, removals, restarts, late starts and outages of endpoints during profiling. */
export function findInterruptions({ summary }: ServerMetricsDocument): Interruption[] {
  const { profiling_start_ns: startNs, profiling_end_ns: endNs, endpoint_info: infos = {} } = summary;
  if (startNs === undefined || endNs === undefined) return [];
  const period = { startNs, endNs };
  const names = nameEndpoints(Object.keys(infos));
  return Object.entries(infos).flatMap(([url, info]) => {
    const availability = assessAvailability(info, { profilingStartNs: startNs, profilingEndNs: endNs });
    return [
      ...findLateStart(info, period),
      ...describeRestarts(availability, period),
      ...findOutages(info, availability, period),
      ...describeDeath(availability, period),
      ...describeRemoval(availability, period),
    ].map(found => ({ ...found, url, event: `${names.get(url)} ${found.event}` }));
  });
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

function describeDeath({ death }: Availability, period: Period): Found[] {
  if (!death) return [];
  return [
    {
      kind: 'death',
      startNs: death.lastSuccessNs,
      endNs: period.endNs,
      event: `stopped ${death.isResponding ? 'returning metrics' : 'responding'} ${formatTime(death.lastSuccessNs, period)}`,
      loss: 'requests that it completed after its last scrape are not counted',
    },
  ];
}

function describeRemoval({ removedNs, coverage }: Availability, period: Period): Found[] {
  if (removedNs === undefined) return [];
  return [
    {
      kind: 'removal',
      startNs: coverage?.lastNs ?? removedNs,
      endNs: period.endNs,
      event: `was removed ${formatTime(removedNs, period)}`,
      loss: 'requests that it completed after its last scrape are not counted',
    },
  ];
}

function describeRestarts({ restarts }: Availability, period: Period): Found[] {
  return restarts.map(({ previousNs, atNs }) => ({
    kind: 'restart',
    startNs: previousNs,
    endNs: atNs,
    event: `restarted ${formatRestartTime(previousNs, atNs, period)}`,
    loss: 'requests that it completed between its last scrape and the restart are not counted',
  }));
}

/** Finds the late start of an endpoint, whose first sample contains an unknown number of requests. */
function findLateStart({ baseline_ns, first_fetch_ns }: EndpointInfo, period: Period): Found[] {
  if (baseline_ns !== undefined || first_fetch_ns === undefined) return [];
  if (first_fetch_ns <= period.startNs || first_fetch_ns >= period.endNs) return [];
  return [
    {
      kind: 'late_start',
      startNs: period.startNs,
      endNs: first_fetch_ns,
      event: `first returned metrics ${formatTime(first_fetch_ns, period)}`,
      loss: 'requests that it completed earlier may not be counted',
    },
  ];
}

/**
 * Finds the outages of an endpoint that recovered and may have lost counts: its server may have been down, or series
 * appeared after it whose first value is not counted.
 */
function findOutages(
  { unknown_starts: unknownStarts = [] }: EndpointInfo,
  { outages, restarts }: Availability,
  period: Period,
): Found[] {
  const hasUnknownStarts = unknownStarts.some(({ reason }) => reason === 'scrape_failed');
  return outages.flatMap(({ start_ns, end_ns, reason }): Found[] => {
    if (!hasUnknownStarts && !DOWN_REASONS.has(reason)) return [];
    if (restarts.some(({ previousNs, atNs }) => start_ns < atNs && end_ns > previousNs)) return [];
    return [
      {
        kind: 'outage',
        startNs: period.startNs,
        endNs: end_ns,
        event: `returned no metrics ${formatRange(start_ns, end_ns, period)}`,
        loss: 'requests that it completed before the end of this outage may not be counted',
      },
    ];
  });
}

/** Formats a time as `at 17 s` since the start of profiling. */
function formatTime(ns: bigint, { startNs }: Period): string {
  return ns < startNs ? 'before profiling' : `at ${formatSeconds(ns - startNs)}`;
}

/** Formats the time of a restart, as a range if the server was not scraped for a long time. */
function formatRestartTime(previousNs: bigint, atNs: bigint, period: Period): string {
  const { startNs } = period;
  if (previousNs < startNs || atNs - previousNs < MIN_RANGE_NS) return formatTime(atNs, period);
  return `between ${formatSeconds(previousNs - startNs)} and ${formatSeconds(atNs - startNs)}`;
}

function formatRange(fromNs: bigint, toNs: bigint, { startNs }: Period): string {
  const to = formatSeconds(toNs - startNs);
  return fromNs < startNs ? `until ${to}` : `from ${formatSeconds(fromNs - startNs)} to ${to}`;
}

function formatSeconds(ns: bigint): string {
  return formatRoundedDuration(Number(ns) / 1e9);
}
