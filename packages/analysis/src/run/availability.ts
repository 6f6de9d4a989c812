import { formatDuration } from '@org/core';
import type { EndpointInfo } from '@org/formats';
import type { RunEndpoint } from './endpoints.ts';
import type { Run, RunTimes } from './run.ts';

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

/**
 * Finds the death of an endpoint: scrapes before the end of profiling succeeded, and all later ones failed. A
 * single failed scrape is sufficient only if the server refused it or did not respond to it.
 */
export function findDeath({ info }: RunEndpoint, times: RunTimes): Death | undefined {
  const lastSuccessNs = info?.last_fetch_ns;
  const lastFailureNs = info?.last_failure_ns;
  if (!info || lastSuccessNs === undefined || lastFailureNs === undefined) return undefined;
  const endNs = times.profilingEndNs ?? times.endNs;
  if (lastFailureNs <= lastSuccessNs || (endNs !== undefined && lastSuccessNs >= endNs)) return undefined;
  const outage = info.outages?.findLast(({ end_ns }) => end_ns === undefined);
  if (outage && endNs !== undefined && outage.start_ns >= endNs) return undefined;
  if (outage?.scrapes === 1 && !CERTAIN_REASONS.has(outage.reason)) return undefined;
  const reason = outage?.reason ?? info.last_error_reason;
  const isResponding = reason !== undefined && !NO_RESPONSE_REASONS.has(reason);
  return { lastSuccessNs, isResponding, failedScrapes: outage?.scrapes };
}

/**
 * Lists the restarts of an endpoint's server during profiling. A reset of counters is a restart if the start time
 * of the process changed, if the endpoint did not respond before it, or if several counters were reset at once and
 * resets are rare. A counter that falls often is not a server that restarts often.
 */
export function listRestarts({ info }: RunEndpoint, times: RunTimes): Restart[] {
  const resets = info?.resets ?? [];
  const areRare = resets.length + (info?.resets_omitted ?? 0) <= MAX_UNEXPLAINED_RESETS;
  return resets
    .filter(
      reset =>
        reset.process_restarted ||
        reset.counters === 0 ||
        overlapsOutage(reset, info!) ||
        (areRare && reset.counters > 1),
    )
    .map(({ previous_ns, at_ns }) => ({ previousNs: previous_ns, atNs: at_ns }))
    .filter(({ previousNs, atNs }) => isDuringProfiling(previousNs, atNs, times));
}

/** The part of the profiling period that the samples of an endpoint cover. Times are in nanoseconds since 1970. */
export interface Coverage {
  readonly firstNs: bigint;
  readonly lastNs: bigint;
  /** Seconds of the profiling period before the first sample. */
  readonly missingAtStart: number;
  /** Seconds of the profiling period after the last sample. */
  readonly missingAtEnd: number;
}

/** Returns the part of the profiling period between an endpoint's first and last sample; undefined if unknown. */
export function findCoverage({ info }: RunEndpoint, times: RunTimes): Coverage | undefined {
  const { first_fetch_ns: firstNs, last_fetch_ns: lastNs } = info ?? {};
  const { profilingStartNs, profilingEndNs } = times;
  if (firstNs === undefined || lastNs === undefined) return undefined;
  if (profilingStartNs === undefined || profilingEndNs === undefined) return undefined;
  return {
    firstNs,
    lastNs,
    missingAtStart: Math.max(0, Number(firstNs - profilingStartNs) / 1e9),
    missingAtEnd: Math.max(0, Number(profilingEndNs - lastNs) / 1e9),
  };
}

/** Seconds that must be missing, as a number and as a fraction of the period, for a coverage to be partial. */
const MIN_MISSING = { seconds: 2, share: 0.05 };

/** An endpoint whose samples cover only a part of the profiling period. */
export interface PartialCoverage {
  readonly endpoint: string;
  readonly coveredSeconds: number;
  readonly totalSeconds: number;
}

/** Finds the endpoints whose rates and averages cover only a part of the profiling period, by URL. */
export function findPartialCoverages({
  endpoints,
  times,
}: Pick<Run, 'endpoints' | 'times'>): Map<string, PartialCoverage> {
  const totalSeconds = times.profilingSeconds ?? 0;
  return new Map(
    endpoints.flatMap((endpoint): [string, PartialCoverage][] => {
      const { missingAtStart, missingAtEnd } = findCoverage(endpoint, times) ?? NO_MISSING;
      const missing = Math.min(totalSeconds, missingAtStart + missingAtEnd);
      if (missing <= MIN_MISSING.seconds || missing <= MIN_MISSING.share * totalSeconds) return [];
      const coveredSeconds = totalSeconds - missing;
      return [[endpoint.url, { endpoint: endpoint.name, coveredSeconds, totalSeconds }]];
    }),
  );
}

const NO_MISSING = { missingAtStart: 0, missingAtEnd: 0 };

/** Formats the part of the run that the values of an endpoint cover, such as `localhost:8000 17 s of 150 s`. */
export function formatPartialCoverage({ endpoint, coveredSeconds, totalSeconds }: PartialCoverage): string {
  return `${endpoint} ${formatRounded(coveredSeconds)} of ${formatRounded(totalSeconds)}`;
}

/** Counts the failed scrapes since the first success. Failures before it are those of an endpoint that joined late. */
export function countFailures({ info }: RunEndpoint): number {
  const firstNs = info?.first_fetch_ns;
  const initial = (info?.outages ?? []).filter(
    ({ end_ns }) => end_ns !== undefined && firstNs !== undefined && end_ns <= firstNs,
  );
  return (info?.scrapes_failed ?? 0) - initial.reduce((total, { scrapes }) => total + scrapes, 0);
}

/** Computes the fraction of scrapes that failed since the first success. */
export function computeFailedShare(endpoint: RunEndpoint): number {
  const failed = countFailures(endpoint);
  return failed === 0 ? 0 : failed / (failed + (endpoint.info?.total_fetches ?? 0));
}

/**
 * Reports whether the server of an endpoint died or restarted during profiling. Its averages and rates then
 * describe only a part of the run, so advice about the load would be unfounded.
 */
export function hasDiedOrRestarted(endpoint: RunEndpoint, { times }: Pick<Run, 'times'>): boolean {
  return findDeath(endpoint, times) !== undefined || listRestarts(endpoint, times).length > 0;
}

/** Returns the names of the endpoints whose server died or restarted during profiling. */
export function listInterruptedEndpoints(run: Pick<Run, 'endpoints' | 'times'>): string[] {
  return run.endpoints.filter(endpoint => hasDiedOrRestarted(endpoint, run)).map(({ name }) => name);
}

/** Returns the seconds from the start of profiling, or of the run, to a time; undefined if neither is known. */
export function computeElapsedSeconds(ns: bigint, times: RunTimes): number | undefined {
  const startNs = times.profilingStartNs ?? times.startNs;
  return startNs === undefined ? undefined : Number(ns - startNs) / 1e9;
}

/** Formats a death as `localhost:8000 stopped responding after 20 s and did not recover`. */
export function formatDeath(
  endpoint: string,
  { lastSuccessNs, isResponding }: Death,
  times: RunTimes,
): string {
  const time = formatElapsed(computeElapsedSeconds(lastSuccessNs, times));
  return `${endpoint} stopped ${isResponding ? 'returning metrics' : 'responding'} ${time} and did not recover`;
}

/** Formats the time of an event, in seconds since the start of profiling. */
export function formatElapsed(seconds: number | undefined): string {
  if (seconds === undefined) return 'during the run';
  return seconds < 0 ? `${formatRounded(-seconds)} before profiling` : `after ${formatRounded(seconds)}`;
}

/** Formats a duration without decimals that the scrape interval does not support. */
export function formatRounded(seconds: number): string {
  return formatDuration(seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds));
}

type Reset = NonNullable<EndpointInfo['resets']>[number];

function overlapsOutage({ previous_ns, at_ns }: Reset, { outages = [] }: EndpointInfo): boolean {
  return outages.some(({ start_ns, end_ns }) => start_ns < at_ns && (end_ns ?? at_ns) > previous_ns);
}

function isDuringProfiling(previousNs: bigint, atNs: bigint, times: RunTimes): boolean {
  const { profilingStartNs, profilingEndNs } = times;
  return (
    (profilingStartNs === undefined || atNs > profilingStartNs) &&
    (profilingEndNs === undefined || previousNs < profilingEndNs)
  );
}
