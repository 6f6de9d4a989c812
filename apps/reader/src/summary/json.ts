import {
  type Finding,
  type FindingOptions,
  findFindings,
  findKeyMetrics,
  findPartialCoverages,
  type Run,
} from '@org/analysis';

/**
 * The output of `summary --json`. Timestamps in nanoseconds are strings, because many JSON parsers would round
 * them.
 */
export interface SummaryDocument {
  readonly run: string;
  readonly layout: string;
  readonly benchmark_id: string | null;
  readonly version: string | null;
  readonly was_cancelled: boolean | null;
  readonly duration_seconds: number | null;
  readonly profiling_seconds: number | null;
  readonly profiling_start_ns: string | null;
  readonly profiling_end_ns: string | null;
  readonly metrics: number;
  readonly series: number;
  readonly endpoints: readonly object[];
  readonly servers: readonly object[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** Builds the output of `summary --json`. */
export function buildSummaryDocument(run: Run, options: FindingOptions = {}): SummaryDocument {
  const { times } = run;
  const partial = findPartialCoverages(run);
  return {
    run: run.name,
    layout: run.layout,
    benchmark_id: run.benchmarkId,
    version: run.version,
    was_cancelled: run.wasCancelled ?? null,
    duration_seconds: times.seconds ?? null,
    profiling_seconds: times.profilingSeconds ?? null,
    profiling_start_ns: times.profilingStartNs?.toString() ?? null,
    profiling_end_ns: times.profilingEndNs?.toString() ?? null,
    metrics: run.families.size,
    series: run.seriesCount,
    endpoints: run.endpoints.map(({ url, name, state, info }) => ({
      url,
      name,
      state,
      scrapes: info?.total_fetches ?? null,
      scrapes_failed: info?.scrapes_failed ?? null,
      scrapes_late: info?.scrapes_late ?? null,
      avg_latency_ms: info?.avg_fetch_latency_ms ?? null,
      last_error: info?.last_error ?? null,
      covered_seconds: partial.get(url)?.coveredSeconds ?? times.profilingSeconds ?? null,
    })),
    servers: findKeyMetrics(run).map(({ server, metrics }) => ({
      name: server.name,
      metrics: metrics.map(({ metric, type, unit, endpointUrl, labels, stats, trend }) => ({
        name: metric.name,
        meaning: metric.meaning,
        type,
        unit,
        endpoint_url: endpointUrl,
        labels,
        key_stat: metric.stat,
        stats,
        timeslices: trend,
      })),
    })),
    findings: findFindings(run, options),
    notes: run.notes,
  };
}
