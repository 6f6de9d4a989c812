import type { ServerMetricsDocument } from '@org/formats';
import { isForwarder, type ServerCatalog, type ServerDefinition } from '@org/servers';
import { findServer, findTokenServer } from './reconcile.ts';
import { ServerCounts } from './serverCounts.ts';

/** The server metrics of a run, and the servers whose metrics are understood. */
export interface CountedServers {
  readonly document: ServerMetricsDocument;
  readonly catalog: ServerCatalog;
}

/** Requests and tokens that the servers of a run counted in the profiling period. */
export interface ServedTokens {
  /** Successful requests. */
  readonly requests: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** Counts requests and tokens by the servers closest to the clients; undefined if no server counts any. */
export function countServedTokens({ document, catalog }: CountedServers): ServedTokens | undefined {
  const counts = new ServerCounts(document, catalog);
  const server = findServer(counts, catalog);
  if (!server) return undefined;
  const sources = server.reconciliation;
  const tokens = findTokenServer(counts, catalog, server).reconciliation;
  const ended = counts.sum(sources.requests);
  return {
    requests: ended === undefined ? undefined : ended - (counts.sum(sources.unfinished) ?? 0),
    inputTokens: counts.sum(tokens.promptTokens),
    outputTokens: counts.sum(tokens.generationTokens),
  };
}

/** Counts the output tokens of each engine, by the URL of its endpoint; of the frontends if no engine counts them. */
export function countOutputTokens({ document, catalog }: CountedServers): ReadonlyMap<string, number> {
  const { servers } = catalog;
  const counts = new ServerCounts(document, catalog);
  const sum = (definitions: readonly ServerDefinition[]): Map<string, number> =>
    new Map(
      definitions.flatMap(({ reconciliation }) => [...counts.sumByEndpoint(reconciliation.generationTokens)]),
    );
  const engines = sum(servers.filter(({ kind }) => kind === 'engine'));
  return engines.size > 0 ? engines : sum(servers.filter(isForwarder));
}
