import type { ProfileExport } from '@org/formats';
import { listProfileMetrics, type ServerMetricsView } from '@org/formats/read';
import { type ClientMetrics, type ClientTimeslices, toClientFamilies } from './clientMetrics.ts';
import { type EndpointState, listEndpoints, type RunEndpoint, shortenEndpointNames } from './endpoints.ts';
import type { RunFiles } from './runFiles.ts';
import { createFamily, type RunFamily, type RunSeries } from './series.ts';

export type { EndpointState, RunEndpoint };

/** The format of the server metrics that a run was read from. `none`: the run has only a profile export. */
export type RunLayout = 'json' | 'legacy' | 'csv' | 'parquet' | 'jsonl' | 'none';

/** The times and durations that the files of a run contain. Times are in nanoseconds since 1970. */
export interface RunTimes {
  readonly startNs?: bigint;
  readonly endNs?: bigint;
  /** Start of the period that statistics cover: the run without warm-up. */
  readonly profilingStartNs?: bigint;
  readonly profilingEndNs?: bigint;
  /** The duration of the whole run, in seconds. */
  readonly seconds?: number;
  /** The duration of the profiling period, in seconds. */
  readonly profilingSeconds?: number;
}

/** The contents of the files of a run: the input of `createRun`. */
export interface RunParts {
  /** The path of the folder or file, as given by the user. */
  readonly name: string;
  readonly layout: RunLayout;
  readonly files: RunFiles;
  readonly view: ServerMetricsView;
  readonly profile?: ProfileExport;
  /** The metrics of a CSV profile export, which contains only metrics. */
  readonly clientMetrics?: ClientMetrics;
  readonly clientTimeslices?: ClientTimeslices;
  /** Limitations of the files, as messages. */
  readonly notes?: readonly string[];
}

/**
 * A run, read from exports of Servelens or AIPerf: JSON 1.0 or the flat layout, CSV, Parquet, JSONL, and the
 * profile export of the load generator.
 */
export interface Run {
  /** The path of the folder or file, as given by the user. */
  readonly name: string;
  readonly layout: RunLayout;
  readonly files: RunFiles;
  readonly benchmarkId: string | null;
  readonly version: string | null;
  /** True if the run was interrupted; undefined if the files do not record it. */
  readonly wasCancelled: boolean | undefined;
  readonly times: RunTimes;
  /** In configuration order. Empty if the files do not list endpoints (CSV). */
  readonly endpoints: readonly RunEndpoint[];
  /** Metric families by name, in the order of the file; client metrics follow server metrics. */
  readonly families: ReadonlyMap<string, RunFamily>;
  readonly seriesCount: number;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** The server metrics in the layout of schema 1.0. */
  readonly view: ServerMetricsView;
  readonly profile: ProfileExport | undefined;
  readonly notes: readonly string[];
}

/** Creates a run from documents in memory. */
export function createRun(parts: RunParts): Run {
  const { view, profile } = parts;
  const client = parts.clientMetrics ?? (profile && listProfileMetrics(profile));
  const families = new Map<string, RunFamily>();
  const names = shortenEndpointNames(listUrls(view));
  for (const [name, metric] of Object.entries(view.metrics))
    families.set(name, createFamily(name, metric, names));
  let seriesCount = 0;
  for (const { series } of Object.values(view.metrics)) seriesCount += series.length;
  for (const family of client ? toClientFamilies(client, parts.clientTimeslices) : []) {
    if (families.has(family.name)) continue;
    families.set(family.name, family);
    seriesCount += family.series.length;
  }
  const times = readTimes(view, profile);
  return {
    name: parts.name,
    layout: parts.layout,
    files: parts.files,
    benchmarkId: view.benchmark_id ?? profile?.benchmark_id ?? null,
    version:
      view.servelens_version ??
      profile?.servelens_version ??
      view.aiperf_version ??
      profile?.aiperf_version ??
      null,
    wasCancelled: view.summary?.was_cancelled ?? profile?.was_cancelled,
    times,
    endpoints: listEndpoints(view, names, times),
    families,
    seriesCount,
    inputConfig: {
      ...(view.input_config ?? profile?.input_config),
      ...(view.servelens_config ?? profile?.servelens_config),
    },
    view,
    profile,
    notes: parts.notes ?? [],
  };
}

/** Creates a run from a server metrics document in memory, such as the export of a run that has just ended. */
export function createRunFromView(view: ServerMetricsView, name = ''): Run {
  const layout = view.schema_version === 'legacy' ? 'legacy' : view.summary ? 'json' : 'csv';
  return createRun({ name, layout, files: {}, view });
}

/** Iterates over every series of a run. */
export function* listSeries({ families }: Pick<Run, 'families'>): Generator<RunSeries> {
  for (const { series } of families.values()) yield* series;
}

function* listUrls({ metrics, summary }: ServerMetricsView): Generator<string> {
  yield* Object.keys(summary?.endpoint_info ?? {});
  yield* summary?.endpoints_configured ?? [];
  for (const metric of Object.values(metrics))
    for (const { endpoint_url } of metric.series) yield endpoint_url;
}

function readTimes({ summary }: ServerMetricsView, profile: ProfileExport | undefined): RunTimes {
  const startNs = parseTime(summary?.start_time ?? profile?.start_time);
  const endNs = parseTime(summary?.end_time ?? profile?.end_time);
  const { profiling_start_ns: from, profiling_end_ns: to } = summary ?? {};
  return {
    ...(startNs !== undefined && { startNs }),
    ...(endNs !== undefined && { endNs }),
    ...(from !== undefined && { profilingStartNs: from }),
    ...(to !== undefined && { profilingEndNs: to }),
    ...(startNs !== undefined && endNs !== undefined && { seconds: computeSeconds(startNs, endNs) }),
    ...(from !== undefined && to !== undefined && { profilingSeconds: computeSeconds(from, to) }),
  };
}

/** Parses an ISO 8601 time with up to nine decimals to nanoseconds since 1970. A time without a zone is UTC. */
function parseTime(time: string | undefined): bigint | undefined {
  if (time === undefined) return undefined;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`;
  const ms = Date.parse(zoned);
  if (Number.isNaN(ms)) return undefined;
  const afterMs = /\.\d{3}(\d{1,6})/.exec(time)?.[1] ?? '';
  return BigInt(ms) * 1_000_000n + BigInt(afterMs.padEnd(6, '0'));
}

/** Returns the seconds between two times in ns; 0 if the clock was set back between them. */
function computeSeconds(from: bigint, to: bigint): number {
  return Math.max(0, Number(to - from) / 1e9);
}
