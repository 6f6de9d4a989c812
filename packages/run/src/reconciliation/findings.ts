import { formatCount } from '@org/core';
import type { ComparedRequests, ReconciliationFinding } from '@org/formats';
import type { ReconciledCounts, ServerSide } from './reconciledCounts.ts';

/** The kind of a finding about client and servers. */
export type ReconciliationKind =
  | 'other_clients'
  | 'requests_exceeded'
  | 'warmup_leakage'
  | 'responses_lost'
  | 'requests_missing'
  | 'mixed_replicas'
  | 'token_counts_differ'
  | 'server_busy_at_start'
  | 'counters_reset'
  | 'run_killed'
  | 'server_stalled'
  | 'server_unresponsive';

type Finding = ReconciliationFinding & { readonly kind: ReconciliationKind };

/** Maximum relative difference between the token counts of two tokenizers that is not reported. */
const MAX_TOKENIZER_DIFFERENCE = 0.1;

/** Maximum time after a response in which a server counts it, in nanoseconds. */
const MAX_COUNTER_DELAY_NS = 1e9;

/** Explains the differences between the counts of client and servers. */
export function findDiscrepancies(counts: ReconciledCounts): Finding[] {
  const { requests, server } = counts;
  return [
    ...findBusyServers(counts),
    ...(server.killed ? describeKill(server.killed) : findRequestDifferences(requests, counts)),
    ...findMixedReplicas(counts),
    ...findResets(counts),
    ...findTokenDifferences(counts),
  ];
}

/** Explains a difference in requests. Returns no findings if mixed replicas make the counters meaningless. */
function findRequestDifferences(requests: ComparedRequests | undefined, counts: ReconciledCounts): Finding[] {
  const { urls, isExcluded } = counts.mixed;
  if (!requests || (urls.length > 0 && !isExcluded)) return [];
  return requests.difference >= 0 ? explainSurplus(counts, requests) : explainMissing(counts, requests);
}

/**
 * Describes a killed run. A difference between the counts is meaningless, because requests in flight at the
 * kill are counted on one side only.
 */
function describeKill({ unscraped }: NonNullable<ServerSide['killed']>): Finding[] {
  return [
    {
      kind: 'run_killed',
      count: unscraped,
      message: `the run was killed: only requests that ended before the last scrape are compared (${unscraped} ended after it); requests in flight at that time are counted on one side only`,
    },
  ];
}

/**
 * Reports requests that are running when profiling starts: they belong to the warm-up if some of its requests
 * were cancelled, otherwise to other clients.
 */
function findBusyServers({ client, server }: ReconciledCounts): Finding[] {
  const running = server.runningAtStart ?? 0;
  if (running <= 0) return [];
  const isWarmup = client.warmupCutOff > 0;
  return [
    {
      kind: isWarmup ? 'warmup_leakage' : 'server_busy_at_start',
      count: running,
      message: isWarmup
        ? `the servers were still processing ${formatRequests(running)} when profiling started, and ${formatRequests(client.warmupCutOff)} of the warm-up had been cancelled; increase the grace period of the warm-up, or let the servers settle before profiling`
        : `the servers were processing ${formatRequests(running)} of other clients when profiling started`,
    },
  ];
}

/** Explains why the servers completed more requests than the client counted as successful. */
function explainSurplus({ client, resets }: ReconciledCounts, requests: ComparedRequests): Finding[] {
  const { difference } = requests;
  // Servers do not count a request as completed if they report it as unfinished.
  const unexplained = Math.max(0, client.failed + client.cancelled - requests.server_unfinished);
  const lostResponses = Math.min(difference, unexplained);
  const foreignRequests = difference - lostResponses;
  const findings: Finding[] = [];
  if (lostResponses > 0)
    findings.push({
      kind: 'responses_lost',
      count: lostResponses,
      message: `the servers completed ${formatRequests(lostResponses)} whose responses the client did not receive; ${formatRequests(unexplained)} failed or were cancelled on the client`,
    });
  if (foreignRequests > 0 && client.warmupCutOff > 0)
    findings.push({
      kind: 'warmup_leakage',
      count: foreignRequests,
      message: `the servers completed ${formatRequests(foreignRequests)} that were not sent during profiling; ${formatRequests(client.warmupCutOff)} of the warm-up had been cancelled; increase the grace period of the warm-up, or let the servers settle before profiling`,
    });
  // After a reset, the counters may belong to another replica.
  else if (foreignRequests > 0 && resets.size === 0 && client.mayCombineInputs)
    findings.push({
      kind: 'requests_exceeded',
      count: foreignRequests,
      message: `the servers completed ${formatRequests(foreignRequests)} more than this run sent: they count each input of a request, or other clients are using them`,
    });
  else if (foreignRequests > 0 && resets.size === 0)
    findings.push({
      kind: 'other_clients',
      count: foreignRequests,
      message: `the servers completed ${formatRequests(foreignRequests)} that this run did not send (${formatPercent(foreignRequests, requests.server)} of their requests): other clients are using these servers, so server metrics include their load`,
    });
  return findings;
}

/** Explains why the servers completed fewer requests than the client counted as successful. */
function explainMissing(counts: ReconciledCounts, requests: ComparedRequests): Finding[] {
  const { byEndpoint } = counts;
  const count = -requests.difference;
  const idle = byEndpoint.filter(endpoint => endpoint.requests === 0).length;
  const cause = describeInterruptions(counts, count) ?? describeOtherCause(counts);
  const hint =
    idle > 0
      ? `; ${idle} of ${byEndpoint.length} endpoints counted no requests: check that they serve this load`
      : '';
  return [
    {
      kind: 'requests_missing',
      count,
      message: `the client completed ${formatRequests(count)} that the scraped servers did not count (${formatPercent(count, requests.client)}): ${cause}${hint}`,
    },
  ];
}

/**
 * Describes the interruptions in which requests ended, and whether they can explain all missing requests. Returns
 * undefined if no request ended in them.
 */
function describeInterruptions(
  { client, interruptions }: ReconciledCounts,
  missing: number,
): string | undefined {
  const { open, originNs } = client.requests;
  const causes = interruptions
    .map(interruption => {
      const startNs = Number(interruption.startNs - originNs) - MAX_COUNTER_DELAY_NS;
      const endNs = Number(interruption.endNs - originNs);
      return { ...interruption, ended: open.countEnded({ startNs, endNs }) };
    })
    .filter(({ ended }) => ended > 0);
  if (causes.length === 0) return undefined;
  const explained = causes.reduce((total, { ended }) => total + ended, 0);
  const limit = explained < missing ? `; this explains at most ${formatRequests(explained)}` : '';
  return causes.map(({ event, loss }) => `${event}; ${loss}`).join('; ') + limit;
}

function describeOtherCause({ resets, mixed }: ReconciledCounts): string {
  if (resets.size > 0)
    return 'counters were reset, and counts between the last scrape before a reset and the reset are lost';
  if (mixed.urls.length > 0)
    return 'a load balancer mixes replicas, and may have sent them to replicas that are not scraped';
  return 'the cause is unknown; check that all servers of this load are scraped, and let the servers settle after profiling';
}

function findMixedReplicas({ mixed: { byAddress, byCounters, isExcluded } }: ReconciledCounts): Finding[] {
  const consequence = isExcluded
    ? 'a load balancer mixes replicas; only the other endpoints are compared'
    : 'a load balancer mixes replicas, so their counts are meaningless; scrape each replica directly';
  const describe = (urls: readonly string[], symptom: string): Finding[] =>
    urls.length === 0
      ? []
      : [
          {
            kind: 'mixed_replicas',
            count: urls.length,
            message: `${urls.join(', ')} ${symptom}: ${consequence}`,
          },
        ];
  return [
    ...describe(byAddress, 'responded from several IP addresses'),
    ...describe(byCounters, 'returned counters that decreased repeatedly'),
  ];
}

function findResets({ resets, mixed, interruptions }: ReconciledCounts): Finding[] {
  const urls = [...resets.keys()].filter(url => !mixed.urls.includes(url));
  if (urls.length === 0) return [];
  const restarts = interruptions.filter(({ kind, url }) => kind === 'restart' && urls.includes(url));
  const unexplained = urls.filter(url => restarts.every(restart => restart.url !== url));
  const messages = restarts.map(({ event }) => `${event}, which reset its counters`);
  if (unexplained.length > 0)
    messages.push(
      `counters of ${unexplained.join(', ')} were reset during profiling: the server restarted, or one address serves several replicas; counts since the last scrape before the reset are lost`,
    );
  return [{ kind: 'counters_reset', count: urls.length, message: messages.join('; ') }];
}

/**
 * Reports different token counts. Requires equal request counts, because metrics and `usage` must agree only
 * then.
 */
function findTokenDifferences({ client, server, requests, tokens }: ReconciledCounts): Finding[] {
  if (requests?.difference !== 0 || client.failed + client.cancelled > 0 || server.killed) return [];
  return Object.entries(tokens).flatMap(([kind, compared]): Finding[] => {
    if (!compared || compared.difference === 0) return [];
    const relativeDifference = Math.abs(compared.difference) / Math.max(1, compared.client);
    if (compared.client_source !== 'usage' && relativeDifference <= MAX_TOKENIZER_DIFFERENCE) return [];
    const hint = compared.counted_by
      ? '; check that all servers behind the frontend are scraped, and serve no other clients'
      : '';
    const source = compared.client_source === 'usage' ? 'usage in the responses' : compared.client_source;
    return [
      {
        kind: 'token_counts_differ',
        count: Math.abs(compared.difference),
        message: `${kind} tokens: ${compared.counted_by ?? 'the servers'} counted ${compared.server}, the client ${compared.client} (${source})${hint}`,
      },
    ];
  });
}

function formatRequests(count: number): string {
  return formatCount(count, 'request');
}

function formatPercent(part: number, total: number): string {
  return `${((100 * part) / Math.max(1, total)).toFixed(1)}%`;
}
