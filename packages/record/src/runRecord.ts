import type { EndpointStore } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';

type Summary = ServerMetricsDocument['summary'];

/** A series of consecutive failed scrapes, in the form of the export. */
export interface OutageRecord {
  readonly start_ns: bigint;
  /** Absent if the run ended before the next successful scrape. */
  readonly end_ns?: bigint;
  readonly scrapes: number;
  readonly reason: string;
  readonly message: string;
}

/** A counter reset, in the form of the export. `previous_ns` is the last sample before the reset. */
export interface ResetRecord {
  readonly at_ns: bigint;
  readonly previous_ns: bigint;
  readonly counters: number;
}

/** A change of the IP address that an endpoint's host name resolves to, in the form of the export. */
export interface AddressChangeRecord {
  readonly at_ns: bigint;
  readonly from: string;
  readonly to: string;
}

/** The cost and the frequency of an endpoint's scrapes, in the form of the export. */
export interface CostRecord {
  /** Absent if no scrape received a response. */
  readonly scrape_latency_p50_ms?: number;
  readonly scrape_latency_p99_ms?: number;
  readonly bytes_per_scrape?: number;
  readonly bytes_decoded: number;
  readonly decoded_bytes_per_scrape?: number;
  readonly configured_interval_ms: number;
  readonly effective_interval_ms: number;
  readonly max_interval_ms: number;
  readonly interval_backoffs: number;
}

/**
 * The barrier samples of an endpoint at the boundaries of the profiling period, as timestamps in ns since 1970.
 * See docs/decisions/0022-barrier-scrapes.md
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

/** The health of an endpoint at the end of the run: everything that its frames do not contain. */
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
  readonly bytes: number;
  readonly outages: readonly OutageRecord[];
  /** Number of outages beyond the listed ones. */
  readonly outages_omitted: number;
  /** Absent without resets, and in journals of older versions. */
  readonly resets?: readonly ResetRecord[];
  readonly resets_omitted?: number;
  readonly address_changes?: readonly AddressChangeRecord[];
  readonly address_changes_omitted?: number;
  /** Families of a type that no export supports. */
  readonly unsupported: readonly string[];
  /** Absent in journals of older versions. */
  readonly cost?: CostRecord;
}

/** The data collected from one endpoint. */
export interface EndpointRecord {
  /** The URL that the data came from, which may differ from the configured URL after a fallback. */
  readonly url: string;
  readonly configuredUrl: string;
  readonly store: EndpointStore;
  readonly health: HealthRecord;
  /** Absent if the run never reached profiling, and in journals of older versions. */
  readonly boundaries?: BoundarySamples;
}

/** A closed time range, in ns since 1970. */
export interface TimeRange {
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/**
 * Everything known about one run, whether it has just ended or was read from a journal or an export. All exports are made
 * from the record alone. Times are ns since 1970.
 */
export interface RunRecord {
  readonly benchmarkId: string;
  /** The Servelens version that collected the data. */
  readonly version: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** The profiling period. If the run never reached profiling, it is empty and starts after the last scrape. */
  readonly period: TimeRange;
  /** The summary of the export that the record was read from; absent for a record made from a run or a journal. */
  readonly summary?: Summary;
  /** The profiling period of the run, if `period` is a window that the user chose. */
  readonly runPeriod?: TimeRange;
  /** True if the run was interrupted. */
  readonly cancelled: boolean;
  readonly marks?: readonly MarkRecord[];
  readonly settling?: readonly SettlingRecord[];
  readonly scraping?: ScrapingRecord;
  readonly endpoints: readonly EndpointRecord[];
  readonly inputConfig: Readonly<Record<string, unknown>>;
}

/** The health of an endpoint that is missing from the journal or the export. */
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
