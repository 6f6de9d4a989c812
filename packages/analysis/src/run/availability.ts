import { formatDuration } from '@org/core';
import {
  type Death,
  findDeath as findInfoDeath,
  listRestarts as listInfoRestarts,
  type Restart,
} from '@org/record';
import type { RunEndpoint } from './endpoints.ts';
import type { Run, RunTimes } from './run.ts';

export type { Death, Restart };

/** Finds the death of an endpoint during profiling. Returns undefined if its health is unknown. */
export function findDeath({ info }: RunEndpoint, times: RunTimes): Death | undefined {
  return info && findInfoDeath(info, times);
}

/** Lists the restarts of an endpoint's server during profiling. Returns an empty list if its health is unknown. */
export function listRestarts({ info }: RunEndpoint, times: RunTimes): Restart[] {
  return info ? listInfoRestarts(info, times) : [];
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
