import type { EndpointStore } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';

/** A stretch of failed scrapes, as the export tells it. */
export interface OutageRecord {
  readonly start_ns: bigint;
  /** Absent when the run ended first. */
  readonly end_ns?: bigint;
  readonly scrapes: number;
  readonly reason: string;
  readonly message: string;
}

/** A moment at which counters began again, as the export tells it. */
export interface ResetRecord {
  readonly at_ns: bigint;
  readonly previous_ns: bigint;
  readonly counters: number;
}

/** A moment at which data began to come from another IP address, as the export tells it. */
export interface AddressChangeRecord {
  readonly at_ns: bigint;
  readonly from: string;
  readonly to: string;
}

/** What the scrapes of an endpoint cost and how often they were made, as the export tells it. */
export interface CostRecord {
  /** Absent when no scrape was answered. */
  readonly scrape_latency_p50_ms?: number;
  readonly scrape_latency_p99_ms?: number;
  readonly bytes_per_scrape?: number;
  readonly bytes_decoded: number;
  readonly decoded_bytes_per_scrape?: number;
  readonly configured_interval_ms: number;
  readonly effective_interval_ms: number;
  readonly longest_interval_ms: number;
  readonly interval_backoffs: number;
}

/** The samples that were taken of an endpoint for the ends of the profiling period: when they came, ns since 1970. */
export interface EdgesRecord {
  readonly baseline_ns?: bigint;
  readonly closing_ns?: bigint;
}

type Summary = ServerMetricsDocument['summary'];

/** What somebody else said about the run. */
export type MarkRecord = NonNullable<Summary['marks']>[number];

/** How long an end of the profiling period waited for the servers to stand still. */
export type SettlingRecord = NonNullable<Summary['settling']>[number];

/** What collecting took on this machine. */
export type ScrapingRecord = NonNullable<Summary['scraping']>;

/** How an endpoint fared, frozen: the part of it that is not in its frames. */
export interface HealthRecord {
  readonly status: string;
  readonly last_error: string | null;
  /** The same in a word. */
  readonly last_error_reason?: string;
  readonly scrapes_failed: number;
  readonly first_failure_ns?: bigint;
  readonly last_failure_ns?: bigint;
  readonly scrapes_late: number;
  readonly samples_dropped: number;
  readonly lines_dropped: number;
  readonly bytes: number;
  readonly outages: readonly OutageRecord[];
  /** How many more there were. */
  readonly outages_omitted: number;
  /** Absent where there were none, as in the journals of older versions. */
  readonly resets?: readonly ResetRecord[];
  readonly resets_omitted?: number;
  readonly address_changes?: readonly AddressChangeRecord[];
  readonly address_changes_omitted?: number;
  /** Families that no export has a place for. */
  readonly unsupported: readonly string[];
  /** Absent in the journals of older versions. */
  readonly cost?: CostRecord;
}

/** What one endpoint gave. */
export interface EndpointRecord {
  /** Where its data came from. */
  readonly url: string;
  /** What was asked for. */
  readonly configuredUrl: string;
  readonly store: EndpointStore;
  readonly health: HealthRecord;
  /** Absent where a run never profiled, and in the journals of older versions. */
  readonly edges?: EdgesRecord;
}

/**
 * Everything that a run left behind: exports are made from this alone, right after the run or out of its journal.
 * Times are ns since 1970.
 */
export interface RunRecord {
  readonly benchmarkId: string;
  /** Version of the program that collected. */
  readonly version: string;
  /** First and last moment of the collection. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** The profiling period; both ends belong to it. Of a run that never profiled it is empty and behind the last scrape. */
  readonly period: { readonly startNs: bigint; readonly endNs: bigint };
  /** What an export said of the run, where it was read from one: its frames say less. */
  readonly summary?: ServerMetricsDocument['summary'];
  /** The profiling period of the run, where `period` is another one that somebody asked for. */
  readonly runPeriod?: RunRecord['period'];
  /** True when the run was interrupted. */
  readonly cancelled: boolean;
  readonly marks?: readonly MarkRecord[];
  readonly settling?: readonly SettlingRecord[];
  readonly scraping?: ScrapingRecord;
  readonly endpoints: readonly EndpointRecord[];
  readonly inputConfig: Readonly<Record<string, unknown>>;
}
