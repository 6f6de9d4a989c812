import { EndpointStore, Layout, type StoreMemory } from '@org/core';
import type { EndpointInfo, ServerMetricsDocument } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { formatUtc, hasTimeZone } from '../isoTime.ts';
import { upgradeSummary } from '../oldFields.ts';
import { RunInputError } from '../runInputError.ts';
import {
  type BoundarySamples,
  type EndpointRecord,
  type ExportedStarts,
  type RunRecord,
  type TimeRange,
  UNKNOWN_HEALTH,
} from '../runRecord.ts';
import type { ExportedSamples } from './exportedSamples.ts';
import { readRunTimes } from './runTimes.ts';

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
  /** True if scrapes of the profiling phase are missing from the file. */
  readonly isIncomplete?: true;
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

/** Returns the version in an export of an earlier version of Servelens, which wrote it as the version of AIPerf. */
function readOldVersion({ aiperf_version, summary }: ServerMetricsDocument): string | undefined {
  return summary.profiling_start_ns === undefined ? undefined : (aiperf_version ?? undefined);
}

/** Joins a description and the samples read from an export, by endpoint URL, into a run record. */
export function toRunRecord(
  { benchmarkId, version, inputConfig, servelensConfig, summary: exportedSummary }: RunDescription,
  samples: ExportedSamples,
  memory: StoreMemory | undefined,
  wasCreated: ExportedStarts['wasCreated'] = () => false,
): OpenedRun {
  const upgraded = upgradeSummary(exportedSummary);
  const { warning, ...times } = readRunTimes(upgraded, samples);
  const summary = hasTimeZone(upgraded.start_time) ? upgraded : { ...upgraded, ...formatTimes(times) };
  const infos: Readonly<Record<string, EndpointInfo | undefined>> = summary.endpoint_info;
  const urls = new Set([...Object.keys(infos), ...samples.stores.keys()]);
  const endpoints = [...urls].map((url): EndpointRecord => {
    const info = infos[url];
    const labels = info?.labels ?? samples.targetLabels?.get(url);
    const store = samples.stores.get(url) ?? new EndpointStore(new Layout(), memory);
    const tags = samples.profilingScrapesNs && (samples.profilingScrapesNs.get(url) ?? new Set());
    return {
      url,
      configuredUrl: (info?.configured_url as string | undefined) ?? url,
      ...(info?.identity === undefined ? {} : { identity: info.identity }),
      ...(labels ? { labels } : {}),
      store,
      health: UNKNOWN_HEALTH,
      starts: { wasCreated, resets: info?.resets ?? [] },
      ...(tags ? { profilingScrapesNs: tags } : {}),
      boundaries: { ...(tags ? findBaseline(store, tags) : {}), ...(info ? readBoundaries(info) : {}) },
    };
  });
  return {
    record: {
      benchmarkId,
      ...(version === undefined ? {} : { version }),
      inputConfig,
      ...(servelensConfig ? { servelensConfig } : {}),
      ...times,
      cancelled: summary.was_cancelled ?? false,
      summary,
      endpoints,
    },
    warnings: warning === undefined ? [] : [warning],
  };
}

/** Formats the start and the end of a run. AIPerf writes those of the profiling phase, in local time. */
function formatTimes({
  startNs,
  endNs,
}: TimeRange): Pick<ServerMetricsDocument['summary'], 'start_time' | 'end_time'> {
  return { start_time: formatUtc(startNs), end_time: formatUtc(endNs) };
}

/** Finds the last scrape before the first one that is tagged as profiling. It may complete after the start of profiling. */
function findBaseline(store: EndpointStore, tags: ReadonlySet<bigint>): BoundarySamples {
  const { originNs, offsetsNs } = store.timeline();
  const first = offsetsNs.findIndex(offset => tags.has(originNs + BigInt(offset)));
  return first > 0 ? { baseline_ns: originNs + BigInt(offsetsNs[first - 1]!) } : {};
}

function readBoundaries({ baseline_ns, closing_ns }: EndpointInfo): BoundarySamples {
  return {
    ...(baseline_ns === undefined ? {} : { baseline_ns }),
    ...(closing_ns === undefined ? {} : { closing_ns }),
  };
}
