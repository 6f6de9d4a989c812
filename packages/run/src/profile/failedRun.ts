import { formatCount } from '@org/core';
import type { ProfileExport, ProfileMetric, RequestCounts } from '@org/formats';

/** Maximum fraction of failed requests of a successful run. */
const MAX_FAILED_RATIO = 0.5;

/** Kinds of warnings that explain why a run was aborted. */
const ABORT_KINDS: readonly (string | undefined)[] = ['worker_lost', 'failed_request_threshold'];

/** Reads the numbers of requests by outcome from a profile export. */
export function readCounts(document: ProfileExport): RequestCounts {
  const read = (tag: string): number => (document[tag] as ProfileMetric | undefined)?.avg ?? 0;
  return {
    succeeded: read('request_count'),
    failed: read('error_request_count'),
    cancelled: read('cancelled_request_count'),
  };
}

/** Returns the reason why a run was aborted; undefined if it was completed or interrupted by the user. */
export function findAbortReason({ load_generator: load }: ProfileExport): string | undefined {
  return load?.warnings?.find(({ kind }) => ABORT_KINDS.includes(kind))?.message;
}

/**
 * Describes why the requests of a run do not form a usable result: none succeeded, or more than half of them
 * failed. Cancelled requests are ignored. Returns undefined if the result is usable.
 */
export function describeFailedRun(counts: RequestCounts): string | undefined {
  const { succeeded, failed } = counts;
  if (succeeded === 0) return describeNoSuccess(counts);
  const ended = succeeded + failed;
  if (failed <= MAX_FAILED_RATIO * ended) return undefined;
  return `${failed} of ${formatCount(ended, 'request')} failed (${((100 * failed) / ended).toFixed(1)}%), more than half`;
}

/** Describes a run without successful requests. */
export function describeNoSuccess({ failed, cancelled }: RequestCounts): string {
  if (failed + cancelled === 0) return 'no request was sent';
  if (failed === 0) return `no request succeeded: ${formatCount(cancelled, 'request')} cancelled`;
  if (cancelled > 0) return `no request succeeded: ${failed} failed, ${cancelled} cancelled`;
  return failed === 1 ? 'the only request failed' : `all ${failed} requests failed`;
}
