import { formatCount, formatNumber, formatPercent } from '@org/core';
import { type ClientFailures, countHttpFailures, readClientFailures } from '../run/clientFailures.ts';
import { listHttpErrors } from '../servers/httpErrors.ts';
import { sumCounts } from '../servers/serverInstance.ts';
import { findUnexplainedAborts } from './abortedRequests.ts';
import { createRunRule, createServerRule, type Evidence, type FindingRule } from './rule.ts';

/** Rules on failed requests, on the client and on the servers. */
export const FAILURE_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'failed-client-requests',
      severity: 'problem',
      title: 'requests failed',
      advice:
        'Latencies and throughput cover successful requests only. See the log of the server for the cause; profile_export.jsonl, if it was written, contains the error of each request.',
      thresholds: { share: { value: 0, meaning: 'maximum fraction of the requests' } },
    },
    (run, limits) => {
      const failures = readClientFailures(run);
      if (!failures || failures.failed <= limits.share * failures.attempts) return [];
      return describeClientFailures(failures);
    },
  ),
  createServerRule(
    {
      id: 'failed-requests',
      severity: 'problem',
      title: 'requests failed on the server',
      advice: 'Latencies and throughput cover successful requests only. See the server log for the cause.',
      thresholds: { total: { value: 0, meaning: 'maximum in the run' } },
    },
    ({ failures }, limits) => {
      const causes = failures.filter(({ isCancellation }) => !isCancellation);
      const failed = sumCounts(causes);
      if (failed <= limits.total) return undefined;
      return {
        text: `${formatNumber(failed)} failed: ${formatCauses(causes)}`,
        numbers: { failed },
        magnitude: failed,
      };
    },
  ),
  createRunRule(
    {
      id: 'http-errors',
      severity: 'warning',
      title: 'servers responded with HTTP errors',
      advice: 'See the log of the server for the requests.',
      thresholds: { total: { value: 0, meaning: 'maximum number per metric and endpoint' } },
    },
    (run, limits) => {
      const client = readClientFailures(run);
      return listHttpErrors(run).flatMap(({ endpoint, metric, byStatus }) => {
        const causes = [...byStatus].map(([cause, count]) => ({ cause, count }));
        const total = sumCounts(causes);
        if (total <= limits.total) return [];
        const received = client ? `; the load generator received ${countHttpFailures(client)}` : '';
        const text = `${formatCauses(causes.sort((a, b) => b.count - a.count))} (${metric})${received}`;
        return [{ endpoint, text, numbers: { total }, magnitude: total }];
      });
    },
  ),
  createRunRule(
    {
      id: 'aborted-requests',
      severity: 'warning',
      title: 'requests were aborted',
      advice:
        'A client closed the connection before the response was complete, for example after a timeout, or the server dropped the request.',
      thresholds: {
        total: { value: 0, meaning: 'maximum number without a cancellation or timeout on the client' },
        share: {
          value: 0.02,
          meaning: 'maximum fraction of the started requests that neither ended nor run at the end',
        },
      },
    },
    findUnexplainedAborts,
  ),
];

/** Describes all failures with the most frequent causes, then each other cause. */
function describeClientFailures({ failed, attempts, causes }: ClientFailures): Evidence[] {
  const share = failed / attempts;
  const listed = causes.slice(0, MAX_CAUSES).map(({ text, count }) => ({ cause: text, count }));
  return [
    {
      text: `${failed} of ${formatCount(attempts, 'request')} (${formatPercent(share)})${listed.length > 0 ? `: ${formatCauses(listed)}` : ''}`,
      numbers: { failed, requests: attempts, share },
      magnitude: failed,
    },
    ...causes.slice(MAX_CAUSES).map(({ text, count }) => ({
      text: `${count} × ${text}`,
      numbers: { failed: count },
      magnitude: count,
    })),
  ];
}

/** Maximum number of causes in one text. */
const MAX_CAUSES = 4;

function formatCauses(causes: readonly { readonly cause: string; readonly count: number }[]): string {
  const listed = causes.slice(0, MAX_CAUSES).map(({ cause, count }) => `${formatNumber(count)} × ${cause}`);
  const omitted = causes.length - listed.length;
  return [...listed, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join(', ');
}
