import type { Finding } from '@org/analysis';

/**
 * The data of a report page. It is embedded as JSON and drawn by the scripts of the page. Text from servers is not
 * escaped, because scripts insert it as text.
 */
export interface ReportDocument {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
  readonly endpoints: readonly EndpointRow[];
  readonly findings: readonly Finding[];
  readonly client?: ClientSection;
  readonly timeline?: Timeline;
  readonly percentiles: readonly PercentileChart[];
  readonly comparison?: ComparisonTable;
  readonly series: SeriesTable;
}

/** A name and its value in the header of the page. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** A row of the endpoint table. `scrapes`, `failed` and `late` are numbers of scrapes. */
export interface EndpointRow {
  readonly name: string;
  readonly url: string;
  readonly state: string;
  readonly scrapes?: number;
  readonly failed?: number;
  readonly late?: number;
  /** The mean latency of a scrape, in milliseconds. */
  readonly latencyMs?: number;
  readonly lastError?: string;
}

/** The metrics of the load generator, and their reconciliation with the metrics of the servers. */
export interface ClientSection {
  readonly metrics: readonly {
    readonly name: string;
    readonly unit: string;
    readonly stats: Readonly<Record<string, number>>;
  }[];
  readonly reconciliation?: Reconciliation;
}

/** The block `reconciliation` of a profile export; its schema describes the fields. */
export interface Reconciliation {
  readonly server: string;
  readonly requests?: ComparedCount;
  readonly prompt_tokens?: ComparedCount;
  readonly generation_tokens?: ComparedCount;
  readonly latencies: readonly {
    readonly metric: string;
    readonly client_avg_ms: number;
    readonly server_avg_ms: number;
    readonly outside_avg_ms: number;
    readonly outside_share: number;
  }[];
  readonly queue?: { readonly avg_ms: number; readonly share: number };
  readonly findings: readonly { readonly kind: string; readonly message: string }[];
}

/** A count as measured by the client and by the server. */
interface ComparedCount {
  readonly client: number;
  readonly server: number;
  readonly difference: number;
}

/** Charts with a common time axis. */
export interface Timeline {
  /** The source of the data, such as `all scrapes` or `timeslices`. */
  readonly source: string;
  /** The middle of each bin, in seconds since the start of the axis. */
  readonly seconds: readonly number[];
  /** The width of a bin, in seconds. */
  readonly binSeconds: number;
  /** The start of the axis (0 s), as an ISO 8601 timestamp. */
  readonly start: string;
  /** The profiling period, in seconds since the start of the axis. The warm-up precedes it. */
  readonly profiling?: readonly [from: number, to: number];
  /** Marks recorded with `servelens mark`. */
  readonly marks: readonly { readonly seconds: number; readonly text: string }[];
  readonly charts: readonly TimeChart[];
  readonly heatmaps: readonly Heatmap[];
}

/** A chart of a metric over time. */
export interface TimeChart {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string | null;
  /** Suffix of the unit: `/s` for rates, otherwise empty. */
  readonly unitSuffix: string;
  /** `client` for metrics of the load generator; absent for server metrics. */
  readonly side?: 'client';
  /** The operation that combines the values of all endpoints into `all`. */
  readonly combined: 'sum' | 'mean' | 'max';
  /** One value per bin, over all endpoints; null if unknown. */
  readonly all: readonly (number | null)[];
  /** The values of each endpoint; absent if there is only one endpoint. */
  readonly endpoints?: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** The number of observations of a histogram per bin and bucket, over all endpoints. */
export interface Heatmap {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string | null;
  /** Upper bounds of the buckets, in ascending order; null for +Inf. */
  readonly bounds: readonly (number | null)[];
  /** Counts indexed by bin and bucket; not cumulative. */
  readonly counts: readonly (readonly number[])[];
}

/** The estimated percentiles of a histogram, with their guaranteed bounds. */
export interface PercentileChart {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string | null;
  readonly percents: readonly number[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
    readonly low: readonly (number | null)[];
    readonly high: readonly (number | null)[];
  }[];
}

/** The comparison with the baseline. */
export interface ComparisonTable {
  readonly base: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly rows: readonly {
    /** Name of the variation; absent outside of sweeps. */
    readonly variation?: string;
    readonly metric: string;
    readonly labels: string;
    readonly stat: string;
    readonly unit: string | null;
    readonly verdict: string;
    readonly base: number;
    readonly new: number;
    readonly change: number | null;
    readonly noise: number | null;
  }[];
  /** The number of omitted rows. */
  readonly more: number;
}

/** All series, one per row. Text cells are indices into `texts`, so that the page contains each text once. */
export interface SeriesTable {
  readonly columns: readonly string[];
  readonly texts: readonly string[];
  /** The indices of metric, type, endpoint, labels and unit in `texts`, followed by the values. */
  readonly rows: readonly (readonly (number | null)[])[];
  /** The number of omitted series. */
  readonly more: number;
}
