/** The maker of a GPU. */
export type Platform = 'nvidia' | 'amd';

/** A metric of a GPU. Fields and units are those of AIPerf. */
export interface GpuMetric {
  readonly field: string;
  readonly unit: string;
  /** `counter`: only the increase in a period is exported. */
  readonly kind: 'gauge' | 'counter';
  /**
   * Combines the values of the MIG instances of one GPU. `shared`: all instances repeat the value of the GPU. `sum`: the
   * GPU has the sum. `share`: a percentage of the instance, weighted by its share of the GPU.
   */
  readonly instances: 'shared' | 'sum' | 'share';
  /** True for a metric that AIPerf does not have. It is recorded in the samples only. */
  readonly isAddition?: true;
}

/** The metric with the power draw of each platform, in watts. */
export const POWER_FIELDS: Readonly<Record<Platform, string>> = {
  nvidia: 'nvidia_power_usage',
  amd: 'amd_power',
};

/** The metric with the energy counter of each platform, in megajoules. */
export const ENERGY_FIELDS: Readonly<Record<Platform, string>> = {
  nvidia: 'nvidia_energy_consumption',
  amd: 'amd_energy_consumption',
};

/** All metrics, in the order of AIPerf's exports, followed by the metrics that AIPerf does not have. */
export const GPU_METRICS: readonly GpuMetric[] = [
  defineGauge('nvidia_power_usage', 'W'),
  defineCounter('nvidia_energy_consumption', 'MJ'),
  defineGauge('nvidia_gpu_utilization', '%', 'share'),
  defineGauge('nvidia_memory_utilization', '%', 'share'),
  defineGauge('nvidia_memory_used', 'GB', 'sum'),
  defineGauge('nvidia_temperature', '°C'),
  defineGauge('nvidia_sm_utilization', '%', 'share'),
  defineGauge('nvidia_decoder_utilization', '%', 'share'),
  defineGauge('nvidia_encoder_utilization', '%', 'share'),
  defineGauge('nvidia_jpg_utilization', '%', 'share'),
  defineCounter('nvidia_xid_errors', 'count'),
  defineCounter('nvidia_power_violation', 'us'),
  defineGauge('amd_power', 'W'),
  defineCounter('amd_energy_consumption', 'MJ'),
  defineGauge('amd_gfx_activity', '%', 'share'),
  defineGauge('amd_umc_activity', '%', 'share'),
  defineGauge('amd_mm_activity', '%', 'share'),
  defineGauge('amd_memory_used', 'GB', 'sum'),
  defineGauge('amd_temperature', '°C'),
  defineCounter('amd_ecc_uncorrectable', 'count'),
  defineGauge('amd_throttle_status', 'count'),
  { ...defineGauge('nvidia_clock_event_reasons', 'bits'), isAddition: true },
  { ...defineGauge('nvidia_power_limit', 'W'), isAddition: true },
  { ...defineGauge('nvidia_sm_clock', 'MHz'), isAddition: true },
  { ...defineCounter('nvidia_thermal_violation', 'us'), isAddition: true },
];

/** All metrics, by field. */
export const METRIC_BY_FIELD: ReadonlyMap<string, GpuMetric> = new Map(
  GPU_METRICS.map(metric => [metric.field, metric]),
);

function defineGauge(field: string, unit: string, instances: GpuMetric['instances'] = 'shared'): GpuMetric {
  return { field, unit, kind: 'gauge', instances };
}

function defineCounter(field: string, unit: string): GpuMetric {
  return { field, unit, kind: 'counter', instances: 'shared' };
}
