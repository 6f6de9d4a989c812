import { formatCount, formatNumber, formatPercent } from '@org/core';
import {
  type ClientFailures,
  countClosedByClient,
  countHttpFailures,
  readClientFailures,
} from '../run/clientFailures.ts';
import type { Run } from '../run/run.ts';
import { listHttpErrors } from '../servers/httpErrors.ts';
import { findServerInstances, type ServerInstance } from '../servers/serverInstance.ts';
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
      },
    },
    (run, limits) => findUnexplainedAborts(run, limits.total),
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

/**
 * Finds servers that counted more aborted requests than the load generator cancelled. Aborts that it explains
 * are not reported.
 */
function findUnexplainedAborts(run: Run, maxTotal: number): Evidence[] {
  const client = readClientFailures(run);
  const explained = client ? countClosedByClient(client) : 0;
  const instances = findServerInstances(run);
  return [...new Set(instances.map(({ server }) => server))].flatMap(server => {
    const ofServer = instances.filter(instance => instance.server === server);
    const aborted = sumCounts(selectFirstReceivers(ofServer).flatMap(listAborts));
    if (aborted - explained <= maxTotal) return [];
    const counts = `${server} counted ${formatCount(aborted, 'aborted request')}`;
    const text = client ? `${counts}; ${explained} were cancelled or timed out on the client` : counts;
    return [{ text, numbers: { aborted, explained }, magnitude: aborted - explained }];
  });
}

/**
 * Selects the instances that receive requests from clients: the frontends, which count completed requests, without the
 * workers that process the same requests. Without a frontend, all instances are selected.
 */
function selectFirstReceivers(instances: readonly ServerInstance[]): readonly ServerInstance[] {
  const receivers = instances.filter(({ series }) => series('completedRequests').length > 0);
  return receivers.length > 0 ? receivers : instances;
}

function listAborts({ failures }: ServerInstance): ServerInstance['failures'] {
  return failures.filter(({ isCancellation }) => isCancellation);
}

function sumCounts(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Maximum number of causes in one text. */
const MAX_CAUSES = 4;

function formatCauses(causes: readonly { readonly cause: string; readonly count: number }[]): string {
  const listed = causes.slice(0, MAX_CAUSES).map(({ cause, count }) => `${formatNumber(count)} × ${cause}`);
  const omitted = causes.length - listed.length;
  return [...listed, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join(', ');
}
