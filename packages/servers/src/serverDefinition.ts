import type { Formula } from './formula/formula.ts';
import type { Constant, MetricRole } from './role.ts';

/**
 * Detection rules, key metrics, roles and reconciled metrics of an inference server. A definition is plain data, read
 * from a YAML file; schemas/server-definition.1.schema.json describes the file, and the README explains how to add one.
 */
export interface ServerDefinition {
  /** Display name, such as `vLLM`. */
  readonly name: string;
  /** Name in `reconciliation.server` of profile exports, if it differs from `name`. */
  readonly exportName?: string;
  /** The page that documents the server's metrics. */
  readonly docs?: string;
  readonly recognize: Recognition;
  readonly kind: ServerKind;
  /** True if the process with the metrics page runs one event loop, which uses at most one core. */
  readonly isEventLoop?: boolean;
  /**
   * The label of a metric that names the component of a worker, such as `prefill`. Workers of different components
   * process different requests, so that their loads are not comparable.
   */
  readonly component?: ComponentLabel;
  /** A gauge with one series per worker of a router: 1 while the worker is registered. */
  readonly workerRegistration?: WorkerRegistration;
  /** The metrics that summaries show, in this order. */
  readonly keyMetrics: readonly KeyMetricDefinition[];
  /**
   * The metrics that findings are based on, by role. A queue (`waiting`) contains only requests that wait for
   * a free slot.
   */
  readonly roles: Readonly<Partial<Record<MetricRole, RoleMetric>>>;
  /** The counters of failed requests. A request must not be counted by two of them. */
  readonly failures: readonly FailureMetric[];
  /** The metrics to compare with the client's counts and latencies. */
  readonly reconciliation: ReconciliationMetrics;
  readonly stages?: StageMetrics;
  /** Counters of prompt tokens: `hits` counts tokens found in the prefix cache, `all` counts all tokens. */
  readonly promptTokenCache?: { readonly hits: CountMetric; readonly all: CountMetric };
  /** The names of the server's options, for advice. */
  readonly options?: ServerOptions;
  /** The info metric that describes the KV cache in its labels. */
  readonly kvCacheConfig?: KvCacheConfig;
  /** Metrics that are computed from roles, for all servers. */
  readonly formulas?: readonly Formula[];
  /** Values that formulas need and no server exports. */
  readonly constants?: Constants;
  /** The metrics with series that must not be added up, and those with a newer name, by name. */
  readonly metrics?: Readonly<Record<string, MetricOverlap>>;
}

/**
 * What a server does, in the order in which requests reach it: a gateway forwards requests of any kind, a frontend
 * forwards requests to engines, an engine computes them. A cache keeps KV cache for engines. A device is a GPU or
 * another part of a host.
 */
export type ServerKind = 'gateway' | 'frontend' | 'engine' | 'cache' | 'device';

/** How a metric repeats the values of others. The names of fields are as in the file. */
export interface MetricOverlap extends SeriesOverlap, VersionRange {
  /** The metric with the same values under its newer name. */
  readonly replaced_by?: string;
}

/** The versions of a server that have a metric. */
export interface VersionRange {
  /** The first version with the metric. */
  readonly since?: string;
  /** The last version with the metric. */
  readonly until?: string;
}

/** A label that names the component of a worker. */
export interface ComponentLabel {
  /** A metric of every worker. */
  readonly metric: string;
  readonly label: string;
  /** The values that name a component; all values by default. */
  readonly values?: readonly string[];
}

/** How the series of a metric count the same requests more than once. */
export interface SeriesOverlap {
  /** The series whose label has this value contains the values of all series with other values of the label. */
  readonly total?: { readonly label: string; readonly value: string };
  /** Labels of ranks that report the same values again, such as tensor-parallel ranks. */
  readonly repeats?: readonly string[];
}

/** The metrics that show that an endpoint belongs to a kind of server. One of them is sufficient. */
export interface Recognition {
  /** Prefixes of the names of the server's metrics. Screens that name the server omit them. */
  readonly prefixes: readonly string[];
  /** Whole names of metrics, for servers whose metrics have no common prefix. */
  readonly metrics?: readonly string[];
  /** Prefixes that replace those in `prefixes` where metrics were renamed, such as by a monitoring system. */
  readonly renamed?: readonly string[];
  /** Labels of which the metrics have at least one. They tell them from metrics of others with the same names. */
  readonly labels?: readonly string[];
  /** The metrics that state the version of the server; empty if its known pages do not have it. */
  readonly buildInfo?: readonly BuildInfo[];
}

/** A metric whose labels state the version of a server. */
export interface BuildInfo {
  readonly metric: string;
  /** The label with the version. */
  readonly version: string;
  /** All labels that the metric must have. */
  readonly labels?: readonly string[];
}

/** A gauge of registered workers, and the names of its labels. */
export interface WorkerRegistration {
  readonly metric: string;
  /** Labels that name the worker, most specific first. */
  readonly workers: readonly string[];
  /** Label with the type of the worker, such as `prefill`. */
  readonly type: string;
}

/** The options of a server that limit its load. */
export interface ServerOptions {
  /** Maximum number of requests in a batch. */
  readonly maxRunning?: string;
  /** Share of GPU memory that the server may use. */
  readonly memory?: string;
  /** Fixed size of the KV cache in bytes, which makes `memory` ineffective. */
  readonly memoryBytes?: string;
  /** Fixed number of blocks of the KV cache, which replaces the computed number. */
  readonly blocks?: string;
}

/** An info metric and the names of its labels. */
export interface KvCacheConfig {
  readonly metric: string;
  /** Label with the number of blocks, of all data-parallel ranks together. */
  readonly blocks: string;
  /** Label with the number of tokens in a block. */
  readonly blockTokens: string;
  /** Label with the number of tokens that the cache of one rank holds; older versions do not have it. */
  readonly tokens: string;
  /** Label with the number of blocks that the user set; `None` if the server computed it. */
  readonly fixedBlocks: string;
  /** Label with the share of GPU memory that the server may use. */
  readonly memory: string;
  /** Label with the fixed size of the cache in bytes; `None` if the server computed it from the share of memory. */
  readonly memoryBytes: string;
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

/** The constants that are known, by name. */
export type Constants = Readonly<Partial<Record<Constant, number>>>;

/**
 * The metrics of a role, and the operation that reduces their series on an endpoint to one number:
 *
 * - `sum`: gauges are added
 * - `max`: the largest gauge is used; values above 1.5 are percentages
 * - `mean`: gauges are averaged; a mean above 1.5 is a percentage
 * - `total`: the increases of counters are added
 * - `observed`: the sums of histograms are added
 * - `count`: the numbers of observations of histograms are added
 * - `busy`: a counter of microseconds spent on requests, whose rate is the mean number of requests (Little's law)
 * - `p99`: the percentiles of each histogram are used; histograms are not combined
 */
export interface RoleMetric {
  /** In order of preference: on each endpoint, the first metric that exists is used. */
  readonly metrics: readonly string[];
  /** Set if the metrics count different requests, so that all of them are added. */
  readonly addsMetrics?: true;
  readonly operation: 'sum' | 'max' | 'mean' | 'total' | 'observed' | 'count' | 'busy' | 'p99';
  /** Set if the metric is an info metric: the label with the value. */
  readonly valueLabel?: string;
  /** Set if the metric is 0 while the server does not use the feature. */
  readonly zeroIsAbsent?: true;
  /** Restricts the role to series whose label has one of the values. */
  readonly where?: LabelFilter;
}

/** A counter of failed requests, by cause. */
export interface FailureMetric {
  readonly metric: string;
  /** The label whose value is the cause. */
  readonly causeLabel?: string;
  /** The cause if there is no label, or if its value is empty. */
  readonly cause: string;
  /** Restricts the counter to series of failed requests. */
  readonly where?: LabelFilter;
  /** Causes of requests that their clients cancelled; the server did not fail. */
  readonly cancellations?: readonly string[];
}

/** Selects series by the value of a label. The empty value also selects series without the label. */
export interface LabelFilter {
  readonly label: string;
  readonly values: readonly string[];
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

/**
 * Histograms of the stages of a request, with one observation per request that ended. A server without them may still
 * measure the time to the first token and in the queue.
 */
export interface StageMetrics {
  /** Time in a frontend before it selects an engine, such as for templates and tokenization. */
  readonly preprocess?: readonly LatencyMetric[];
  /** Time in which a frontend selects an engine. */
  readonly route?: readonly LatencyMetric[];
  /** Time in a frontend from the departure of a request to an engine to the arrival of its first token. */
  readonly roundTrip?: readonly LatencyMetric[];
  /** Time from the start of the computation to the first token. */
  readonly prefill?: readonly LatencyMetric[];
  /** Time from the first to the last token. */
  readonly decode?: readonly LatencyMetric[];
  /** Transfers of KV cache between engines, which overlap with a stage. */
  readonly transfer?: readonly TransferMetric[];
}

/** A histogram of transfers of KV cache, with one observation per transfer. */
export interface TransferMetric {
  readonly name: string;
  /** Number of milliseconds in one unit of the metric. */
  readonly unitMs: number;
  /** The stage that a request is in during its transfer. */
  readonly within: 'queue' | 'prefill';
}

/** A count: the total of a counter, or the number or the sum of a histogram's observations. */
export interface CountMetric {
  readonly name: string;
  readonly of: 'total' | 'count' | 'sum';
  /** Further metrics that count other parts of the same amount, and are added. */
  readonly plus?: readonly string[];
  /** Restricts the count to series whose label has one of the values. */
  readonly where?: LabelFilter;
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
  /** Restricts the metric to series whose label has one of the values. */
  readonly where?: LabelFilter;
}
