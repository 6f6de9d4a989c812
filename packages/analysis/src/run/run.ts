import type { ProfileExport } from '@org/formats';
import { listProfileMetrics, type ServerMetricsView } from '@org/formats/read';
import { type ClientMetrics, type ClientTimeslices, toClientFamilies } from './clientMetrics.ts';
import { shortenEndpointNames } from './endpointNames.ts';
import { type EndpointState, listEndpoints, type RunEndpoint } from './endpoints.ts';
import type { RunFiles } from './runFiles.ts';
import { createFamily, type RunFamily, type RunSeries } from './series.ts';

export type { EndpointState, RunEndpoint };

/** What a run was read from. `none` is a run of which only the profile export is there. */
export type RunLayout = 'json' | 'legacy' | 'csv' | 'parquet' | 'jsonl' | 'none';

/** The times of a run, in ns since 1970 and seconds; those that its files tell. */
export interface RunTimes {
  readonly startNs?: bigint;
  readonly endNs?: bigint;
  /** The time that statistics speak of: the run without warm-up. */
  readonly profilingStartNs?: bigint;
  readonly profilingEndNs?: bigint;
  /** Whole run in seconds. */
  readonly seconds?: number;
  readonly profilingSeconds?: number;
}

/** Parts of which a run is made; `runOf` joins them. */
export interface RunParts {
  /** What the user named. */
  readonly name: string;
  readonly layout: RunLayout;
  readonly files: RunFiles;
  readonly view: ServerMetricsView;
  readonly profile?: ProfileExport;
  /** The metrics of a profile export that is a CSV, which has nothing else. */
  readonly clientMetrics?: ClientMetrics;
  readonly clientTimeslices?: ClientTimeslices;
  /** What a reader of this file should know, in sentences. */
  readonly notes?: readonly string[];
}

/**
 * One run, whatever files it was read from: our exports or AIPerf's, JSON 1.0 or the flat layout, CSV, Parquet, JSONL,
 * and the profile export of the load generator beside them.
 */
export interface Run {
  /** What the user named: path of a folder or file. */
  readonly name: string;
  readonly layout: RunLayout;
  readonly files: RunFiles;
  readonly benchmarkId: string | null;
  readonly version: string | null;
  /** Whether it was ended before its time; undefined when the files do not say. */
  readonly wasCancelled: boolean | undefined;
  readonly times: RunTimes;
  /** In the order in which they were configured. Empty when the files do not list them (CSV). */
  readonly endpoints: readonly RunEndpoint[];
  /** By name, in the order of the file; client metrics after those of servers. */
  readonly families: ReadonlyMap<string, RunFamily>;
  readonly seriesCount: number;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** The server metrics in the terms of schema 1.0. */
  readonly view: ServerMetricsView;
  readonly profile: ProfileExport | undefined;
  readonly notes: readonly string[];
}

/** A run of documents that were read already. */
export function createRun(parts: RunParts): Run {
  const { view, profile } = parts;
  const client = parts.clientMetrics ?? (profile && listProfileMetrics(profile));
  const families = new Map<string, RunFamily>();
  const names = shortenEndpointNames(urlsOf(view));
  for (const [name, metric] of Object.entries(view.metrics))
    families.set(name, createFamily(name, metric, names));
  let seriesCount = 0;
  for (const { series } of Object.values(view.metrics)) seriesCount += series.length;
  for (const family of client ? toClientFamilies(client, parts.clientTimeslices) : []) {
    if (families.has(family.name)) continue;
    families.set(family.name, family);
    seriesCount += family.series.length;
  }
  return {
    name: parts.name,
    layout: parts.layout,
    files: parts.files,
    benchmarkId: view.benchmark_id ?? profile?.benchmark_id ?? null,
    version: view.aiperf_version ?? profile?.aiperf_version ?? null,
    wasCancelled: view.summary?.was_cancelled ?? profile?.was_cancelled,
    times: timesOf(view, profile),
    endpoints: listEndpoints(view, names),
    families,
    seriesCount,
    inputConfig: view.input_config ?? profile?.input_config ?? {},
    view,
    profile,
    notes: parts.notes ?? [],
  };
}

/** A run of one document in memory: what `servelens collect` has just made. */
export function createRunFromView(view: ServerMetricsView, name = ''): Run {
  const layout = view.schema_version === 'legacy' ? 'legacy' : view.summary ? 'json' : 'csv';
  return createRun({ name, layout, files: {}, view });
}

/** Every series of a run. */
export function* listSeries({ families }: Pick<Run, 'families'>): Generator<RunSeries> {
  for (const { series } of families.values()) yield* series;
}

function* urlsOf({ metrics, summary }: ServerMetricsView): Generator<string> {
  yield* Object.keys(summary?.endpoint_info ?? {});
  yield* summary?.endpoints_configured ?? [];
  for (const metric of Object.values(metrics))
    for (const { endpoint_url } of metric.series) yield endpoint_url;
}

function timesOf({ summary }: ServerMetricsView, profile: ProfileExport | undefined): RunTimes {
  const startNs = nanoseconds(summary?.start_time ?? profile?.start_time);
  const endNs = nanoseconds(summary?.end_time ?? profile?.end_time);
  const { profiling_start_ns: from, profiling_end_ns: to } = summary ?? {};
  return {
    ...(startNs !== undefined && { startNs }),
    ...(endNs !== undefined && { endNs }),
    ...(from !== undefined && { profilingStartNs: from }),
    ...(to !== undefined && { profilingEndNs: to }),
    ...(startNs !== undefined && endNs !== undefined && { seconds: secondsBetween(startNs, endNs) }),
    ...(from !== undefined && to !== undefined && { profilingSeconds: secondsBetween(from, to) }),
  };
}

/** ns of an ISO time, to the microsecond that the exports print; one without a zone is taken for UTC. */
function nanoseconds(time: string | undefined): bigint | undefined {
  if (time === undefined) return undefined;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`;
  const ms = Date.parse(zoned);
  if (Number.isNaN(ms)) return undefined;
  const micros = /\.\d{3}(\d{1,6})/.exec(time)?.[1] ?? '';
  return BigInt(ms) * 1_000_000n + BigInt(micros.padEnd(6, '0'));
}

/** Never negative: a clock that was set back within the run says nothing of its length. */
function secondsBetween(from: bigint, to: bigint): number {
  return Math.max(0, Number(to - from) / 1e9);
}
