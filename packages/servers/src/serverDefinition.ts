/**
 * Detection rules, key metrics, roles and reconciled metrics of an inference server. A definition is plain
 * data; the README explains how to add one.
 */
export interface ServerDefinition {
  /** Display name, such as `vLLM`. */
  readonly name: string;
  /** Name in `reconciliation.server` of profile exports, if it differs from `name`. */
  readonly exportName?: string;
  /**
   * Prefixes of metric names. An endpoint belongs to this kind of server if the name of any of its metrics
   * starts with one of the prefixes.
   */
  readonly metricPrefixes: readonly string[];
  /**
   * True if the server forwards requests to other servers. A frontend is closer to the client, so its counts
   * are compared first.
   */
  readonly isFrontend?: boolean;
  /** The metrics that summaries show, in this order. */
  readonly keyMetrics: readonly KeyMetricDefinition[];
  /** The metrics that findings are based on, by role. */
  readonly roles: Readonly<Partial<Record<MetricRole, RoleMetric>>>;
  /** The metrics to compare with the client's counts and latencies. */
  readonly reconciliation: ReconciliationMetrics;
  /** Counters of prompt tokens: `hits` counts tokens found in the prefix cache, `all` counts all tokens. */
  readonly promptTokenCache?: { readonly hits: string; readonly all: string };
}

/** The statistic that describes a key metric best. */
export type KeyStat = 'avg' | 'max' | 'total' | 'rate' | 'p99_estimate';

/** A key metric of a server. Metric names are spelled as in the exports: counters without `_total`. */
export interface KeyMetricDefinition {
  readonly name: string;
  readonly stat: KeyStat;
  /** A description of the metric, in a few words. */
  readonly meaning: string;
  /** Set for the metrics that the live line of a run shows. */
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
 * The metric of a role, and the operation that reduces its series on an endpoint to one number:
 *
 * - `sum`: gauges are added
 * - `max`: the largest gauge is used; values above 1.5 are percentages
 * - `mean`: gauges are averaged; a mean above 1.5 is a percentage
 * - `total`: the increases of counters are added
 * - `busy`: a counter of microseconds spent on requests, whose rate is the mean number of requests (Little's law)
 * - `p99`: the percentiles of each histogram are used; histograms are not combined
 */
export interface RoleMetric {
  readonly metric: string;
  readonly operation: 'sum' | 'max' | 'mean' | 'total' | 'busy' | 'p99';
}

/**
 * Counts and latencies of a server to compare with the client's. From each list, the first metric that the
 * server exposes is used.
 */
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

/** A count: the total of a counter, or the number or the sum of a histogram's observations. */
export interface CountMetric {
  readonly name: string;
  readonly of: 'total' | 'count' | 'sum';
  /** Restricts the count to series whose label has one of the values. */
  readonly where?: { readonly label: string; readonly values: readonly string[] };
}

/** A latency: a histogram, or a counter of time divided by a counter of requests. */
export interface LatencyMetric {
  readonly name: string;
  /** Number of milliseconds in one unit of the metric. */
  readonly unitMs: number;
  /** The counter to divide by, if the metric is a counter of time. */
  readonly by?: string;
  /** Set if each observation measures a gap between two tokens instead of a request. */
  readonly per?: 'token';
}
