import { computeEndpointInfo } from '@org/core';
import type { ManifestPhase } from '@org/formats';
import type { PhaseMetric, PhaseServerMetricsStream } from '@org/formats/write';
import type { EndpointRecord, RunRecord } from '../runRecord.ts';
import { createExportView } from './exportView.ts';
import { type StatisticsOptions, streamServerMetrics } from './serverMetrics.ts';

/** A phase, and the time range that its statistics cover. */
export interface RecordedPhase
  extends Pick<
    Required<ManifestPhase>,
    'phase_index' | 'profiling_index' | 'phase_name' | 'phase_kind' | 'start_ns' | 'end_ns' | 'was_cancelled'
  > {
  /** The range of the scrapes that belong to the phase; by default, the profiling period of the run. */
  readonly scrapes?: RunRecord['period'];
}

type PhaseData = PhaseServerMetricsStream['data'];

/**
 * Returns phases/<phase>/server_metrics.json as a stream: the statistics of each endpoint in one phase. A metric is
 * computed when it is read, so that only one metric is in memory at a time.
 */
export function streamPhaseServerMetrics(
  run: RunRecord,
  { scrapes, ...phase }: RecordedPhase,
  options: StatisticsOptions,
): PhaseServerMetricsStream {
  const record = scrapes ? limitToWarmup(run, scrapes) : run;
  const { phase_index, profiling_index, phase_name, phase_kind } = phase;
  return {
    data: {
      benchmark_id: run.benchmarkId,
      phase: phase_kind!,
      phase_index,
      ...(profiling_index === null ? {} : { profiling_index }),
      phase_name,
      phase_kind,
      endpoint_summaries: streamEndpoints(record, options),
      start_ns: record.period.startNs,
      end_ns: record.period.endNs,
      endpoints_configured: [...new Set(run.endpoints.map(({ configuredUrl }) => configuredUrl))],
      endpoints_successful: run.endpoints.filter(hasFrames).map(({ url }) => url),
      error_summary: [],
      phase_results: [],
    },
    phase,
    schema_version: 1,
    warnings: [],
  };
}

/** Limits a run to its warm-up, which ends with the baseline scrapes of profiling. */
function limitToWarmup(run: RunRecord, { startNs, endNs }: RunRecord['period']): RunRecord {
  const baselines = run.endpoints.flatMap(({ boundaries }) => boundaries?.baseline_ns ?? []);
  const period = { startNs, endNs: baselines.reduce((end, ns) => (ns <= end ? ns - 1n : end), endNs) };
  const endpoints = run.endpoints.map(endpoint => {
    const { baseline_ns: closing_ns } = endpoint.boundaries ?? {};
    return { ...endpoint, boundaries: closing_ns === undefined ? {} : { closing_ns } };
  });
  return { ...run, period, endpoints };
}

function hasFrames({ store }: EndpointRecord): boolean {
  return store.frameCount > 0;
}

function* streamEndpoints(
  record: RunRecord,
  options: StatisticsOptions,
): Generator<PhaseData['endpoint_summaries'] extends Iterable<infer Entry> ? Entry : never> {
  const names = nameEndpoints(record.endpoints);
  for (const [index, endpoint] of record.endpoints.entries()) {
    const info = computeInfo(endpoint, record.period);
    if (!info) continue;
    const metrics = streamMetrics({ ...record, endpoints: [endpoint] }, options);
    const { url: endpoint_url, labels } = endpoint;
    yield [names[index]!, { endpoint_url, ...(labels ? { labels } : {}), info, metrics }];
  }
}

function computeInfo(
  { store }: EndpointRecord,
  { startNs, endNs }: RunRecord['period'],
): ReturnType<typeof computeEndpointInfo> {
  const { originNs } = store.timeline();
  return computeEndpointInfo(store, { startNs: Number(startNs - originNs), endNs: Number(endNs - originNs) });
}

/** Names endpoints by host and port, as AIPerf does. Endpoints that share a host and port are named by their URL. */
function nameEndpoints(endpoints: readonly EndpointRecord[]): string[] {
  const hosts = endpoints.map(({ url }) => (URL.canParse(url) ? new URL(url).host : url));
  return hosts.map((host, index) =>
    hosts.indexOf(host) === hosts.lastIndexOf(host) ? host : endpoints[index]!.url,
  );
}

function* streamMetrics(
  record: RunRecord,
  options: StatisticsOptions,
): Generator<readonly [string, PhaseMetric]> {
  for (const [name, metric] of streamServerMetrics(createExportView(record), options).metrics)
    yield [name, { ...metric, series: [...metric.series].map(({ endpoint_url: _, ...entry }) => entry) }];
}
