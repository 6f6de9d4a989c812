import type {
  ComparedLatency,
  ComparedRequests,
  ComparedTokens,
  Queueing,
  Reconciliation,
  ServerMetricsDocument,
} from '@org/formats';
import type { ProfileMetrics } from '@org/loadgen';
import type { RunRecord } from '@org/record';
import { getServers } from '@org/record/servers';
import type { CountMetric, ReconciliationMetrics, ServerCatalog, ServerDefinition } from '@org/servers';
import { findDiscrepancies } from './findings.ts';
import { countResetsAfterOutages, findInterruptions } from './interruptions.ts';
import {
  type ClientSide,
  detectMixedReplicas,
  type ReconciledCounts,
  type ServerSide,
} from './reconciledCounts.ts';
import { ServerCounts } from './serverCounts.ts';
import { findStalls } from './stalls.ts';

/**
 * The client's measurements of a run, and the numbers of running requests that servers reported at the start
 * and end of profiling.
 */
export interface ClientRun
  extends Pick<ClientSide, 'blocks' | 'warmupCutOff' | 'tokenizer' | 'requests' | 'mayCombineInputs'> {
  readonly metrics: Pick<ProfileMetrics, 'succeeded' | 'failed' | 'cancelled'>;
  readonly runningAtStart: number | undefined;
  readonly runningAtEnd: number | undefined;
  readonly killed?: ServerSide['killed'];
}

/** Reconciles a run. Returns undefined if no server of a known kind returned data. */
export function reconcileRun(
  record: RunRecord,
  document: ServerMetricsDocument,
  { metrics, runningAtStart, runningAtEnd, killed, ...client }: ClientRun,
): Reconciliation | undefined {
  const servers = getServers(record);
  const mixedEndpoints = record.endpoints.filter(({ health }) => (health.address_changes?.length ?? 0) > 0);
  const { succeeded, failed, cancelled } = metrics;
  const reconciliation = reconcile(
    { ...client, succeeded, failed, cancelled },
    {
      document,
      ...(runningAtStart === undefined ? {} : { runningAtStart }),
      ...(runningAtEnd === undefined ? {} : { runningAtEnd }),
      ...(killed ? { killed } : {}),
      mixedEndpoints: mixedEndpoints.map(({ url }) => url),
    },
    servers,
  );
  return (
    reconciliation && {
      ...reconciliation,
      findings: [...findStalls(document, client.requests, servers), ...reconciliation.findings],
    }
  );
}

/**
 * Compares the client's counts with the servers' counts. Returns undefined if no server of a known kind
 * returned data.
 */
export function reconcile(
  client: ClientSide,
  server: ServerSide,
  servers: ServerCatalog,
): Reconciliation | undefined {
  const allCounts = new ServerCounts(server.document, servers);
  const mixed = detectMixedReplicas(
    server.mixedEndpoints,
    allCounts.resets,
    countResetsAfterOutages(server.document),
  );
  const kind = findServer(allCounts, servers);
  if (!kind) return undefined;
  const sources = kind.reconciliation;
  // If the replicas behind a load balancer are also scraped directly, only the direct scrapes count.
  const directCounts = new ServerCounts(server.document, servers, mixed.urls);
  const isExcluded = mixed.urls.length > 0 && findServer(directCounts, servers) === kind;
  const counts = isExcluded ? directCounts : allCounts;
  const requests = compareRequests(client, counts, sources);
  const tokenServer = findTokenServer(counts, servers, kind);
  const promptTokens = compareTokens(client, counts, kind, tokenServer, 'prompt');
  const generationTokens = compareTokens(client, counts, kind, tokenServer, 'generation');
  const byEndpoint = [...counts.sumByEndpoint(sources.requests)].map(([endpoint_url, amount]) => ({
    endpoint_url,
    requests: amount,
  }));
  const reconciled: ReconciledCounts = {
    client,
    server,
    requests,
    tokens: { prompt: promptTokens, generation: generationTokens },
    byEndpoint,
    resets: counts.resets,
    interruptions: findInterruptions(server.document),
    mixed: { ...mixed, isExcluded },
  };
  const queue = computeQueueing(client, counts, sources);
  return {
    server: getName(kind),
    ...(requests ? { requests } : {}),
    ...(promptTokens ? { prompt_tokens: promptTokens } : {}),
    ...(generationTokens ? { generation_tokens: generationTokens } : {}),
    latencies: compareLatencies(client, counts, sources),
    ...(queue ? { queue } : {}),
    ...(server.runningAtStart === undefined ? {} : { running_at_start: server.runningAtStart }),
    ...(server.runningAtEnd === undefined ? {} : { running_at_end: server.runningAtEnd }),
    ...(byEndpoint.length > 1 ? { requests_by_endpoint: byEndpoint } : {}),
    findings: findDiscrepancies(reconciled),
  };
}

/** Finds the server closest to the client that counts requests and tokens; otherwise, that counts requests or tokens. */
export function findServer(counts: ServerCounts, servers: ServerCatalog): ServerDefinition | undefined {
  const has = (metrics: readonly CountMetric[]): boolean => counts.sum(metrics) !== undefined;
  const counted = servers.frontendsFirst.map(server => ({
    server,
    hasRequests: has(server.reconciliation.requests),
    hasTokens: has(server.reconciliation.generationTokens),
  }));
  const best =
    counted.find(({ hasRequests, hasTokens }) => hasRequests && hasTokens) ??
    counted.find(({ hasRequests }) => hasRequests) ??
    counted.find(({ hasTokens }) => hasTokens);
  return best?.server;
}

/**
 * Finds the server whose tokens are compared with the client's: `server`; if it counts no output tokens, the only
 * server behind it that counts some. Of several kinds of servers, each may have counted a part of the tokens.
 */
export function findTokenServer(
  counts: ServerCounts,
  servers: ServerCatalog,
  server: ServerDefinition,
): ServerDefinition {
  const hasTokens = ({ reconciliation }: ServerDefinition): boolean =>
    counts.sum(reconciliation.generationTokens) !== undefined;
  if (hasTokens(server)) return server;
  const [other, ...others] = servers.servers.filter(hasTokens);
  return other && others.length === 0 ? other : server;
}

function getName({ exportName, name }: ServerDefinition): string {
  return exportName ?? name;
}

function compareRequests(
  { succeeded, failed, cancelled }: ClientSide,
  counts: ServerCounts,
  sources: ReconciliationMetrics,
): ComparedRequests | undefined {
  const ended = counts.sum(sources.requests);
  if (ended === undefined) return undefined;
  const unfinished = counts.sum(sources.unfinished) ?? 0;
  const server = ended - unfinished;
  return {
    client: succeeded,
    server,
    difference: server - succeeded,
    client_failed: failed,
    client_cancelled: cancelled,
    server_unfinished: unfinished,
  };
}

/**
 * Compares token counts. The client's counts are from `usage` in the responses if all responses contain it:
 * these counts must equal the servers' metrics, whereas the counts of a tokenizer may differ.
 */
function compareTokens(
  { blocks, succeeded, tokenizer }: ClientSide,
  counts: ServerCounts,
  frontend: ServerDefinition,
  tokenServer: ServerDefinition,
  kind: 'prompt' | 'generation',
): ComparedTokens | undefined {
  const { promptTokens, generationTokens } = tokenServer.reconciliation;
  const [usage, tokenized, metrics] =
    kind === 'prompt'
      ? [blocks.usage_prompt_tokens, blocks.input_sequence_length, promptTokens]
      : [blocks.usage_completion_tokens, blocks.output_sequence_length, generationTokens];
  const server = counts.sum(metrics);
  const isReported = usage?.count === succeeded;
  const client = isReported ? usage.sum : tokenized?.sum;
  if (server === undefined || client === undefined) return undefined;
  return {
    client,
    server,
    difference: server - client,
    client_source: isReported ? 'usage' : tokenizer,
    ...(tokenServer === frontend ? {} : { counted_by: getName(tokenServer) }),
  };
}

function compareLatencies(
  { blocks }: ClientSide,
  counts: ServerCounts,
  sources: ReconciliationMetrics,
): ComparedLatency[] {
  const pairs = [
    ['request_latency', counts.findLatency(sources.latency)],
    ['time_to_first_token', counts.findLatency(sources.firstToken)],
    ['inter_token_latency', counts.findLatency(sources.interToken)],
  ] as const;
  return pairs.flatMap(([metric, server]) => {
    const block = blocks[metric];
    if (!block || !server) return [];
    const clientMs = server.perToken ? computeMeanGapMs(blocks) : block.avg;
    if (clientMs === undefined) return [];
    const outsideMs = clientMs - server.avgMs;
    const isComparable = !server.perToken;
    const hasOtherRequests = isComparable && block.count !== undefined && block.count !== server.count;
    return [
      {
        metric,
        server_metric: server.name,
        client_avg_ms: clientMs,
        server_avg_ms: server.avgMs,
        outside_avg_ms: outsideMs,
        outside_share: clientMs > 0 ? outsideMs / clientMs : 0,
        ...(hasOtherRequests ? { client_count: block.count, server_count: server.count } : {}),
        ...(isComparable && server.p50Ms !== undefined
          ? { client_p50_ms: block.p50!, server_p50_estimate_ms: server.p50Ms }
          : {}),
        ...(isComparable && server.p99Ms !== undefined
          ? { client_p99_ms: block.p99!, server_p99_estimate_ms: server.p99Ms }
          : {}),
      },
    ];
  });
}

/**
 * Computes the client's mean over all gaps between tokens, as servers do. `inter_token_latency` is a mean
 * over requests instead.
 */
function computeMeanGapMs(blocks: ClientSide['blocks']): number | undefined {
  const { request_latency: latency, time_to_first_token: first, output_sequence_length: tokens } = blocks;
  if (latency?.sum === undefined || first?.sum === undefined || tokens?.sum === undefined) return undefined;
  if (first.count !== latency.count || tokens.count !== latency.count) return undefined;
  const gaps = tokens.sum - tokens.count!;
  return gaps > 0 ? (latency.sum - first.sum) / gaps : undefined;
}

function computeQueueing(
  { blocks }: ClientSide,
  counts: ServerCounts,
  sources: ReconciliationMetrics,
): Queueing | undefined {
  const queue = counts.findLatency(sources.queue);
  const latency = blocks.request_latency?.avg;
  if (!queue || !latency) return undefined;
  return { server_metric: queue.name, avg_ms: queue.avgMs, share: queue.avgMs / latency };
}
