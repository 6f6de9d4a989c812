import { formatRoundedDuration } from '@org/core';
import type { RunEndpoint } from './endpoints.ts';
import type { Run, RunTimes } from './run.ts';
import { readMaxScrapeDistance } from './scrapeInterval.ts';

/** Reports whether the server of an endpoint returned data, for at least a part of the run. */
export function hasData({ state }: Pick<RunEndpoint, 'state'>): boolean {
  return state === 'ok' || state === 'impaired';
}

/** Seconds that must be missing, as a number and as a fraction of the period, for a coverage to be partial. */
const MIN_MISSING = { seconds: 2, share: 0.05 };

/** If a server did not respond for this time before the end of a run, it has not recovered, in seconds. */
const MIN_OUTAGE_SECONDS = 2;

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
      const { url, name, availability } = endpoint;
      const { missingAtStart, missingAtEnd } = availability.coverage ?? NO_MISSING;
      const missing = Math.min(totalSeconds, missingAtStart + missingAtEnd);
      if (missing <= MIN_MISSING.seconds || missing <= MIN_MISSING.share * totalSeconds) return [];
      if (Math.max(missingAtStart, missingAtEnd) <= readMaxScrapeDistance(endpoint)) return [];
      return [[url, { endpoint: name, coveredSeconds: totalSeconds - missing, totalSeconds }]];
    }),
  );
}

const NO_MISSING = { missingAtStart: 0, missingAtEnd: 0 };

/**
 * Returns the fraction of the profiling period in which each endpoint was available, by URL. Endpoints that were
 * available all the time are left out. After the last sample of a slow endpoint, its server is not known to be down.
 */
export function findPresences(run: Pick<Run, 'endpoints' | 'times'>): ReadonlyMap<string, number> {
  const partial = findPartialCoverages(run);
  const totalSeconds = run.times.profilingSeconds ?? 0;
  return new Map(
    run.endpoints
      .filter(({ url }) => partial.has(url))
      .map(endpoint => {
        const { coverage = NO_MISSING, death, removedNs } = endpoint.availability;
        const isGone = death !== undefined || removedNs !== undefined;
        const absence = coverage.missingAtStart + (isGone ? coverage.missingAtEnd : 0);
        return [endpoint.url, Math.max(0, 1 - absence / totalSeconds)] as const;
      }),
  );
}

/** Returns the fraction of the time between the first and the last sample of an endpoint in which its server was up. */
export function computeUptimeShare({ availability }: RunEndpoint, times: RunTimes): number {
  const { coverage = NO_MISSING, restarts } = availability;
  const seconds = (times.profilingSeconds ?? 0) - coverage.missingAtStart - coverage.missingAtEnd;
  const startNs = times.profilingStartNs ?? 0n;
  const down = restarts
    .map(({ previousNs, atNs }) => Number(atNs - (previousNs > startNs ? previousNs : startNs)) / 1e9)
    .filter(downtime => downtime > MIN_MISSING.seconds)
    .reduce((total, downtime) => total + downtime, 0);
  return seconds > 0 ? Math.max(0, 1 - down / seconds) : 1;
}

/** Formats the part of the run that the values of an endpoint cover, such as `localhost:8000 17 s of 150 s`. */
export function formatPartialCoverage({ endpoint, coveredSeconds, totalSeconds }: PartialCoverage): string {
  return `${endpoint} ${formatRoundedDuration(coveredSeconds)} of ${formatRoundedDuration(totalSeconds)}`;
}

/** Computes the fraction of scrapes that failed since the first success. */
export function computeFailedShare({ availability, info }: RunEndpoint): number {
  const { failedScrapes: failed } = availability;
  return failed === 0 ? 0 : failed / (failed + (info?.total_fetches ?? 0));
}

/**
 * Reports whether the server of an endpoint died or restarted during profiling. Its averages and rates then
 * describe only a part of the run, so advice about the load would be unfounded.
 */
export function hasDiedOrRestarted({ availability }: Pick<RunEndpoint, 'availability'>): boolean {
  return availability.death !== undefined || availability.restarts.length > 0;
}

/** Describes the mixture of processes at an endpoint. Returns undefined if it does not mix any. */
export function describeMixture({
  name,
  availability: { mixedResets },
}: Pick<RunEndpoint, 'name' | 'availability'>): string | undefined {
  if (mixedResets === undefined) return undefined;
  return `the counters of ${name} fell at least ${mixedResets} times, although it responded to the scrapes`;
}

/**
 * Describes the death of an endpoint as `localhost:8000 stopped responding after 20 s and did not recover` or, shortly
 * before the end of a run, as `localhost:8000 stopped responding after 29 s, 400 ms before the end`. Returns undefined if it
 * did not die.
 */
export function describeDeath(
  { name, availability: { death } }: Pick<RunEndpoint, 'name' | 'availability'>,
  times: RunTimes,
): string | undefined {
  if (!death) return undefined;
  const time = formatElapsed(computeElapsedSeconds(death.lastSuccessNs, times));
  const event = `${name} stopped ${death.isResponding ? 'returning metrics' : 'responding'} ${time}`;
  const secondsLeft = computeSecondsLeft(death.lastSuccessNs, times);
  return secondsLeft === undefined || secondsLeft > MIN_OUTAGE_SECONDS
    ? `${event} and did not recover`
    : `${event}, ${formatRoundedDuration(secondsLeft)} before the end`;
}

/** Returns the seconds from a time to the end of profiling; undefined if the end is not known. */
function computeSecondsLeft(ns: bigint, { profilingEndNs }: RunTimes): number | undefined {
  return profilingEndNs === undefined ? undefined : Number(profilingEndNs - ns) / 1e9;
}

/** Returns the seconds from the start of profiling, or of the run, to a time; undefined if neither is known. */
export function computeElapsedSeconds(ns: bigint, times: RunTimes): number | undefined {
  const startNs = times.profilingStartNs ?? times.startNs;
  return startNs === undefined ? undefined : Number(ns - startNs) / 1e9;
}

/** Formats the time of an event, in seconds since the start of profiling. */
export function formatElapsed(seconds: number | undefined): string {
  if (seconds === undefined) return 'during the run';
  return seconds < 0
    ? `${formatRoundedDuration(-seconds)} before profiling`
    : `after ${formatRoundedDuration(seconds)}`;
}
