import type {
  ComparedLatency,
  ComparedRequests,
  ComparedTokens,
  Queueing,
  Reconciliation,
} from '@org/formats';
import { type ReconciliationMetrics, SERVERS_FROM_CLIENT, type ServerDefinition } from '@org/servers';
import { type CountsAndContext, findingsOf } from './findings.ts';
import { mixedEndpoints } from './mixed.ts';
import { ServerReading } from './reading.ts';
import type { ClientSide, ServerContext } from './sides.ts';

/** Holds the client's figures against the servers' own; undefined when no server of a known kind gave data. */
export function reconcile(client: ClientSide, server: ServerContext): Reconciliation | undefined {
  const whole = new ServerReading(server.document);
  const mixed = mixedEndpoints(server.mixedEndpoints, whole.resets);
  const kind = findServer(whole);
  if (!kind) return undefined;
  const sources = kind.reconciliation;
  // Where replicas are scraped by themselves, too, what a load balancer gives of them by turns is left out.
  const others = new ServerReading(server.document, mixed.all);
  const isLeftOut = mixed.all.length > 0 && findServer(others) === kind;
  const reading = isLeftOut ? others : whole;
  const requests = requestsOf(client, reading, sources);
  const promptTokens = tokensOf(client, reading.amount(sources.promptTokens), 'prompt');
  const generationTokens = tokensOf(client, reading.amount(sources.generationTokens), 'generation');
  const byEndpoint = [...reading.amountByEndpoint(sources.requests)].map(([endpoint_url, amount]) => ({
    endpoint_url,
    requests: amount,
  }));
  const context: CountsAndContext = {
    client,
    server,
    requests,
    tokens: { prompt: promptTokens, generation: generationTokens },
    byEndpoint,
    resets: reading.resets,
    mixed: { ...mixed, isLeftOut },
  };
  const queue = queueOf(client, reading, sources);
  return {
    server: kind.exportName ?? kind.name,
    ...(requests ? { requests } : {}),
    ...(promptTokens ? { prompt_tokens: promptTokens } : {}),
    ...(generationTokens ? { generation_tokens: generationTokens } : {}),
    latencies: latenciesOf(client, reading, sources),
    ...(queue ? { queue } : {}),
    ...(server.runningAtStart === undefined ? {} : { running_at_start: server.runningAtStart }),
    ...(server.runningAtEnd === undefined ? {} : { running_at_end: server.runningAtEnd }),
    ...(byEndpoint.length > 1 ? { requests_by_endpoint: byEndpoint } : {}),
    findings: findingsOf(context),
  };
}

function findServer(reading: ServerReading): ServerDefinition | undefined {
  return SERVERS_FROM_CLIENT.find(
    ({ reconciliation }) => reading.amount(reconciliation.requests) !== undefined,
  );
}

function requestsOf(
  { succeeded, failed, cancelled }: ClientSide,
  reading: ServerReading,
  sources: ReconciliationMetrics,
): ComparedRequests | undefined {
  const ended = reading.amount(sources.requests);
  if (ended === undefined) return undefined;
  const unfinished = reading.amount(sources.unfinished) ?? 0;
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

/** What the server reported for each request counts, where it did so for all: tokenizers differ, its own counts must not. */
function tokensOf(
  { blocks, succeeded, tokenizer }: ClientSide,
  server: number | undefined,
  kind: 'prompt' | 'generation',
): ComparedTokens | undefined {
  const [usage, own] =
    kind === 'prompt'
      ? [blocks.usage_prompt_tokens, blocks.input_sequence_length]
      : [blocks.usage_completion_tokens, blocks.output_sequence_length];
  const isReported = usage?.count === succeeded;
  const client = isReported ? usage.sum : own?.sum;
  if (server === undefined || client === undefined) return undefined;
  return {
    client,
    server,
    difference: server - client,
    client_source: isReported ? 'usage' : tokenizer,
  };
}

function latenciesOf(
  { blocks }: ClientSide,
  reading: ServerReading,
  sources: ReconciliationMetrics,
): ComparedLatency[] {
  const pairs = [
    ['request_latency', reading.latency(sources.latency)],
    ['time_to_first_token', reading.latency(sources.firstToken)],
    ['inter_token_latency', reading.latency(sources.interToken)],
  ] as const;
  return pairs.flatMap(([metric, server]) => {
    const block = blocks[metric];
    if (!block || !server) return [];
    const clientMs = server.perToken ? meanGapMs(blocks) : block.avg;
    if (clientMs === undefined) return [];
    const outside = clientMs - server.avgMs;
    const isComparable = !server.perToken;
    return [
      {
        metric,
        server_metric: server.name,
        client_avg_ms: clientMs,
        server_avg_ms: server.avgMs,
        outside_avg_ms: outside,
        outside_share: clientMs > 0 ? outside / clientMs : 0,
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

/** The mean over all gaps between tokens, as servers have it; the metric is a mean over requests. */
function meanGapMs(blocks: ClientSide['blocks']): number | undefined {
  const { request_latency: latency, time_to_first_token: first, usage_completion_tokens: usage } = blocks;
  const tokens = usage?.count === latency?.count ? usage : blocks.output_sequence_length;
  if (latency?.sum === undefined || first?.sum === undefined || tokens?.sum === undefined) return undefined;
  if (first.count !== latency.count || tokens.count !== latency.count) return undefined;
  const gaps = tokens.sum - tokens.count!;
  return gaps > 0 ? (latency.sum - first.sum) / gaps : undefined;
}

function queueOf(
  { blocks }: ClientSide,
  reading: ServerReading,
  sources: ReconciliationMetrics,
): Queueing | undefined {
  const queue = reading.latency(sources.queue);
  const latency = blocks.request_latency?.avg;
  if (!queue || !latency) return undefined;
  return { server_metric: queue.name, avg_ms: queue.avgMs, share: queue.avgMs / latency };
}
