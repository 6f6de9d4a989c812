import type { Finding } from '@org/analysis';

/**
 * What the page of `report` shows, as data: the page has it as JSON, and its scripts draw it. All text in it that came
 * from servers is as they said it; whoever draws it treats it as text.
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

/** One line of the head: what, and what it was. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

export interface EndpointRow {
  readonly name: string;
  readonly url: string;
  readonly state: string;
  readonly scrapes?: number;
  readonly failed?: number;
  readonly late?: number;
  readonly latencyMs?: number;
  readonly lastError?: string;
}

/** What the load generator measured, and how it agrees with what the servers counted. */
export interface ClientSection {
  readonly metrics: readonly {
    readonly name: string;
    readonly unit: string;
    readonly figures: Readonly<Record<string, number>>;
  }[];
  readonly reconciliation?: ClientAndServer;
}

/** The block `reconciliation` of a profile export; its schema says what its fields are. */
export interface ClientAndServer {
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

interface ComparedCount {
  readonly client: number;
  readonly server: number;
  readonly difference: number;
}

/** Everything that is drawn over time, on one axis. */
export interface Timeline {
  /** What it was made of: `every scrape`, `samples of the period` or `timeslices`. */
  readonly source: string;
  /** Middle of each bin, s since the start of the axis. */
  readonly seconds: readonly number[];
  readonly binSeconds: number;
  /** ISO time at 0 s. */
  readonly start: string;
  /** The profiling period on this axis, s; what lies before is warm-up, behind it what came after the load. */
  readonly profiling?: readonly [from: number, to: number];
  readonly marks: readonly { readonly seconds: number; readonly text: string }[];
  readonly charts: readonly TimeChart[];
  readonly heatmaps: readonly Heatmap[];
}

/** One metric over time. */
export interface TimeChart {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string | null;
  /** Words behind the unit: `/s` for rates. */
  readonly per: string;
  /** `client` for what the load generator measured; absent for what servers said of themselves. */
  readonly side?: 'client';
  /** How endpoints became `all`. */
  readonly combined: 'sum' | 'mean' | 'max';
  readonly all: readonly (number | null)[];
  /** Absent where there is one endpoint. */
  readonly endpoints?: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** Observations of a histogram by time and bucket, of all endpoints. */
export interface Heatmap {
  readonly name: string;
  readonly meaning: string;
  readonly unit: string | null;
  /** Upper bounds in ascending order; the last one may be null, which is +Inf. */
  readonly bounds: readonly (number | null)[];
  /** By bin, then by bucket; not cumulative. */
  readonly counts: readonly (readonly number[])[];
}

/** Estimated percentiles of a histogram, and between which values they certainly lie. */
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

export interface ComparisonTable {
  readonly base: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly rows: readonly {
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
  /** How many more there are in the files. */
  readonly more: number;
}

/** Every series in a row of cells; `texts` are by their number. */
export interface SeriesTable {
  readonly columns: readonly string[];
  readonly texts: readonly string[];
  /** Number of metric, type, endpoint, labels and unit in `texts`, and then the figures. */
  readonly rows: readonly (readonly (number | null)[])[];
  readonly more: number;
}
