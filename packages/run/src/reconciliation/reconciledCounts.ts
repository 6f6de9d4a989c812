import type { ComparedRequests, ComparedTokens, Reconciliation, ServerMetricsDocument } from '@org/formats';
import type { MetricBlock } from '@org/loadgen';
import type { Interruption } from './interruptions.ts';
import type { ClientRequests } from './openRequests.ts';

/** The client's measurements in the profiling period. */
export interface ClientSide {
  readonly blocks: Readonly<Record<string, MetricBlock>>;
  /** Numbers of requests by outcome. */
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /**
   * Number of warm-up requests that were cancelled. Servers may still have processed these requests during
   * profiling.
   */
  readonly warmupCutOff: number;
  /** Source of the client's token counts: the name of a tokenizer, or `server`. */
  readonly tokenizer: string;
  readonly requests: ClientRequests;
  /** True if a request may have several inputs, which servers may count as several requests. */
  readonly mayCombineInputs?: boolean;
}

/** The servers' metrics of the profiling period. */
export interface ServerSide {
  readonly document: ServerMetricsDocument;
  /** Number of running requests at the start of profiling, if a server reports it. */
  readonly runningAtStart?: number;
  /** Number of running requests at the end of profiling, if a server reports it. */
  readonly runningAtEnd?: number;
  /** URLs of endpoints that responded from several IP addresses. */
  readonly mixedEndpoints: readonly string[];
  /**
   * Present only for a killed run, for which the client's measurements exclude requests that ended after the
   * last scrape.
   */
  readonly killed?: {
    /** Number of requests that ended after the last scrape. */
    readonly unscraped: number;
  };
}

/** URLs of endpoints behind a load balancer that mixes the metrics of several replicas. */
export interface MixedReplicas {
  /** Endpoints that responded from several IP addresses. */
  readonly byAddress: readonly string[];
  /** Other endpoints whose counters decreased repeatedly. */
  readonly byCounters: readonly string[];
  /** The endpoints of both lists. */
  readonly urls: readonly string[];
}

/** Maximum number of counter resets in a run that server restarts explain. More resets indicate mixed replicas. */
const MAX_RESTARTS = 2;

/**
 * Detects mixed replicas from the endpoints with several addresses, and the numbers of counter resets by endpoint.
 * Resets after outages are restarts.
 */
export function detectMixedReplicas(
  byAddress: readonly string[],
  resets: ReadonlyMap<string, number>,
  resetsAfterOutages: ReadonlyMap<string, number> = new Map(),
): MixedReplicas {
  const decreasing = [...resets].flatMap(([url, count]) =>
    count - (resetsAfterOutages.get(url) ?? 0) > MAX_RESTARTS ? [url] : [],
  );
  const byCounters = decreasing.filter(url => !byAddress.includes(url));
  return { byAddress, byCounters, urls: [...byAddress, ...byCounters] };
}

/** The counts of client and servers, and their differences. */
export interface ReconciledCounts {
  readonly client: ClientSide;
  readonly server: ServerSide;
  readonly requests: ComparedRequests | undefined;
  readonly tokens: {
    readonly prompt: ComparedTokens | undefined;
    readonly generation: ComparedTokens | undefined;
  };
  readonly byEndpoint: NonNullable<Reconciliation['requests_by_endpoint']>;
  /** Numbers of counter resets, by endpoint. */
  readonly resets: ReadonlyMap<string, number>;
  /** Deaths, restarts and outages, which explain missing requests. */
  readonly interruptions: readonly Interruption[];
  /** Mixed replicas, and whether the counts exclude them. */
  readonly mixed: MixedReplicas & { readonly isExcluded: boolean };
}
