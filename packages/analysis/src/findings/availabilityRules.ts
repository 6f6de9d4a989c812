import { formatRoundedDuration } from '@org/core';
import { computeElapsedSeconds, describeDeath, describeMixture, formatElapsed } from '../run/availability.ts';
import type { RunEndpoint } from '../run/endpoints.ts';
import type { RunTimes } from '../run/run.ts';
import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';
import { findWorkerChanges } from './workerChanges.ts';

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
  createRunRule(
    {
      id: 'mixed-processes',
      severity: 'problem',
      title: 'one endpoint, several servers',
      advice:
        'Totals and rates of its counters and histograms are wrong, because different processes respond by turns, as behind a load balancer: scrape each replica with --server-metrics.',
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
];

function describeJoining(
  { name, availability: { coverage } }: RunEndpoint,
  times: RunTimes,
  maxSeconds: number,
): Evidence[] {
  if (!coverage || coverage.missingAtStart <= maxSeconds) return [];
  const seconds = coverage.missingAtStart;
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
  { name, availability: { coverage, death } }: RunEndpoint,
  times: RunTimes,
  limits: { readonly share: number; readonly seconds: number },
): Evidence[] {
  const total = times.profilingSeconds;
  if (!coverage || !total || death) return [];
  const seconds = coverage.missingAtEnd;
  if (seconds <= limits.seconds || seconds <= limits.share * total) return [];
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

function describeRestarts({ name, availability: { restarts } }: RunEndpoint, times: RunTimes): Evidence[] {
  const [first] = restarts;
  if (!first) return [];
  const seconds = computeElapsedSeconds(first.previousNs, times);
  const downSeconds = Number(first.atNs - first.previousNs) / 1e9;
  const outage =
    downSeconds < MIN_OUTAGE_SECONDS ? '' : `; no data for ${formatRoundedDuration(downSeconds)}`;
  const more = restarts.length > 1 ? ` (the first of ${restarts.length} restarts)` : '';
  return [
    {
      endpoint: name,
      text: `${name} restarted ${formatElapsed(seconds)}${outage}${more}`,
      numbers: { ...(seconds !== undefined && { seconds }), down: downSeconds, restarts: restarts.length },
      magnitude: restarts.length,
    },
  ];
}

function formatCoverage(seconds: number | undefined, { profilingSeconds }: RunTimes): string {
  if (seconds === undefined || profilingSeconds === undefined || seconds < 0) return '';
  return ` (values cover ${formatRoundedDuration(seconds)} of ${formatRoundedDuration(profilingSeconds)})`;
}
