import type { ProfileExport } from '@org/formats';
import { listProfileMetrics, type ServerMetricsView } from '@org/formats/read';
import { omitDefinitions } from '@org/record';
import { builtInServers, type ServerCatalog } from '@org/servers';
import { findServerVersions } from '../servers/serverVersions.ts';
import {
  type ClientMetrics,
  type ClientTimeslices,
  type EndedRequests,
  readEndedRequests,
  toClientFamilies,
} from './clientMetrics.ts';
import { type EndpointState, listEndpoints, type RunEndpoint, shortenEndpointNames } from './endpoints.ts';
import { RecentSlices } from './recentSlices.ts';
import type { RunFiles } from './runFiles.ts';
import type { RunGpu } from './runGpu.ts';
import { type RunTimes, readTimes } from './runTimes.ts';
import { createFamily, type RunFamily, type RunSeries } from './series.ts';
import { type GpuServers, toServerEnergyFamilies } from './serverEnergy.ts';
import { nameServers } from './serverNames.ts';
import { describeWindow, findWindow, type StatisticsWindow } from './statisticsWindow.ts';
import { readTargetLabels } from './targetLabels.ts';

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
  readonly gpus?: readonly RunGpu[];
  /** The energy of each server of a run without a load generator; a profile export contains it. */
  readonly gpuServers?: GpuServers;
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
  /** The client's requests that ended in each timeslice, by its start; empty if the export does not have them. */
  readonly endedRequests: ReadonlyMap<bigint, EndedRequests>;
  /** The GPUs with samples; empty without GPU telemetry. */
  readonly gpus: readonly RunGpu[];
  readonly notes: readonly string[];
  /** The servers whose metrics are understood. */
  readonly servers: ServerCatalog;
  /** Present if the statistics of server metrics do not, or may not, cover the profiling phase. */
  readonly window?: StatisticsWindow;
}

/** Creates a run from documents in memory. */
export function createRun(parts: RunParts): Run {
  const { view, profile, servers = builtInServers } = parts;
  const client = parts.clientMetrics ?? (profile && listProfileMetrics(profile));
  const families = new Map<string, RunFamily>();
  const addresses = shortenEndpointNames(listUrls(view));
  const targetLabels = readTargetLabels(view);
  const names = nameServers(view, servers, addresses, targetLabels);
  const times = readTimes(view, profile);
  const window = findWindow(view, times, profile);
  const recentSlices = new RecentSlices();
  for (const [name, metric] of Object.entries(view.metrics))
    families.set(name, createFamily(name, metric, { endpoints: names, targetLabels, window, recentSlices }));
  let seriesCount = 0;
  for (const { series } of Object.values(view.metrics)) seriesCount += series.length;
  const measured = [
    ...(client ? toClientFamilies(client, parts.clientTimeslices) : []),
    ...toServerEnergyFamilies(parts.gpuServers ?? profile?.gpu_servers ?? [], names),
  ];
  for (const family of measured) {
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
    endpoints: listEndpoints(view, names, addresses, times, findServerVersions(view, servers), targetLabels),
    families,
    seriesCount,
    inputConfig: {
      ...(view.input_config ?? profile?.input_config),
      ...omitDefinitions(view.servelens_config ?? profile?.servelens_config),
    },
    view,
    profile,
    endedRequests: readEndedRequests(parts.clientTimeslices),
    gpus: parts.gpus ?? [],
    notes: [...(parts.notes ?? []), ...(window ? [describeWindow(window)] : [])],
    servers,
    ...(window ? { window } : {}),
  };
}

/** Creates a run from a server metrics document in memory, such as the export of a run that has just ended. */
export function createRunFromView(view: ServerMetricsView, name = '', servers?: ServerCatalog): Run {
  const layout = view.schema_version === 'legacy' ? 'legacy' : view.summary ? 'json' : 'csv';
  return createRun({ name, layout, files: {}, view, ...(servers && { servers }) });
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
