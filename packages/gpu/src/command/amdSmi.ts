import type { SmiColumns } from './smiTable.ts';

/** The columns of `amd-smi metric --csv`, with energy in joules and memory in MiB. Their names depend on the version. */
export const AMD_COLUMNS: SmiColumns = {
  platform: 'amd',
  index: ['gpu'],
  uuid: ['uuid'],
  model: ['market_name', 'product_name'],
  pciBusId: ['bdf', 'gpu_bdf'],
  device: 'amd',
  values: [
    { name: 'socket_power', field: 'amd_power', factor: 1 },
    { name: 'current_socket_power', field: 'amd_power', factor: 1 },
    { name: 'average_socket_power', field: 'amd_power', factor: 1 },
    { name: 'total_energy_consumption', field: 'amd_energy_consumption', factor: 1e-6 },
    { name: 'gfx_activity', field: 'amd_gfx_activity', factor: 1 },
    { name: 'umc_activity', field: 'amd_umc_activity', factor: 1 },
    { name: 'mm_activity', field: 'amd_mm_activity', factor: 1 },
    { name: 'used_vram', field: 'amd_memory_used', factor: 1.048576e-3 },
    { name: 'vram_used', field: 'amd_memory_used', factor: 1.048576e-3 },
    { name: 'hotspot', field: 'amd_temperature', factor: 1 },
    { name: 'hotspot_temperature', field: 'amd_temperature', factor: 1 },
    { name: 'edge', field: 'amd_temperature', factor: 1 },
    { name: 'edge_temperature', field: 'amd_temperature', factor: 1 },
    { name: 'throttle_status', field: 'amd_throttle_status', factor: 1 },
    { name: 'total_uncorrectable_count', field: 'amd_ecc_uncorrectable', factor: 1 },
  ],
};

/** Minimum time between two tables, in seconds: amd-smi accepts only whole seconds. */
const MIN_INTERVAL_SECONDS = 1;

/** Returns the arguments for a table of all GPUs, printed again and again. */
export function createAmdArguments(intervalMs: number): string[] {
  const seconds = Math.max(MIN_INTERVAL_SECONDS, Math.round(intervalMs / 1000));
  return [
    'metric',
    '--power',
    '--energy',
    '--usage',
    '--temperature',
    '--mem-usage',
    '--csv',
    '--watch',
    `${seconds}`,
  ];
}
