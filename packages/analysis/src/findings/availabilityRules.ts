import { formatCount, formatRoundedDuration } from '@org/core';
import { max, sum } from '../math.ts';
import { computeElapsedSeconds, describeDeath, describeMixture, formatElapsed } from '../run/availability.ts';
import type { RunEndpoint } from '../run/endpoints.ts';
import type { RunTimes } from '../run/run.ts';
import { readMaxScrapeDistance } from '../run/scrapeInterval.ts';
import { findEndpointChanges } from './endpointChanges.ts';
import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';
import { findStalls } from './stalls.ts';
import { findWorkerChanges } from './workerChanges.ts';

/** Servers that made no progress for a while, although they had requests. */
export const STALLED_SERVER: FindingRule = createRunRule(
  {
    id: 'stalled-server',
    severity: 'warning',
    title: 'requests made no progress',
    advice: 'Latencies and rates include this time. See the log of the server for the cause.',
    thresholds: {},
  },
  run =>
    findStalls(run).map(({ message, count = 0 }, index, { length }) => ({
      text: message.split(';')[0]!,
      numbers: { count },
      // The longest stall comes first.
      magnitude: length - index,
    })),
  run =>
    findStalls(run).some(({ kind }) => kind === 'server_stalled')
      ? 'Latencies and rates include this time. A cold server compiles its model for the first requests: send warm-up requests (--warmup-request-count). Otherwise, see the log of the server.'
      : 'Latencies and rates include this time. See the log of the server for the cause.',
);

/** Rules on servers that were not available during the whole run. They precede all other rules. */
export const AVAILABILITY_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'dead-server',
      severity: 'problem',
      title: 'server down',
      advice:
        'See the log of the server for the cause, and repeat the run. Averages and rates of this endpoint cover only the time before.',
      thresholds: {},
    },
    ({ endpoints, times }) => endpoints.flatMap(endpoint => createDeathEvidence(endpoint, times)),
  ),
  createRunRule(
    {
      id: 'restarted-server',
      severity: 'problem',
      title: 'server restarted',
      advice:
        'See the log of the server for the cause, and repeat the run. Requests in flight at the restart were lost, and caches were empty after it.',
      thresholds: {},
    },
    ({ endpoints, times }) => endpoints.flatMap(endpoint => describeRestarts(endpoint, times)),
  ),
  STALLED_SERVER,
  createRunRule(
    {
      id: 'missing-samples',
      severity: 'warning',
      title: 'no metrics for a while',
      advice:
        'The server did not respond, or scrapes were delayed on this machine: see the log of the server. Gauges have no samples from this time; counters and histograms include it.',
      thresholds: {
        share: { value: 0.02, meaning: 'maximum fraction of profiling without samples' },
      },
    },
    ({ endpoints, times }, limits) =>
      endpoints.flatMap(endpoint => describeGaps(endpoint, times, limits.share)),
  ),
  createRunRule(
    {
      id: 'mixed-processes',
      severity: 'problem',
      title: 'one endpoint, several servers',
      advice:
        'Totals and rates of its counters and histograms are wrong, because different processes respond in turn, as behind a load balancer: scrape each replica with --server-metrics.',
      thresholds: {},
    },
    ({ endpoints }) => endpoints.flatMap(createMixtureEvidence),
  ),
  createRunRule(
    {
      id: 'late-endpoint',
      severity: 'warning',
      title: 'endpoint joined late',
      advice:
        'Its averages and rates cover only the time since then. To cover the whole run, start the load when all servers are ready.',
      thresholds: {
        seconds: { value: 2, meaning: 'maximum seconds without samples at the start of profiling' },
      },
    },
    ({ endpoints, times }, limits) =>
      endpoints.flatMap(endpoint => describeJoining(endpoint, times, limits.seconds)),
  ),
  createRunRule(
    {
      id: 'late-last-sample',
      severity: 'warning',
      title: 'last sample before the end',
      advice:
        'Its averages and rates end with this sample. If scrapes are slow, reduce the load of other scrapers, or see the log of the server.',
      thresholds: {
        share: { value: 0.05, meaning: 'maximum fraction of profiling after the last sample' },
        seconds: { value: 2, meaning: 'maximum seconds of profiling after the last sample' },
      },
    },
    ({ endpoints, times }, limits) =>
      endpoints.flatMap(endpoint => describeEarlyEnd(endpoint, times, limits)),
  ),
  createRunRule(
    {
      id: 'worker-changes',
      severity: 'warning',
      title: 'workers joined or left',
      advice:
        'The load was distributed over different workers during the run: repeat it with a fixed set of workers.',
      thresholds: {},
    },
    findWorkerChanges,
  ),
  createRunRule(
    {
      id: 'endpoint-changes',
      severity: 'warning',
      title: 'endpoints came and went',
      advice:
        'The values of these endpoints cover only the time while their source listed them. To compare runs, use a fixed set of replicas.',
      thresholds: {},
    },
    findEndpointChanges,
  ),
];

/** Describes the gaps between samples that no failed scrapes, no absence and no restart explain. */
function describeGaps(endpoint: RunEndpoint, times: RunTimes, maxShare: number): Evidence[] {
  const { gaps = [], outages = [], absences = [] } = endpoint.info ?? {};
  const { restarts } = endpoint.availability;
  const unexplained = gaps.filter(
    gap =>
      isDuringProfiling(gap, times) &&
      outages.every(
        ({ start_ns, end_ns }) => start_ns >= gap.end_ns || (end_ns ?? start_ns) <= gap.start_ns,
      ) &&
      absences.every(({ start_ns, end_ns }) => start_ns >= gap.end_ns || end_ns <= gap.start_ns) &&
      restarts.every(({ previousNs, atNs }) => previousNs >= gap.end_ns || atNs <= gap.start_ns),
  );
  const lengths = unexplained.map(({ start_ns, end_ns }) => Number(end_ns - start_ns) / 1e9);
  const missing = sum(lengths);
  if (missing <= maxShare * (times.profilingSeconds ?? 0)) return [];
  const longest = lengths.indexOf(max(lengths));
  const { start_ns, end_ns } = unexplained[longest]!;
  const others = lengths.length - 1;
  const more =
    others > 0
      ? `, and for ${formatRoundedDuration(missing - lengths[longest]!)} in ${formatCount(others, 'other gap')}`
      : '';
  return [
    {
      endpoint: endpoint.name,
      text: `${endpoint.name} returned no metrics for ${formatRoundedDuration(lengths[longest]!)}${formatRange(start_ns, end_ns, times)}${more}`,
      numbers: { seconds: missing, gaps: lengths.length },
      magnitude: missing,
      range: { startNs: start_ns, endNs: end_ns },
    },
  ];
}

/** Reports whether a gap overlaps the profiling period, which is only a part of that of the run if a window was exported. */
function isDuringProfiling(
  { start_ns, end_ns }: { readonly start_ns: bigint; readonly end_ns: bigint },
  { profilingStartNs = 0n, profilingEndNs = end_ns }: RunTimes,
): boolean {
  return end_ns > profilingStartNs && start_ns < profilingEndNs;
}

/** Formats a time range in seconds since the start of profiling, such as ` (6 s to 16 s)`. */
function formatRange(fromNs: bigint, toNs: bigint, times: RunTimes): string {
  const [from, to] = [fromNs, toNs].map(ns => computeElapsedSeconds(ns, times));
  return from === undefined || to === undefined
    ? ''
    : ` (${formatRoundedDuration(Math.max(0, from))} to ${formatRoundedDuration(to)})`;
}

function describeJoining(endpoint: RunEndpoint, times: RunTimes, maxSeconds: number): Evidence[] {
  const { name, availability } = endpoint;
  const { coverage, addedNs } = availability;
  if (!coverage || addedNs !== undefined) return [];
  const seconds = coverage.missingAtStart;
  if (seconds <= Math.max(maxSeconds, readMaxScrapeDistance(endpoint))) return [];
  const total = times.profilingSeconds ?? 0;
  const covered = `${formatRoundedDuration(total - seconds)} of ${formatRoundedDuration(total)}`;
  return [
    {
      endpoint: name,
      text: `${name} returned its first metrics after ${formatRoundedDuration(seconds)} (values cover ${covered})`,
      numbers: { seconds },
      magnitude: seconds,
    },
  ];
}

function describeEarlyEnd(
  endpoint: RunEndpoint,
  times: RunTimes,
  limits: { readonly share: number; readonly seconds: number },
): Evidence[] {
  const { name, availability } = endpoint;
  const { coverage, death, removedNs } = availability;
  const total = times.profilingSeconds;
  if (!coverage || !total || death || removedNs !== undefined) return [];
  const seconds = coverage.missingAtEnd;
  if (seconds <= Math.max(limits.seconds, limits.share * total, readMaxScrapeDistance(endpoint))) return [];
  return [
    {
      endpoint: name,
      text: `the last sample of ${name} is from ${formatRoundedDuration(seconds)} before the end of profiling (${formatRoundedDuration(total)})`,
      numbers: { seconds },
      magnitude: seconds,
    },
  ];
}

function createDeathEvidence(endpoint: RunEndpoint, times: RunTimes): Evidence[] {
  const { death } = endpoint.availability;
  if (!death) return [];
  const { lastSuccessNs, failedScrapes } = death;
  const seconds = computeElapsedSeconds(lastSuccessNs, times);
  const error = endpoint.info?.last_error;
  return [
    {
      endpoint: endpoint.name,
      text: `${describeDeath(endpoint, times)}${formatCoverage(seconds, times)}${error ? `: ${error}` : ''}`,
      numbers: {
        ...(seconds !== undefined && { seconds }),
        ...(failedScrapes !== undefined && { failed: failedScrapes }),
      },
      magnitude: -(seconds ?? 0),
    },
  ];
}

function createMixtureEvidence(endpoint: RunEndpoint): Evidence[] {
  const resets = endpoint.availability.mixedResets;
  const text = describeMixture(endpoint);
  if (resets === undefined || text === undefined) return [];
  return [{ endpoint: endpoint.name, text, numbers: { resets }, magnitude: resets }];
}

/** Shorter times without data are not named: they can be the interval between two scrapes. */
const MIN_OUTAGE_SECONDS = 1;

/** The minimum time between the samples before and after a restart in which the server did not respond, in seconds. */
const MIN_DOWN_SECONDS = 2;

function describeRestarts(endpoint: RunEndpoint, times: RunTimes): Evidence[] {
  const { name, availability } = endpoint;
  const { restarts } = availability;
  const maxDistance = readMaxScrapeDistance(endpoint);
  const [first] = restarts;
  if (!first) return [];
  const seconds = computeElapsedSeconds(first.previousNs, times);
  const downSeconds = Number(first.atNs - first.previousNs) / 1e9;
  const outage =
    downSeconds < Math.max(MIN_OUTAGE_SECONDS, maxDistance)
      ? ''
      : `; no data for ${formatRoundedDuration(downSeconds)}`;
  const more = restarts.length > 1 ? ` (the first of ${restarts.length} restarts)` : '';
  const time = formatElapsed(seconds);
  const event =
    downSeconds < Math.max(MIN_DOWN_SECONDS, maxDistance)
      ? `restarted ${time}`
      : `stopped responding ${time} and restarted`;
  return [
    {
      endpoint: name,
      text: `${name} ${event}${outage}${more}`,
      numbers: { ...(seconds !== undefined && { seconds }), down: downSeconds, restarts: restarts.length },
      magnitude: restarts.length,
    },
  ];
}

function formatCoverage(seconds: number | undefined, { profilingSeconds }: RunTimes): string {
  if (seconds === undefined || profilingSeconds === undefined || seconds < 0) return '';
  return ` (values cover ${formatRoundedDuration(seconds)} of ${formatRoundedDuration(profilingSeconds)})`;
}
