/** The maker of a GPU. */
export type Platform = 'nvidia' | 'amd';

/** A metric of a GPU. Fields, names and units are those of AIPerf. */
export interface GpuMetric {
  readonly field: string;
  /** Display name, without the unit. */
  readonly name: string;
  readonly unit: string;
  /** `counter`: only the increase in a period is exported. */
  readonly kind: 'gauge' | 'counter';
  /**
   * Combines the values of the MIG instances of one GPU. `shared`: all instances repeat the value of the GPU. `sum`: the
   * GPU has the sum. `share`: a percentage of the instance, weighted by its share of the GPU.
   */
  readonly instances: 'shared' | 'sum' | 'share';
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

/** All metrics, in the order of AIPerf's exports. */
export const GPU_METRICS: readonly GpuMetric[] = [
  defineGauge('nvidia_power_usage', 'NVIDIA GPU Power Usage', 'W'),
  defineCounter('nvidia_energy_consumption', 'NVIDIA Energy Consumption', 'MJ'),
  defineGauge('nvidia_gpu_utilization', 'NVIDIA GPU Utilization', '%', 'share'),
  defineGauge('nvidia_memory_utilization', 'NVIDIA Memory Utilization', '%', 'share'),
  defineGauge('nvidia_memory_used', 'NVIDIA GPU Memory Used', 'GB', 'sum'),
  defineGauge('nvidia_temperature', 'NVIDIA GPU Temperature', '°C'),
  defineGauge('nvidia_sm_utilization', 'NVIDIA SM Utilization', '%', 'share'),
  defineGauge('nvidia_decoder_utilization', 'NVIDIA Decoder Utilization', '%', 'share'),
  defineGauge('nvidia_encoder_utilization', 'NVIDIA Encoder Utilization', '%', 'share'),
  defineGauge('nvidia_jpg_utilization', 'NVIDIA JPEG Utilization', '%', 'share'),
  defineCounter('nvidia_xid_errors', 'NVIDIA XID Errors', 'count'),
  defineCounter('nvidia_power_violation', 'NVIDIA Power Violation', 'us'),
  defineGauge('amd_power', 'AMD GPU Power', 'W'),
  defineCounter('amd_energy_consumption', 'AMD Energy Consumption', 'MJ'),
  defineGauge('amd_gfx_activity', 'AMD GFX Activity', '%', 'share'),
  defineGauge('amd_umc_activity', 'AMD UMC Activity', '%', 'share'),
  defineGauge('amd_mm_activity', 'AMD MM Activity', '%', 'share'),
  defineGauge('amd_memory_used', 'AMD GPU Memory Used', 'GB', 'sum'),
  defineGauge('amd_temperature', 'AMD GPU Temperature', '°C'),
  defineCounter('amd_ecc_uncorrectable', 'AMD ECC Uncorrectable', 'count'),
  defineGauge('amd_throttle_status', 'AMD Throttle Status', 'count'),
];

/** All metrics, by field. */
export const METRIC_BY_FIELD: ReadonlyMap<string, GpuMetric> = new Map(
  GPU_METRICS.map(metric => [metric.field, metric]),
);

function defineGauge(
  field: string,
  name: string,
  unit: string,
  instances: GpuMetric['instances'] = 'shared',
): GpuMetric {
  return { field, name, unit, kind: 'gauge', instances };
}

function defineCounter(field: string, name: string, unit: string): GpuMetric {
  return { field, name, unit, kind: 'counter', instances: 'shared' };
}
