import {
  computeDerived,
  computeRequestTime,
  createRunFromView,
  type DerivedValue,
  type Evidence,
  type Finding,
  type FindingOptions,
  findFindings,
  findKeyMetrics,
  findPartialCoverages,
  listUrlMetrics,
  type RequestTime,
  type Run,
} from '@org/analysis';
import type { ServerMetricsView } from '@org/formats/read';
import type { SummaryOptions } from './screen.ts';

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
  /** The client's metrics by URL; empty with a single URL. */
  readonly urls: readonly object[];
  readonly request_time: object | null;
  readonly derived: readonly object[];
  readonly findings: readonly FindingEntry[];
  readonly notes: readonly string[];
}

/** A finding. The parts of the run that evidence is about are in nanoseconds since 1970. */
type FindingEntry = Omit<Finding, 'evidence'> & {
  readonly evidence: readonly (Omit<Evidence, 'range'> & {
    readonly range?: { readonly start_ns: string; readonly end_ns: string };
  })[];
};

/** Builds the output of `summary --json` for exports in memory, for example at the end of `servelens collect --json`. */
export function buildSummary(
  view: ServerMetricsView,
  { context, servers }: Pick<SummaryOptions, 'context' | 'servers'>,
): SummaryDocument {
  return buildSummaryDocument({ ...createRunFromView(view, '', servers), ...context });
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
    endpoints: run.endpoints.map(({ url, name, address, state, info, versions }) => ({
      url,
      name,
      address,
      state,
      server_versions: versions,
      scrapes: info?.total_fetches ?? null,
      scrapes_failed: info?.scrapes_failed ?? null,
      scrapes_late: info?.scrapes_late ?? null,
      avg_latency_ms: info?.avg_fetch_latency_ms ?? null,
      last_error: info?.last_error ?? null,
      covered_seconds: partial.get(url)?.coveredSeconds ?? times.profilingSeconds ?? null,
    })),
    servers: findKeyMetrics(run).map(({ server, metrics }) => ({
      name: server.name,
      metrics: metrics.map(({ metric, type, unit, endpoint, endpointUrl, labels, stats, trend }) => ({
        name: metric.name,
        meaning: metric.meaning,
        type,
        unit,
        endpoint_url: endpointUrl,
        endpoint,
        labels,
        key_stat: metric.stat,
        stats,
        timeslices: trend,
      })),
    })),
    urls: listUrlMetrics(run).map(({ firstToken, ...url }) => ({
      ...url,
      ...(firstToken && { first_token: firstToken }),
    })),
    request_time: buildRequestTime(run),
    derived: computeDerived(run).map(buildDerived),
    findings: findFindings(run, options).map(buildFinding),
    notes: run.notes,
  };
}

function buildFinding({ evidence, ...finding }: Finding): FindingEntry {
  return {
    ...finding,
    evidence: evidence.map(({ range, ...entry }) => ({
      ...entry,
      ...(range && { range: { start_ns: range.startNs.toString(), end_ns: range.endNs.toString() } }),
    })),
  };
}

/** Builds where the time of a mean request goes; null if no server measured requests. */
function buildRequestTime(run: Run): object | null {
  const time = computeRequestTime(run);
  if (!time) return null;
  const { servers, requests, meanMs, stages, kvTransfer, unknown } = time;
  return {
    servers,
    requests,
    mean_ms: meanMs,
    ...buildPercentiles(time),
    stages: stages.map(({ stage, meanMs, share, slices, ...percentiles }) => ({
      stage,
      mean_ms: meanMs,
      share,
      ...buildPercentiles(percentiles),
      timeslices: slices.map(slice => ({ start_ns: slice.startNs.toString(), mean_ms: slice.meanMs })),
    })),
    ...(kvTransfer && {
      kv_transfer: {
        within: kvTransfer.within,
        transfers: kvTransfer.transfers,
        mean_ms: kvTransfer.meanMs,
        share: kvTransfer.share,
        ...buildPercentiles(kvTransfer),
      },
    }),
    unknown,
  };
}

/** Builds a derived metric. Without a value, it has the reason. */
function buildDerived({
  name,
  unit,
  endpoint,
  labels,
  value,
  missing,
  isExact,
  slices,
}: DerivedValue): object {
  return {
    ...{ name, unit, endpoint, labels, value: value ?? null },
    ...(missing === undefined ? { is_exact: isExact } : { missing }),
    timeslices: slices.map(slice => ({
      start_ns: slice.startNs.toString(),
      end_ns: slice.endNs.toString(),
      value: slice.value,
    })),
  };
}

/** Builds the percentiles of a stage or of whole requests, as far as they are known. */
function buildPercentiles({ p50, p99 }: Pick<RequestTime, 'p50' | 'p99'>): object {
  return {
    ...(p50 && { p50_ms: p50.valueMs, ...(p50.boundsMs && { p50_bounds_ms: p50.boundsMs }) }),
    ...(p99 && { p99_ms: p99.valueMs, ...(p99.boundsMs && { p99_bounds_ms: p99.boundsMs }) }),
  };
}
