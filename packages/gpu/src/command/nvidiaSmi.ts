import type { SmiColumns } from './smiTable.ts';

/** Columns that every version of nvidia-smi knows. */
const BASIC_QUERY: readonly string[] = [
  ...['index', 'uuid', 'name', 'pci.bus_id', 'power.draw', 'utilization.gpu', 'utilization.memory'],
  ...['memory.used', 'temperature.gpu'],
];

/**
 * Columns of newer versions. A version that does not know one of them prints no table at all, but one line that names the
 * column.
 */
const FURTHER_QUERY: readonly string[] = [
  ...['power.draw.instant', 'utilization.encoder', 'utilization.decoder', 'utilization.jpeg'],
  ...['clocks_event_reasons.active', 'clocks_throttle_reasons.active'],
  ...['enforced.power.limit', 'power.limit', 'clocks.sm'],
];

/** The columns to query first. */
export const NVIDIA_QUERY: readonly string[] = [...BASIC_QUERY, ...FURTHER_QUERY];

/** The columns of `nvidia-smi --query-gpu`, with memory in MiB. nvidia-smi prints no energy counter. */
export const NVIDIA_COLUMNS: SmiColumns = {
  platform: 'nvidia',
  index: ['index'],
  uuid: ['uuid', 'gpu_uuid'],
  model: ['name', 'gpu_name'],
  pciBusId: ['pci.bus_id', 'gpu_bus_id'],
  device: 'nvidia',
  values: [
    // The instantaneous power follows the load. `power.draw` is an average of the last second on newer GPUs.
    { name: 'power.draw.instant', field: 'nvidia_power_usage', factor: 1 },
    { name: 'power.draw', field: 'nvidia_power_usage', factor: 1 },
    { name: 'utilization.gpu', field: 'nvidia_gpu_utilization', factor: 1 },
    { name: 'utilization.memory', field: 'nvidia_memory_utilization', factor: 1 },
    { name: 'memory.used', field: 'nvidia_memory_used', factor: 1.048576e-3 },
    { name: 'temperature.gpu', field: 'nvidia_temperature', factor: 1 },
    { name: 'utilization.decoder', field: 'nvidia_decoder_utilization', factor: 1 },
    { name: 'utilization.encoder', field: 'nvidia_encoder_utilization', factor: 1 },
    { name: 'utilization.jpeg', field: 'nvidia_jpg_utilization', factor: 1 },
    // Driver 535 renamed the first of these.
    { name: 'clocks_event_reasons.active', field: 'nvidia_clock_event_reasons', factor: 1 },
    { name: 'clocks_throttle_reasons.active', field: 'nvidia_clock_event_reasons', factor: 1 },
    { name: 'enforced.power.limit', field: 'nvidia_power_limit', factor: 1 },
    { name: 'power.limit', field: 'nvidia_power_limit', factor: 1 },
    { name: 'clocks.sm', field: 'nvidia_sm_clock', factor: 1 },
    { name: 'clocks.current.sm', field: 'nvidia_sm_clock', factor: 1 },
  ],
};

/** Returns the arguments for a table of `columns`, printed every `intervalMs` milliseconds. */
export function createNvidiaArguments(columns: readonly string[], intervalMs: number): string[] {
  return [`--query-gpu=${columns.join(',')}`, '--format=csv,nounits', `-lms=${Math.round(intervalMs)}`];
}

/**
 * Returns the column that a line of output rejects, as in `Field "utilization.jpeg" is not a valid field to query.`;
 * undefined for other lines.
 */
export function findRejectedColumn(line: string): string | undefined {
  return /^Field "([^"]+)" is not a valid field to query/i.exec(line.trim())?.[1];
}
