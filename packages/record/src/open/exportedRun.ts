import type { EndpointStore } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { type EndpointRecord, type RunRecord, UNKNOWN_HEALTH } from '../runRecord.ts';
import { parseTimeNs } from './isoTime.ts';

/** The description of a run in its exports: everything except the samples. */
export interface RunDescription {
  readonly benchmarkId: string;
  readonly version: string;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  readonly summary: ServerMetricsDocument['summary'];
}

/** Returns the description in a JSON export. */
export function describeDocument(document: ServerMetricsDocument): RunDescription {
  return {
    benchmarkId: document.benchmark_id ?? '',
    version: document.aiperf_version ?? '',
    inputConfig: document.input_config,
    summary: document.summary,
  };
}

/**
 * Joins a description and the samples read from an export into a run record. `storeOf` returns the store of an endpoint URL,
 * without frames if the export has no samples of that endpoint.
 */
export function toRunRecord(
  { benchmarkId, version, inputConfig, summary }: RunDescription,
  storeOf: (url: string) => EndpointStore,
): RunRecord {
  const startNs = parseTimeNs(summary.start_time) ?? 0n;
  const endNs = parseTimeNs(summary.end_time) ?? startNs;
  const window = summary.exported_window;
  return {
    benchmarkId,
    version,
    inputConfig,
    startNs,
    endNs,
    period: {
      startNs: window?.run_profiling_start_ns ?? summary.profiling_start_ns ?? startNs,
      endNs: window?.run_profiling_end_ns ?? summary.profiling_end_ns ?? endNs,
    },
    cancelled: summary.was_cancelled ?? false,
    summary,
    endpoints: Object.entries(summary.endpoint_info).map(
      ([url, info]): EndpointRecord => ({
        url,
        configuredUrl: (info.configured_url as string | undefined) ?? url,
        store: storeOf(url),
        health: UNKNOWN_HEALTH,
        ...readBoundaries(info),
      }),
    ),
  };
}

function readBoundaries({ baseline_ns, closing_ns }: EndpointInfo): Pick<EndpointRecord, 'boundaries'> {
  return {
    boundaries: {
      ...(baseline_ns === undefined ? {} : { baseline_ns }),
      ...(closing_ns === undefined ? {} : { closing_ns }),
    },
  };
}
