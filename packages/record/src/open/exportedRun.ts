import { EndpointStore, Layout, type StoreMemory } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { parseTimeNs } from '../isoTime.ts';
import { upgradeSummary } from '../oldFields.ts';
import { RunInputError } from '../runInputError.ts';
import { type EndpointRecord, type ExportedStarts, type RunRecord, UNKNOWN_HEALTH } from '../runRecord.ts';

/** The description of a run in its exports: everything except the samples. */
export interface RunDescription {
  readonly benchmarkId: string;
  readonly version?: string | undefined;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  readonly servelensConfig?: Readonly<Record<string, unknown>> | undefined;
  readonly summary: ServerMetricsDocument['summary'];
}

/** A run record read from a file, with warnings about data that the file lacks. */
export interface OpenedRun {
  readonly record: RunRecord;
  /** Missing and approximated data, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads a JSON export that describes a run.
 *
 * @throws RunInputError for the legacy layout, which lacks the description
 */
export async function readDescription(path: string): Promise<ServerMetricsDocument> {
  const document = await readServerMetricsJson(fromPath(path));
  if ('schema_version' in document) return document;
  throw new RunInputError(
    `cannot use ${path} as a description of the run: it has the legacy flat layout; expected schema 1.0`,
  );
}

/** Extracts the description of the run from a JSON export. */
export function describeDocument(document: ServerMetricsDocument): RunDescription {
  return {
    benchmarkId: document.benchmark_id ?? '',
    version: document.servelens_version ?? readOldVersion(document),
    inputConfig: document.input_config,
    servelensConfig: document.servelens_config,
    summary: document.summary,
  };
}

/** The samples read from an export, by endpoint URL. */
export interface ExportedSamples {
  readonly stores: ReadonlyMap<string, EndpointStore>;
  /** Times of the scrapes that are tagged as profiling; absent if the scrapes have no tags. */
  readonly profilingScrapesNs?: ReadonlyMap<string, ReadonlySet<bigint>> | undefined;
}

/** Returns the version in an export of an earlier version of Servelens, which wrote it as the version of AIPerf. */
function readOldVersion({ aiperf_version, summary }: ServerMetricsDocument): string | undefined {
  return summary.profiling_start_ns === undefined ? undefined : (aiperf_version ?? undefined);
}

/** Joins a description and the samples read from an export, by endpoint URL, into a run record. */
export function toRunRecord(
  { benchmarkId, version, inputConfig, servelensConfig, summary: exportedSummary }: RunDescription,
  { stores, profilingScrapesNs }: ExportedSamples,
  memory: StoreMemory | undefined,
  wasCreated: ExportedStarts['wasCreated'] = () => false,
): RunRecord {
  const summary = upgradeSummary(exportedSummary);
  const startNs = parseTimeNs(summary.start_time) ?? 0n;
  const endNs = parseTimeNs(summary.end_time) ?? startNs;
  const window = summary.exported_window;
  return {
    benchmarkId,
    ...(version === undefined ? {} : { version }),
    inputConfig,
    ...(servelensConfig ? { servelensConfig } : {}),
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
        store: stores.get(url) ?? new EndpointStore(new Layout(), memory),
        health: UNKNOWN_HEALTH,
        starts: { wasCreated, resets: info.resets ?? [] },
        ...(profilingScrapesNs ? { profilingScrapesNs: profilingScrapesNs.get(url) ?? new Set() } : {}),
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
