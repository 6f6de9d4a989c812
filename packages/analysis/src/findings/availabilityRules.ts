import { formatDuration } from '@org/core';
import { computeElapsedSeconds, findDeath, listRestarts } from '../run/availability.ts';
import type { RunEndpoint } from '../run/endpoints.ts';
import type { RunTimes } from '../run/run.ts';
import type { Evidence } from './rule.ts';
import { createRunRule, type FindingRule } from './rule.ts';

/** Rules on servers that were not available during the whole run. They precede all other rules. */
export const AVAILABILITY_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'dead-server',
      severity: 'problem',
      title: 'server stopped responding',
      advice:
        'See the log of the server for the cause, and repeat the run. Averages and rates of this endpoint cover only the time before.',
      thresholds: {},
    },
    ({ endpoints, times }) => endpoints.flatMap(endpoint => describeDeath(endpoint, times)),
  ),
  createRunRule(
    {
      id: 'restarted-server',
      severity: 'problem',
      title: 'server restarted',
      advice:
        'See the log of the server for the cause, and repeat the run. Requests that were active at the restart are lost, and caches are empty after it.',
      thresholds: {},
    },
    ({ endpoints, times }) => endpoints.flatMap(endpoint => describeRestarts(endpoint, times)),
  ),
];

function describeDeath(endpoint: RunEndpoint, times: RunTimes): Evidence[] {
  const death = findDeath(endpoint, times);
  if (!death) return [];
  const { lastSuccessNs, failedScrapes } = death;
  const seconds = computeElapsedSeconds(lastSuccessNs, times);
  const error = endpoint.info?.last_error;
  return [
    {
      endpoint: endpoint.name,
      text: `${endpoint.name} stopped responding ${formatTime(seconds)} and did not recover${formatCoverage(seconds, times)}${error ? `: ${error}` : ''}`,
      numbers: {
        ...(seconds !== undefined && { seconds }),
        ...(failedScrapes !== undefined && { failed: failedScrapes }),
      },
      magnitude: -(seconds ?? 0),
    },
  ];
}

function describeRestarts(endpoint: RunEndpoint, times: RunTimes): Evidence[] {
  const restarts = listRestarts(endpoint, times);
  const [first] = restarts;
  if (!first) return [];
  const seconds = computeElapsedSeconds(first.previousNs, times);
  const downSeconds = Number(first.atNs - first.previousNs) / 1e9;
  const more = restarts.length > 1 ? ` (the first of ${restarts.length} restarts)` : '';
  return [
    {
      endpoint: endpoint.name,
      text: `${endpoint.name} restarted ${formatTime(seconds)}; no data for ${formatDuration(downSeconds)}${more}`,
      numbers: { ...(seconds !== undefined && { seconds }), down: downSeconds, restarts: restarts.length },
      magnitude: restarts.length,
    },
  ];
}

/** Formats the time of an event, in seconds since the start of profiling. */
function formatTime(seconds: number | undefined): string {
  if (seconds === undefined) return 'during the run';
  return seconds < 0 ? `${formatRounded(-seconds)} before profiling` : `after ${formatRounded(seconds)}`;
}

function formatCoverage(seconds: number | undefined, { profilingSeconds }: RunTimes): string {
  if (seconds === undefined || profilingSeconds === undefined || seconds < 0) return '';
  return ` (values cover ${formatRounded(seconds)} of ${formatRounded(profilingSeconds)})`;
}

/** Formats a duration without decimals that the scrape interval does not support. */
function formatRounded(seconds: number): string {
  return formatDuration(seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds));
}
