import type { EndpointInfo } from '@org/formats';

/** The times of a run that deaths and restarts are compared with, in nanoseconds since 1970. */
export interface AvailabilityTimes {
  readonly endNs?: bigint;
  readonly profilingStartNs?: bigint;
  readonly profilingEndNs?: bigint;
}

/** An endpoint that stopped returning metrics during profiling and did not recover before the end of the run. */
export interface Death {
  /** The last successful scrape, in nanoseconds since 1970. */
  readonly lastSuccessNs: bigint;
  /** True if the server responds to scrapes, but not with metrics. */
  readonly isResponding: boolean;
  /** Number of failed scrapes since the last success; undefined if the export does not list the outage. */
  readonly failedScrapes: number | undefined;
}

/** A restart of the server of an endpoint, between two successful scrapes. Times are in nanoseconds since 1970. */
export interface Restart {
  /** The last successful scrape before the restart. */
  readonly previousNs: bigint;
  /** The first successful scrape after the restart. */
  readonly atNs: bigint;
}

/** An outage after the first successful scrape that the endpoint recovered from, as in the export. */
export type RecoveredOutage = NonNullable<EndpointInfo['outages']>[number] & { readonly end_ns: bigint };

/** The part of the profiling period that the samples of an endpoint cover. Times are in nanoseconds since 1970. */
export interface Coverage {
  readonly firstNs: bigint;
  readonly lastNs: bigint;
  /** Seconds of the profiling period before the first sample. */
  readonly missingAtStart: number;
  /** Seconds of the profiling period after the last sample. */
  readonly missingAtEnd: number;
}

/** The events of an endpoint during profiling. */
export interface Availability {
  /** Absent if the endpoint was still returning metrics at the end. */
  readonly death?: Death;
  readonly restarts: readonly Restart[];
  /** Number of resets of an endpoint that mixes several processes, such as replicas; absent for other endpoints. */
  readonly mixedResets?: number;
  /** Time when a source added the endpoint during profiling, in nanoseconds since 1970; absent for other endpoints. */
  readonly addedNs?: bigint;
  /** Time when its source removed the endpoint during profiling, in nanoseconds since 1970; absent for other endpoints. */
  readonly removedNs?: bigint;
  readonly outages: readonly RecoveredOutage[];
  /** Absent if the times of the first and last sample are unknown. */
  readonly coverage?: Coverage;
  /** Number of failed scrapes since the first success. Failures before it are those of an endpoint that joined late. */
  readonly failedScrapes: number;
}

/** Reasons of failures without a response. */
const NO_RESPONSE_REASONS: ReadonlySet<string> = new Set([
  'refused',
  'timeout',
  'connection_closed',
  'unreachable',
  'unknown_host',
]);
/** Reasons of failures after which a server is down even if only one scrape failed. */
const CERTAIN_REASONS: ReadonlySet<string> = new Set(['refused', 'timeout']);
/** If counters fall more often, without other signs of a restart, they behave like gauges. */
const MAX_UNEXPLAINED_RESETS = 2;
/** Minimum fraction of scrapes with falling counters, without an outage, of an endpoint that mixes processes. */
const MIN_MIXED_SHARE = 0.2;

/** Reports whether there was no response to a failed scrape, in contrast to an error response. */
export function hasNoResponse(reason: string | undefined): boolean {
  return reason !== undefined && NO_RESPONSE_REASONS.has(reason);
}

/** Assesses the events of an endpoint, from its entry in the export. */
export function assessAvailability(info: EndpointInfo, times: AvailabilityTimes): Availability {
  const death = findDeath(info, times);
  const coverage = findCoverage(info, times);
  const mixedResets = countMixedResets(info, times);
  return {
    ...(death && { death }),
    ...(mixedResets !== undefined && { mixedResets }),
    ...selectPresence(info, times),
    restarts: mixedResets === undefined ? listRestarts(info, times) : [],
    outages: listOutages(info, times),
    ...(coverage && { coverage }),
    failedScrapes: countFailedScrapes(info),
  };
}

/**
 * Finds the death of an endpoint: scrapes before the end of profiling succeeded, and all later ones failed. A
 * single failed scrape is sufficient only if the server refused it or did not respond to it. An endpoint that its source
 * removed did not die.
 */
function findDeath(info: EndpointInfo, times: AvailabilityTimes): Death | undefined {
  const { last_fetch_ns: lastSuccessNs, last_failure_ns: lastFailureNs, removed_ns: removedNs } = info;
  // A server that is shut down often stops responding shortly before its source removes it.
  if (removedNs !== undefined) return undefined;
  if (lastSuccessNs === undefined || lastFailureNs === undefined) return undefined;
  const endNs = times.profilingEndNs ?? times.endNs;
  if (lastFailureNs <= lastSuccessNs || (endNs !== undefined && lastSuccessNs >= endNs)) return undefined;
  const outage = info.outages?.findLast(({ end_ns }) => end_ns === undefined);
  if (outage && endNs !== undefined && outage.start_ns >= endNs) return undefined;
  if (outage?.scrapes === 1 && !CERTAIN_REASONS.has(outage.reason)) return undefined;
  const reason = outage?.reason ?? info.last_error_reason;
  const isResponding = reason !== undefined && !hasNoResponse(reason);
  return { lastSuccessNs, isResponding, failedScrapes: outage?.scrapes };
}

/** Returns the times when the endpoint was added and removed, if they are within the profiling phase. */
function selectPresence(
  { added_ns: addedNs, removed_ns: removedNs }: EndpointInfo,
  times: AvailabilityTimes,
): Pick<Availability, 'addedNs' | 'removedNs'> {
  return {
    ...(addedNs !== undefined && isDuringProfiling(addedNs, addedNs, times) ? { addedNs } : {}),
    ...(removedNs !== undefined && isDuringProfiling(removedNs, removedNs, times) ? { removedNs } : {}),
  };
}

/**
 * Returns the number of resets during profiling of an endpoint that mixes several processes, such as the replicas behind
 * a load balancer: counters fall at many scrapes, without outages. No server restarts that often. Returns undefined for
 * other endpoints.
 */
function countMixedResets(info: EndpointInfo, times: AvailabilityTimes): number | undefined {
  const { resets = [], resets_omitted: omitted = 0, total_fetches: scrapes } = info;
  const unexplained = resets.filter(
    reset =>
      isDuringProfiling(reset.previous_ns, reset.at_ns, times) &&
      (reset.counters > 1 || reset.process_restarted) &&
      !overlapsOutage(reset, info),
  ).length;
  if (unexplained <= MAX_UNEXPLAINED_RESETS) return undefined;
  const listed = omitted > 0 ? countScrapesUntil(resets.at(-1)!.at_ns, info) : scrapes;
  return unexplained >= MIN_MIXED_SHARE * listed ? unexplained : undefined;
}

/** Estimates the number of scrapes until a time, such as that of the last reset that is listed. */
function countScrapesUntil(
  atNs: bigint,
  { first_fetch_ns: firstNs, last_fetch_ns: lastNs, total_fetches: scrapes }: EndpointInfo,
): number {
  if (firstNs === undefined || lastNs === undefined || lastNs <= firstNs) return scrapes;
  return (scrapes * Number(atNs - firstNs)) / Number(lastNs - firstNs);
}

/**
 * Lists the restarts of an endpoint's server during profiling. A reset of counters is a restart if the start time
 * of the process changed, if the endpoint did not respond before it, or if several counters were reset at once and
 * resets are rare. A counter that falls often is not a server that restarts often.
 */
function listRestarts(info: EndpointInfo, times: AvailabilityTimes): Restart[] {
  const { resets = [], resets_omitted: omitted = 0 } = info;
  const areRare = resets.length + omitted <= MAX_UNEXPLAINED_RESETS;
  return resets
    .filter(
      reset =>
        reset.process_restarted ||
        reset.counters === 0 ||
        overlapsOutage(reset, info) ||
        (areRare && reset.counters > 1),
    )
    .map(({ previous_ns, at_ns }) => ({ previousNs: previous_ns, atNs: at_ns }))
    .filter(({ previousNs, atNs }) => isDuringProfiling(previousNs, atNs, times));
}

type Reset = NonNullable<EndpointInfo['resets']>[number];

function overlapsOutage({ previous_ns, at_ns }: Reset, { outages = [] }: EndpointInfo): boolean {
  return outages.some(({ start_ns, end_ns }) => start_ns < at_ns && (end_ns ?? at_ns) > previous_ns);
}

function isDuringProfiling(
  startNs: bigint,
  endNs: bigint,
  { profilingStartNs, profilingEndNs }: AvailabilityTimes,
): boolean {
  return (
    (profilingStartNs === undefined || endNs > profilingStartNs) &&
    (profilingEndNs === undefined || startNs < profilingEndNs)
  );
}

/** Lists the outages during profiling between successful scrapes. */
function listOutages(
  { outages = [], first_fetch_ns: firstNs }: EndpointInfo,
  times: AvailabilityTimes,
): RecoveredOutage[] {
  return outages.filter(
    (outage): outage is RecoveredOutage =>
      outage.end_ns !== undefined &&
      !isInitial(outage, firstNs) &&
      isDuringProfiling(outage.start_ns, outage.end_ns, times),
  );
}

/** Reports whether an outage ended with the first success. */
function isInitial({ end_ns: endNs }: { readonly end_ns?: bigint }, firstNs: bigint | undefined): boolean {
  return endNs !== undefined && firstNs !== undefined && endNs <= firstNs;
}

/** Returns the part of the profiling period between the first and the last sample; undefined if unknown. */
function findCoverage(
  { first_fetch_ns: firstNs, last_fetch_ns: lastNs }: EndpointInfo,
  { profilingStartNs, profilingEndNs }: AvailabilityTimes,
): Coverage | undefined {
  if (firstNs === undefined || lastNs === undefined) return undefined;
  if (profilingStartNs === undefined || profilingEndNs === undefined) return undefined;
  return {
    firstNs,
    lastNs,
    missingAtStart: Math.max(0, Number(firstNs - profilingStartNs) / 1e9),
    missingAtEnd: Math.max(0, Number(profilingEndNs - lastNs) / 1e9),
  };
}

function countFailedScrapes({
  first_fetch_ns: firstNs,
  outages = [],
  scrapes_failed: failed = 0,
}: EndpointInfo): number {
  const initial = outages.filter(outage => isInitial(outage, firstNs));
  return failed - initial.reduce((total, { scrapes }) => total + scrapes, 0);
}
