import { formatCount, formatDuration } from '@org/core';
import type { PhaseSummary } from './loadSummary.ts';
import type { LoadWarning } from './loadWarning.ts';

/**
 * Returns warnings about failures that ended the profiling phase early or reduced its load. `threshold` is the
 * maximum fraction of failed requests.
 */
export function findFailureWarnings(
  phases: readonly PhaseSummary[],
  threshold: number | undefined,
): LoadWarning[] {
  const profiling = phases.find(({ phase }) => phase === 'profiling');
  if (!profiling) return [];
  return [...describeAbort(profiling, threshold), ...describeWaits(profiling)];
}

function describeAbort(
  { stopReason, succeeded, failed }: PhaseSummary,
  threshold: number | undefined,
): LoadWarning[] {
  if (stopReason !== 'failed_requests') return [];
  const ended = succeeded + failed;
  const ratio = (failed / ended).toFixed(3);
  const message = `run aborted: ${failed} of ${formatCount(ended, 'request')} failed (${ratio}), more than --failed-request-threshold ${threshold}`;
  return [{ kind: 'failed_request_threshold', message }];
}

function describeWaits({ connectionWaits, connectionWaitNs }: PhaseSummary): LoadWarning[] {
  if (connectionWaits === 0) return [];
  const message = `connections failed repeatedly, so ${formatCount(connectionWaits, 'attempt')} ${connectionWaits === 1 ? 'was' : 'were'} delayed by up to 1 s (${formatDuration(connectionWaitNs / 1e9)} in total); the load was lower than requested`;
  return [{ kind: 'connection_waits', message }];
}
