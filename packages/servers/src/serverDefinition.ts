/**
 * Detection rules and key metrics of an inference server. A definition is plain data:
 * see the README on adding one.
 */
export interface ServerDefinition {
  /** Name for people, such as `vLLM`. */
  readonly name: string;
  /** Name in `reconciliation.server` of profile exports, if it differs from `name`. */
  readonly exportName?: string;
  /** An endpoint belongs to this kind of server if the name of any of its metrics starts with one of these. */
  readonly metricPrefixes: readonly string[];
  /** True if the server forwards requests to other servers. A frontend is nearer to the client, so its counts are compared first. */
  readonly isFrontend?: boolean;
  /** The key metrics: those that summaries show, in this order. */
  readonly keyMetrics: readonly KeyMetricDefinition[];
  /** The metrics that findings read, by role. */
  readonly roles: Readonly<Partial<Record<MetricRole, RoleMetric>>>;
  /** The metrics that the client's counts and latencies are compared with. */
  readonly reconciliation: ReconciliationMetrics;
  /** Counters of prompt tokens: those found in the prefix cache, and all of them. */
  readonly promptTokenCache?: { readonly hits: string; readonly all: string };
}

/** The statistic that describes a key metric best. */
export type KeyStat = 'avg' | 'max' | 'total' | 'rate' | 'p99_estimate';

/** A key metric of a server. Metric names are as in the exports: counters without `_total`. */
export interface KeyMetricDefinition {
  readonly name: string;
  readonly stat: KeyStat;
  /** A description of the metric, in a few words. */
  readonly meaning: string;
  /** Present for the few metrics that the live line of a run shows. */
  readonly headline?: Headline;
}

/** A metric on the live line: a label and how the series of several engines or endpoints are combined. */
export interface Headline {
  readonly label: string;
  readonly operation: 'sum' | 'max';
}

/** The meaning of a metric, independent of the server's names. */
export type MetricRole =
  | 'running'
  | 'waiting'
  | 'kvCacheUsage'
  | 'preemptions'
  | 'completedRequests'
  | 'failedRequests'
  | 'outputTokens'
  | 'cacheHits'
  | 'cacheMisses'
  | 'cacheQueries'
  | 'cacheHitRate'
  | 'requestLatency'
  | 'timeToFirstToken'
  | 'interTokenLatency';

/**
 * The metric of a role, and the operation that makes one number of its series on an endpoint:
 *
 * - `sum`: gauges are added
 * - `max`: the fullest gauge counts; values above 1.5 are percentages
 * - `mean`: gauges are averaged; a mean above 1.5 is a percentage
 * - `total`: the increases of counters are added
 * - `busy`: a counter of microseconds spent on requests, whose rate is the mean number of requests (Little's law)
 * - `p99`: each histogram is read by itself, by its percentiles
 */
export interface RoleMetric {
  readonly metric: string;
  readonly operation: 'sum' | 'max' | 'mean' | 'total' | 'busy' | 'p99';
}

/** Counts and latencies of a server to compare with the client's. Of several metrics, the first one that exists is used. */
export interface ReconciliationMetrics {
  /** Requests that ended, successfully or not. */
  readonly requests: readonly CountMetric[];
  /** The subset of `requests` that failed or was cancelled. */
  readonly unfinished: readonly CountMetric[];
  readonly promptTokens: readonly CountMetric[];
  readonly generationTokens: readonly CountMetric[];
  readonly latency: readonly LatencyMetric[];
  readonly firstToken: readonly LatencyMetric[];
  readonly interToken: readonly LatencyMetric[];
  readonly queue: readonly LatencyMetric[];
  /** Gauges of requests in flight. */
  readonly running: readonly string[];
}

/** A count: a counter's total, or the observations of a histogram or their sum. */
export interface CountMetric {
  readonly name: string;
  readonly of: 'total' | 'count' | 'sum';
  /** Restricts the count to series that have one of the values in a label. */
  readonly where?: { readonly label: string; readonly values: readonly string[] };
}

/** A latency: a histogram, or a counter of time to be divided by a counter of requests. */
export interface LatencyMetric {
  readonly name: string;
  /** Milliseconds in one unit of the metric. */
  readonly unitMs: number;
  /** The counter to divide by, if the metric is a counter of time. */
  readonly by?: string;
  /** The subject of one observation, if not a request. */
  readonly per?: 'token';
}
