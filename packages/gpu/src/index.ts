/** GPU telemetry: samples from exporters and local commands, their statistics, and energy. */
export {
  formatGpuMapEntry,
  type GpuMapEntry,
  isServerOf,
  parseGpuMapEntry,
} from './assignment/gpuMap.ts';
export { isLocalHost } from './assignment/localHost.ts';
export { isExporterMetric } from './exporter/exporterFields.ts';
export { isGpuItem } from './gpuFilter.ts';
export { GpuHistory, type GpuSeries } from './history.ts';
export { ENERGY_FIELDS, GPU_METRICS, type GpuMetric, type Platform, POWER_FIELDS } from './metrics.ts';
export { fromTelemetryRecord, toTelemetryRecord } from './records.ts';
export type { Gpu, GpuReading, GpuSample } from './sample.ts';
export { MAX_GAP_SECONDS, type PlatformEnergy } from './statistics/energy.ts';
export { computeEnergyMetrics, type EnergyMetrics, type EnergyRecord } from './statistics/energyMetrics.ts';
export {
  computeServerEnergies,
  type ServerEnergies,
  type ServerEnergy,
} from './statistics/serverEnergy.ts';
export { createTelemetryData, type TelemetrySources } from './statistics/telemetryData.ts';
export { CLOSING_SAMPLE_NS, type Window } from './statistics/window.ts';
export {
  GpuTelemetry,
  type GpuTelemetryOptions,
  type GpuTelemetryPlan,
  type SourceStatus,
} from './telemetry.ts';
