import type { EndpointStore, Series } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import type { ServerCatalog } from '@org/servers';

type Summary = ServerMetricsDocument['summary'];

/** A period of consecutive failed scrapes. Field names are those of the JSON export, as in all records of this file. */
export interface OutageRecord {
  readonly start_ns: bigint;
  /** Absent if the run ended before the next successful scrape. */
  readonly end_ns?: bigint;
  /** Number of failed scrapes. */
  readonly scrapes: number;
  readonly reason: string;
  readonly message: string;
}

/** A counter reset, detected between two samples. */
export interface ResetRecord {
  /** The first sample after the reset. */
  readonly at_ns: bigint;
  /** The last sample before the reset. */
  readonly previous_ns: bigint;
  /** Number of counters that were reset. */
  readonly counters: number;
  /** True if the start time of the process changed, or its uptime fell; absent otherwise. */
  readonly process_restarted?: boolean;
}

/** Conclusions of the run's first export about the starts of series, which the samples of an export do not contain. */
export interface ExportedStarts {
  /** Reports whether a series was created in the run, with the value 0. */
  readonly wasCreated: (series: Series) => boolean;
  readonly resets: readonly ResetRecord[];
}

/** A change of the IP address that an endpoint's host name resolves to. */
export interface AddressChangeRecord {
  readonly at_ns: bigint;
  readonly from: string;
  readonly to: string;
}

/** The cost and the frequency of an endpoint's scrapes. */
export interface CostRecord {
  /** Absent if no scrape received a response. */
  readonly scrape_latency_p50_ms?: number;
  readonly scrape_latency_p99_ms?: number;
  readonly bytes_per_scrape?: number;
  readonly bytes_decoded: number;
  readonly decoded_bytes_per_scrape?: number;
  readonly configured_interval_ms: number;
  readonly effective_interval_ms: number;
  /** The longest interval used during the run. */
  readonly max_interval_ms: number;
  /** Number of times the interval was increased. */
  readonly interval_backoffs: number;
}

/**
 * The timestamps of an endpoint's barrier samples at the start and the end of the profiling period, in Unix
 * nanoseconds. See docs/decisions/0022-barrier-scrapes.md
 */
export interface BoundarySamples {
  readonly baseline_ns?: bigint;
  readonly closing_ns?: bigint;
}

/** A mark that another program sent during the run (`servelens mark`). */
export type MarkRecord = NonNullable<Summary['marks']>[number];

/** A wait for server counters to stop changing at a boundary of the profiling period (`--settle`). */
export type SettlingRecord = NonNullable<Summary['settling']>[number];

/** The CPU time that scraping took on this machine. */
export type ScrapingRecord = NonNullable<Summary['scraping']>;

/** The source of an imported run, and what it cannot provide. */
export type ImportRecord = NonNullable<Summary['import']>;

/** A source of endpoints, with the number of its lists and problems (`summary.sources`). */
export type SourceRecord = NonNullable<Summary['sources']>[number];

/** A time during which the source of an endpoint did not list it. */
export interface AbsenceRecord {
  readonly start_ns: bigint;
  readonly end_ns: bigint;
}

/** Scrapes and data that are missing from the journal that a run was recovered from. */
export type DataLossRecord = NonNullable<Summary['data_loss']>;

/** The health of an endpoint at the end of the run: its status, failures and scrape cost. */
export interface HealthRecord {
  readonly status: string;
  readonly last_error: string | null;
  /** The reason code of `last_error`. */
  readonly last_error_reason?: string;
  readonly scrapes_failed: number;
  readonly first_failure_ns?: bigint;
  readonly last_failure_ns?: bigint;
  readonly scrapes_late: number;
  readonly samples_dropped: number;
  readonly lines_dropped: number;
  /** Number of bytes received. */
  readonly bytes: number;
  readonly outages: readonly OutageRecord[];
  /** Number of outages that are not listed. */
  readonly outages_omitted: number;
  /** Absent if there were no resets, and in journals of older versions. */
  readonly resets?: readonly ResetRecord[];
  readonly resets_omitted?: number;
  readonly address_changes?: readonly AddressChangeRecord[];
  readonly address_changes_omitted?: number;
  /** Names of metric families whose type no export supports. */
  readonly unsupported: readonly string[];
  /** Absent in journals of older versions. */
  readonly cost?: CostRecord;
  /** Time when a source added the endpoint to the active run; absent if it was present at the start. */
  readonly added_ns?: bigint;
  /** Time when the source stopped listing the endpoint; absent if it was present at the end. */
  readonly removed_ns?: bigint;
  readonly absences?: readonly AbsenceRecord[];
  readonly absences_omitted?: number;
}

/** The data collected from one endpoint. */
export interface EndpointRecord {
  /**
   * The URL that the data came from, which may differ from the configured URL after a fallback. If the run has several
   * endpoints with this URL, it ends in `#2` for the second one.
   */
  readonly url: string;
  readonly configuredUrl: string;
  /** The identity of the process, such as the UID of a pod; absent if no source states it. */
  readonly identity?: string;
  /** The labels of the target; absent if it has none. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly store: EndpointStore;
  readonly health: HealthRecord;
  /** Absent if the run never reached profiling, and in journals of older versions. */
  readonly boundaries?: BoundarySamples;
  /** Present if the record was read from an export. */
  readonly starts?: ExportedStarts;
  /** Times of the scrapes that are tagged as profiling. Absent if the scrapes have no tags. */
  readonly profilingScrapesNs?: ReadonlySet<bigint>;
}

/** A time range that includes both ends, in Unix nanoseconds. */
export interface TimeRange {
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/**
 * All data of one run, which has just ended or was read from a journal or an export. Every export is created from this
 * record alone. Times are Unix nanoseconds.
 */
export interface RunRecord {
  readonly benchmarkId: string;
  /** The Servelens version that collected the data; absent if another program collected it. */
  readonly version?: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /**
   * The period that statistics cover: the profiling period, or a window that the user chose. If profiling
   * never started, it covers no samples.
   */
  readonly period: TimeRange;
  /** The summary of the export that the record was read from. Absent if the record is from a live run or a journal. */
  readonly summary?: Summary;
  /** The profiling period of the run. Present only if `period` is a window that the user chose. */
  readonly runPeriod?: TimeRange;
  /** True if the run was interrupted or killed. */
  readonly cancelled: boolean;
  readonly marks?: readonly MarkRecord[];
  readonly settling?: readonly SettlingRecord[];
  readonly scraping?: ScrapingRecord;
  /** The sources of endpoints; absent if the run has none. */
  readonly sources?: readonly SourceRecord[];
  /** Absent if nothing is known to be missing. */
  readonly dataLoss?: DataLossRecord;
  /** Present if the run was imported from another program's data. */
  readonly import?: ImportRecord;
  readonly endpoints: readonly EndpointRecord[];
  /** True if there are only samples of the profiling period, as in a Parquet export. */
  readonly lacksWarmup?: true;
  /** The options of the run in AIPerf's shape, or the options of a collect run, which AIPerf does not have. */
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** Options that AIPerf's configuration does not have. */
  readonly servelensConfig?: Readonly<Record<string, unknown>>;
  /** The servers whose metrics are understood; the built-in servers by default. */
  readonly servers?: ServerCatalog;
}

/** Placeholder for an endpoint whose health is not recorded in the journal or the export. */
export const UNKNOWN_HEALTH: HealthRecord = {
  status: 'no_data',
  last_error: null,
  scrapes_failed: 0,
  scrapes_late: 0,
  samples_dropped: 0,
  lines_dropped: 0,
  bytes: 0,
  outages: [],
  outages_omitted: 0,
  unsupported: [],
};
