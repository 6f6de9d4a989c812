import { formatGpuMapEntry, type GpuTelemetryPlan } from '@org/gpu';
import type { ConfigFields as Fields } from './configFields.ts';

/** Returns the sources of GPU telemetry in AIPerf's shape. */
export function toGpuTelemetry(plan: GpuTelemetryPlan | undefined): Fields {
  if (!plan) return { enabled: false };
  const { exporters, commands } = plan;
  const collector = commands.length === 0 ? 'dcgm' : commands[0] === 'amd' ? 'amdsmi' : 'pynvml';
  const isExplicit = exporters.length > 0 || commands.length > 0;
  return {
    enabled: true,
    ...(isExplicit ? { urls: exporters.map(({ url }) => url), collector, mode: 'summary' } : {}),
  };
}

/** Returns the options about GPUs that AIPerf does not have. */
export function describeGpuOptions(plan: GpuTelemetryPlan | undefined): Fields {
  const { gpus = [], map = [] } = plan ?? {};
  return {
    ...(gpus.length > 0 ? { gpus } : {}),
    ...(map.length > 0 ? { gpu_map: map.map(formatGpuMapEntry) } : {}),
  };
}
