import type { GpuSummary, ProfileMetric, TelemetryData } from '../generated/profileExport.ts';
import { CSV_STATS } from './columns.ts';
import { type CsvLayout, formatCsv } from './layout.ts';

/** The columns of the GPU table that identify a GPU. */
const GPU_COLUMNS: readonly string[] = ['Endpoint', 'GPU_Index', 'GPU_Name', 'GPU_UUID', 'Platform'];

/** Fields that are columns only if a GPU has them, by header. */
const OPTIONAL_COLUMNS: readonly (readonly [header: string, field: keyof GpuSummary])[] = [
  ['Hostname', 'hostname'],
  ['Namespace', 'namespace'],
  ['Pod Name', 'pod_name'],
];

/** AIPerf's display names of metrics of GPUs, by field. */
const METRIC_NAMES: Readonly<Record<string, string>> = {
  nvidia_power_usage: 'NVIDIA GPU Power Usage',
  nvidia_energy_consumption: 'NVIDIA Energy Consumption',
  nvidia_gpu_utilization: 'NVIDIA GPU Utilization',
  nvidia_memory_utilization: 'NVIDIA Memory Utilization',
  nvidia_memory_used: 'NVIDIA GPU Memory Used',
  nvidia_temperature: 'NVIDIA GPU Temperature',
  nvidia_sm_utilization: 'NVIDIA SM Utilization',
  nvidia_decoder_utilization: 'NVIDIA Decoder Utilization',
  nvidia_encoder_utilization: 'NVIDIA Encoder Utilization',
  nvidia_jpg_utilization: 'NVIDIA JPEG Utilization',
  nvidia_xid_errors: 'NVIDIA XID Errors',
  nvidia_power_violation: 'NVIDIA Power Violation',
  amd_power: 'AMD GPU Power',
  amd_energy_consumption: 'AMD Energy Consumption',
  amd_gfx_activity: 'AMD GFX Activity',
  amd_umc_activity: 'AMD UMC Activity',
  amd_mm_activity: 'AMD MM Activity',
  amd_memory_used: 'AMD GPU Memory Used',
  amd_temperature: 'AMD GPU Temperature',
  amd_ecc_uncorrectable: 'AMD ECC Uncorrectable',
  amd_throttle_status: 'AMD Throttle Status',
};

/** A GPU and the display name of its endpoint. */
type Entry = readonly [endpoint: string, gpu: GpuSummary];

/**
 * Formats the table of GPU metrics after two empty lines: one row per metric and GPU. AIPerf also writes the header
 * without GPUs; without GPUs, the other layout has no table.
 */
export function formatGpuTable(telemetry: TelemetryData | undefined, layout: CsvLayout): string {
  const entries = Object.entries(telemetry?.endpoints ?? {}).flatMap(([endpoint, { gpus = {} }]) =>
    Object.values(gpus).map((gpu): Entry => [endpoint, gpu]),
  );
  if (entries.length === 0 && !layout.isAiperf) return '';
  const optional = OPTIONAL_COLUMNS.filter(([, field]) => entries.some(([, gpu]) => gpu[field] != null));
  const header = [...GPU_COLUMNS, 'Metric', ...CSV_STATS, ...optional.map(([name]) => name)];
  const fields = optional.map(([, field]) => field);
  const rows = entries.flatMap(entry => formatGpu(entry, fields, layout));
  return layout.lineEnd.repeat(2) + formatCsv([header, ...rows], layout);
}

function formatGpu(
  [endpoint, gpu]: Entry,
  optional: readonly (keyof GpuSummary)[],
  layout: CsvLayout,
): string[][] {
  const lead = [
    layout.text(endpoint),
    String(gpu.gpu_index),
    layout.text(gpu.gpu_name),
    layout.text(gpu.gpu_uuid),
    gpu.platform ?? 'unknown',
  ];
  // AIPerf writes Python's text for a missing value.
  const missing = layout.isAiperf ? 'None' : '';
  const end = optional.map(field => layout.text((gpu[field] as string | null | undefined) ?? missing));
  return Object.entries(gpu.metrics).map(([field, metric]) => [
    ...lead,
    layout.text(`${METRIC_NAMES[field] ?? field} (${metric.unit})`),
    ...CSV_STATS.map(stat => formatStat(metric, stat, layout)),
    ...end,
  ]);
}

function formatStat(metric: ProfileMetric, stat: string, layout: CsvLayout): string {
  const value = metric[stat as keyof ProfileMetric];
  return typeof value === 'number' ? layout.float(value) : '';
}
