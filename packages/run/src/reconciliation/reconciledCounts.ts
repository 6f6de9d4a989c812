import type { ComparedRequests, ComparedTokens, Reconciliation, ServerMetricsDocument } from '@org/formats';
import type { MetricBlock } from '@org/loadgen';

/** The client's measurements in the profiling period. */
export interface ClientSide {
  readonly blocks: Readonly<Record<string, MetricBlock>>;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Number of warm-up requests that were cancelled. Servers may have continued to process them during profiling. */
  readonly warmupCutOff: number;
  /** Source of the token counts: the name of a tokenizer, or `server`. */
  readonly tokenizer: string;
}

/** The servers' metrics of the profiling period. */
export interface ServerSide {
  readonly document: ServerMetricsDocument;
  /** Number of running requests at the start of profiling, if a server reports it. */
  readonly runningAtStart?: number;
  readonly runningAtEnd?: number;
  /** URLs of endpoints that responded from several IP addresses. */
  readonly mixedEndpoints: readonly string[];
  /** Present if the run was killed. The client's side then consists of the requests that ended before the last scrape. */
  readonly killed?: {
    /** Number of requests that ended after the last scrape. */
    readonly unscraped: number;
  };
}

/** URLs of endpoints behind a load balancer that mixes the metrics of several replicas. */
export interface MixedReplicas {
  /** Endpoints that responded from several IP addresses. */
  readonly byAddress: readonly string[];
  /** Other endpoints whose counters fell repeatedly. */
  readonly byCounters: readonly string[];
  readonly all: readonly string[];
}

/** More resets than this in one run are not restarts of a server. */
const MAX_RESTARTS = 2;

/** Detects mixed replicas from the endpoints with several addresses and the numbers of counter resets by endpoint. */
export function detectMixedReplicas(
  byAddress: readonly string[],
  resets: ReadonlyMap<string, number>,
): MixedReplicas {
  const falling = [...resets].flatMap(([url, count]) => (count > MAX_RESTARTS ? [url] : []));
  const byCounters = falling.filter(url => !byAddress.includes(url));
  return { byAddress, byCounters, all: [...byAddress, ...byCounters] };
}

/** The compared counts of client and servers. */
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
  /** Mixed replicas, and whether the counts exclude them. */
  readonly mixed: MixedReplicas & { readonly isExcluded: boolean };
}
