import type { Finding } from '@org/analysis';
import type { Fact } from '../html/factList.ts';
import type { TimeChart, TimeMarks } from '../svg/timeChartModel.ts';
import type { Scope } from './comparison/model/scope.ts';
import type { HeatMap, Ladder } from './model/distributions.ts';
import type { ReplicaRow } from './model/replica.ts';
import type { RequestDots } from './model/requestDots.ts';
import type { Tile } from './model/tile.ts';
import type { TimeSplit } from './model/timeSplit.ts';
import type { Verdict } from './model/verdict.ts';

/**
 * The data of the page of a run. Text from servers is not escaped: whatever writes markup escapes it, and scripts insert
 * it as text.
 */
export interface ReportDocument {
  readonly title: string;
  /** The load and the servers in words. */
  readonly subtitle: string;
  readonly verdict: Verdict;
  readonly tiles: readonly Tile[];
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
  readonly endpoints: readonly EndpointRow[];
  /** In the order of their numbers on the time axis. */
  readonly findings: readonly ReportFinding[];
  readonly client?: ClientSection;
  readonly timeline?: Timeline;
  /** True if there is no timeline, because the run is too short for it. */
  readonly isTooShort?: boolean;
  readonly split?: TimeSplit;
  readonly heatMaps: readonly HeatMap[];
  readonly ladders: readonly Ladder[];
  readonly replicas: readonly ReplicaRow[];
  readonly requests?: RequestDots;
  /** The run that the page compares with, and what may be compared. */
  readonly baseline?: { readonly name: string; readonly scope: Scope };
  readonly comparison?: ComparisonTable;
  readonly series: SeriesTable;
}

/** A finding with the time in which it can be seen. */
export type ReportFinding = Finding & {
  readonly intervals: readonly (readonly [from: number, to: number])[];
};

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
  /** Name of the server that counted, if another server counted the requests. */
  readonly counted_by?: string;
}

/** Charts with a common time axis. */
export interface Timeline {
  /** The source of the data, such as `all scrapes` or `timeslices`. */
  readonly source: string;
  /** The width of a point of the charts, and of a point of percentiles, in seconds. */
  readonly step: number;
  readonly sliceStep: number;
  /** The visible range, in seconds since the start of profiling. */
  readonly range: readonly [from: number, to: number];
  /** 0 s as an ISO 8601 timestamp: the start of profiling or, if it is unknown, the first scrape. */
  readonly start: string;
  readonly marks: TimeMarks;
  /** The load and the answers, and what the servers did. */
  readonly columns: readonly [Column, Column];
  /** Charts of further metrics. */
  readonly more: readonly TimeChart[];
  /** The meaning of metrics by name, in sentences. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Names of metrics that were always 0. */
  readonly zero: readonly string[];
}

/** A column of charts. */
export interface Column {
  readonly title: string;
  readonly charts: readonly TimeChart[];
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
