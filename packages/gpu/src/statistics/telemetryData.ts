import { computeCompensatedSum, computeGaugeStatistics } from '@org/core';
import type { GpuSummary, ProfileMetric, TelemetryData } from '@org/formats';
import type { GpuHistory, GpuSeries } from '../history.ts';
import { GPU_METRICS, type GpuMetric } from '../metrics.ts';
import { computeCounterIncrease } from './counterIncrease.ts';
import { includeClosingSample, readValues, type Window } from './window.ts';

/** The sources of a run. */
export interface TelemetrySources {
  /** URLs of all requested sources, and of the found ones. */
  readonly configured: readonly string[];
  /** URLs of the sources with samples. */
  readonly successful: readonly string[];
}

/** Times of the collection, in the format of the export. */
type TelemetryTimes = Pick<TelemetryData['summary'], 'start_time' | 'end_time'>;

/** Creates `telemetry_data`: the statistics of each GPU in a phase and of its closing sample. */
export function createTelemetryData(
  history: GpuHistory,
  window: Window,
  { configured, successful }: TelemetrySources,
  times: TelemetryTimes,
): TelemetryData {
  return {
    summary: { endpoints_configured: [...configured], endpoints_successful: [...successful], ...times },
    endpoints: describeEndpoints(history, includeClosingSample(window)),
    error_summary: [],
  };
}

function describeEndpoints(history: GpuHistory, window: Window): TelemetryData['endpoints'] {
  const endpoints: Record<string, { gpus: Record<string, GpuSummary> }> = {};
  for (const series of history.series) {
    const name = formatEndpoint(series.source);
    endpoints[name] ??= { gpus: {} };
    const { gpus } = endpoints[name];
    gpus[nameGpu(series, gpus)] = summarizeGpu(series, window);
  }
  return endpoints;
}

/** Names a GPU `gpu_0`. GPUs of several hosts behind one URL can have the same index; they are named with their UUID. */
function nameGpu({ gpu }: GpuSeries, gpus: Readonly<Record<string, GpuSummary>>): string {
  const name = `gpu_${gpu.index}`;
  return Object.hasOwn(gpus, name) ? `${name}_${gpu.uuid}` : name;
}

/** Returns a URL without its scheme and `/metrics`: `http://host:9400/metrics` becomes `host:9400`. */
function formatEndpoint(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/metrics$/, '').replace(/^\/$/, '');
}

function summarizeGpu(series: GpuSeries, window: Window): GpuSummary {
  const { index, model, uuid, platform, hostname, namespace, pod } = series.gpu;
  const metrics = GPU_METRICS.flatMap(metric => {
    if (metric.isAddition) return [];
    const block = summarizeMetric(series, metric, window);
    return block ? [[metric.field, block] as const] : [];
  });
  return {
    gpu_index: index,
    gpu_name: model,
    gpu_uuid: uuid,
    platform,
    ...(hostname === undefined ? {} : { hostname }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(pod === undefined ? {} : { pod_name: pod }),
    metrics: Object.fromEntries(metrics),
  };
}

function summarizeMetric(
  series: GpuSeries,
  { field, unit, kind }: GpuMetric,
  window: Window,
): ProfileMetric | undefined {
  if (kind === 'counter') {
    const avg = computeCounterIncrease(series, field, window);
    return avg === undefined ? undefined : { unit, avg };
  }
  const { values } = readValues(series, field, window);
  if (values.length === 0) return undefined;
  const { avg, min, max, std, ...percentiles } = computeGaugeStatistics(values);
  return {
    unit,
    avg,
    ...percentiles,
    min,
    max,
    std,
    count: values.length,
    sum: computeCompensatedSum(values),
  };
}
