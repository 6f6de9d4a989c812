import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import {
  COMPATIBILITIES,
  type Compatibility,
  type ExportFormat,
  FORMATS,
  type JsonLayout,
  type RunRecord,
} from '@org/record';

/** The export options of a run, as recorded in its configuration. */
export interface RunOptions {
  readonly compatibility: Compatibility;
  readonly jsonLayout: JsonLayout | undefined;
  /** Empty if they are unknown. */
  readonly formats: readonly ExportFormat[];
  readonly percentileMethod: PercentileMethod;
  readonly sliceSeconds: number | undefined;
}

/** The configuration of a run: AIPerf's fields, our fields, and the fields of a collect run and of earlier versions. */
interface Config {
  readonly artifacts?: { readonly slice_duration?: number };
  readonly server_metrics?: unknown;
  readonly compat?: unknown;
  readonly json_layout?: JsonLayout;
  readonly percentile_method?: unknown;
  readonly server_metrics_formats?: unknown;
  readonly slice_duration?: number;
}

/** Reads the export options of a run from its configuration. Other programs and newer versions may record unknown values. */
export function readRunOptions({ inputConfig, servelensConfig }: RunRecord): RunOptions {
  const config: Config = { ...inputConfig, ...servelensConfig };
  const { server_metrics: serverMetrics } = config;
  const formats =
    config.server_metrics_formats ?? (serverMetrics as { readonly formats?: unknown } | undefined)?.formats;
  return {
    compatibility: COMPATIBILITIES.find(known => known === config.compat) ?? 'servelens',
    jsonLayout: config.json_layout,
    formats: Array.isArray(formats) ? FORMATS.filter(format => formats.includes(format)) : [],
    percentileMethod: toPercentileMethod(config.percentile_method),
    sliceSeconds: config.slice_duration ?? config.artifacts?.slice_duration,
  };
}

/** Returns the percentile method of a run; AIPerf's method if the run wrote files of another program. */
export function selectPercentileMethod(
  run: Pick<RunOptions, 'compatibility' | 'percentileMethod'>,
  compatibility: Compatibility,
): PercentileMethod {
  const isConverted = compatibility === 'aiperf-0.13' && run.compatibility !== compatibility;
  return isConverted ? 'polynomial' : run.percentileMethod;
}

function toPercentileMethod(method: unknown): PercentileMethod {
  return typeof method === 'string' && Object.hasOwn(PERCENTILE_METHODS, method)
    ? (method as PercentileMethod)
    : 'polynomial';
}
