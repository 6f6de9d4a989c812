import type { EndpointStore } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { UNKNOWN_HEALTH } from '../journal/runJournal.ts';
import type { EndpointRecord, RunRecord } from '../runRecord.ts';
import { timeNs } from './isoTime.ts';

/** What an export says of its run beside the samples. */
export interface RunAbout {
  readonly benchmarkId: string;
  readonly version: string;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  readonly summary: ServerMetricsDocument['summary'];
}

/** What a JSON export says of its run. */
export function aboutDocument(document: ServerMetricsDocument): RunAbout {
  return {
    benchmarkId: document.benchmark_id ?? '',
    version: document.aiperf_version ?? '',
    inputConfig: document.input_config,
    summary: document.summary,
  };
}

/** A run whose samples were read from an export; endpoints that gave none have a store without frames. */
export function runRecordOf(
  { benchmarkId, version, inputConfig, summary }: RunAbout,
  storeOf: (url: string) => EndpointStore,
): RunRecord {
  const startNs = timeNs(summary.start_time) ?? 0n;
  const endNs = timeNs(summary.end_time) ?? startNs;
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
        ...edgesOf(info),
      }),
    ),
  };
}

/** The samples that bound the period, where the export names them. */
function edgesOf({ baseline_ns, closing_ns }: EndpointInfo): Pick<EndpointRecord, 'edges'> {
  return {
    edges: {
      ...(baseline_ns === undefined ? {} : { baseline_ns }),
      ...(closing_ns === undefined ? {} : { closing_ns }),
    },
  };
}
