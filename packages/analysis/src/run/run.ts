import type { ProfileExport } from '@org/formats';
import { listProfileMetrics, type ServerMetricsView } from '@org/formats/read';
import { builtInServers, type ServerCatalog } from '@org/servers';
import { type AiperfWindow, coversAiperfWindow } from './aiperfWindow.ts';
import { type ClientMetrics, type ClientTimeslices, toClientFamilies } from './clientMetrics.ts';
import { type EndpointState, listEndpoints, type RunEndpoint, shortenEndpointNames } from './endpoints.ts';
import type { RunFiles } from './runFiles.ts';
import { type RunTimes, readTimes } from './runTimes.ts';
import { createFamily, type RunFamily, type RunSeries } from './series.ts';

export type { EndpointState, RunEndpoint, RunTimes };

/** The format of the server metrics that a run was read from. `none`: the run has only a profile export. */
export type RunLayout = 'json' | 'legacy' | 'csv' | 'parquet' | 'jsonl' | 'none';

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
  /** The servers whose metrics are understood; the built-in servers by default. */
  readonly servers?: ServerCatalog;
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
  /** The servers whose metrics are understood. */
  readonly servers: ServerCatalog;
  /** Present if the statistics of server metrics cover AIPerf's window instead of the profiling phase. */
  readonly aiperfWindow?: AiperfWindow;
}

/** Creates a run from documents in memory. */
export function createRun(parts: RunParts): Run {
  const { view, profile } = parts;
  const client = parts.clientMetrics ?? (profile && listProfileMetrics(profile));
  const families = new Map<string, RunFamily>();
  const names = shortenEndpointNames(listUrls(view));
  const times = readTimes(view, profile);
  const aiperfWindow = coversAiperfWindow(view, profile) ? toAiperfWindow(times) : undefined;
  for (const [name, metric] of Object.entries(view.metrics))
    families.set(name, createFamily(name, metric, names, aiperfWindow));
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
    notes: [...(parts.notes ?? []), ...(aiperfWindow ? [describeWindow(aiperfWindow)] : [])],
    servers: parts.servers ?? builtInServers,
    ...(aiperfWindow ? { aiperfWindow } : {}),
  };
}

function toAiperfWindow({ profilingSeconds }: RunTimes): AiperfWindow {
  return profilingSeconds === undefined ? {} : { profilingSeconds };
}

function describeWindow({ profilingSeconds }: AiperfWindow): string {
  const window =
    "server metrics cover AIPerf's window, which ends with the last scrape, after the end of the load";
  return profilingSeconds === undefined
    ? `${window}: rates and averages are too low`
    : `${window}: averages are too low, and rates are between the rate in this window and the rate in the profiling phase`;
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
