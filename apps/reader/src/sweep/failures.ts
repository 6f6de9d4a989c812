import { formatPercent } from '@org/core';
import type { RequestCounts, SweepMetric } from '@org/formats';

/** The failed requests of several runs, and all of their requests. */
export interface FailureCounts {
  readonly failed: number;
  readonly attempts: number;
}

/**
 * Counts the failed requests of a variation or of repeated runs. Files of AIPerf and of earlier versions have no
 * counts; for these, returns the means over the successful runs. Returns undefined if they are missing, too.
 */
export function countFailures(
  requests: RequestCounts | undefined,
  metrics: Readonly<Record<string, SweepMetric>>,
): FailureCounts | undefined {
  if (requests) {
    const { succeeded, failed, cancelled } = requests;
    return { failed, attempts: succeeded + failed + cancelled };
  }
  const succeeded = metrics.request_count_avg?.mean;
  const failed = metrics.error_request_count_avg?.mean ?? 0;
  return succeeded === undefined ? undefined : { failed, attempts: succeeded + failed };
}

/** Formats failed requests as `37 (12%)`, or as `0`; empty if they are unknown. */
export function formatFailures(counts: FailureCounts | undefined): string {
  if (!counts) return '';
  const { failed, attempts } = counts;
  return failed === 0 ? '0' : `${Number(failed.toFixed(1))} (${formatPercent(failed / attempts)})`;
}

/** Describes failed requests as a sentence; undefined if there are none. */
export function describeFailedRequests(counts: FailureCounts | undefined): string | undefined {
  if (!counts || counts.failed === 0) return undefined;
  const { failed, attempts } = counts;
  return `${Number(failed.toFixed(1))} of ${Number(attempts.toFixed(1))} requests failed (${formatPercent(failed / attempts)})`;
}
