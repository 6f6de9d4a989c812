import type { Page } from '../profiles/profile.ts';
import { type GpuModel, type GpuState, LIMIT_WATTS } from './gpuModel.ts';

/** The exporters that can be simulated. `dcgm-mig`: each GPU is divided into two MIG instances. */
export const GPU_EXPORTERS = ['dcgm', 'dcgm-mig', 'amd'] as const;

export type GpuExporter = (typeof GPU_EXPORTERS)[number];

/** A metric of an exporter, and its value for a GPU. */
interface GpuMetric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly value: (state: GpuState) => number;
}

const DCGM_METRICS: readonly GpuMetric[] = [
  { name: 'DCGM_FI_DEV_POWER_USAGE', type: 'gauge', help: 'Power draw (in W).', value: ({ watts }) => watts },
  {
    name: 'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION',
    type: 'counter',
    help: 'Total energy consumption since boot (in mJ).',
    value: ({ joules }) => Math.round(joules * 1000),
  },
  {
    name: 'DCGM_FI_DEV_GPU_UTIL',
    type: 'gauge',
    help: 'GPU utilization (in %).',
    value: ({ utilization }) => Math.round(utilization * 100),
  },
  {
    name: 'DCGM_FI_PROF_SM_ACTIVE',
    type: 'gauge',
    help: 'The ratio of cycles an SM has at least 1 warp assigned.',
    value: ({ utilization }) => utilization * 0.8,
  },
  {
    name: 'DCGM_FI_DEV_FB_USED',
    type: 'gauge',
    help: 'Framebuffer memory used (in MiB).',
    value: () => 72_000,
  },
  {
    name: 'DCGM_FI_DEV_GPU_TEMP',
    type: 'gauge',
    help: 'GPU temperature (in C).',
    value: ({ celsius }) => celsius,
  },
  {
    name: 'DCGM_FI_DEV_XID_ERRORS',
    type: 'gauge',
    help: 'Value of the last XID error encountered.',
    value: ({ xid }) => xid,
  },
  {
    name: 'DCGM_FI_DEV_SM_CLOCK',
    type: 'gauge',
    help: 'SM clock frequency (in MHz).',
    value: ({ smMegahertz }) => smMegahertz,
  },
  {
    name: 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS',
    type: 'gauge',
    help: 'Current clock event reasons (bitmask).',
    value: ({ clockEventReasons }) => clockEventReasons,
  },
  {
    name: 'DCGM_FI_DEV_POWER_MGMT_LIMIT',
    type: 'gauge',
    help: 'Power limit (in W).',
    value: () => LIMIT_WATTS,
  },
  {
    name: 'DCGM_FI_DEV_POWER_VIOLATION',
    type: 'counter',
    help: 'Throttling duration due to power constraints (in ns).',
    value: ({ powerViolationNs }) => powerViolationNs,
  },
  {
    name: 'DCGM_FI_DEV_THERMAL_VIOLATION',
    type: 'counter',
    help: 'Throttling duration due to thermal constraints (in ns).',
    value: ({ thermalViolationNs }) => thermalViolationNs,
  },
];

/** AMD's exporter declares all metrics as gauges. */
const AMD_METRICS: readonly GpuMetric[] = [
  {
    name: 'gpu_package_power',
    type: 'gauge',
    help: 'Current socket power in Watts',
    value: ({ watts }) => watts,
  },
  {
    name: 'gpu_energy_consumed',
    type: 'gauge',
    help: 'Accumulated energy consumed by the GPU in uJ',
    value: ({ joules }) => Math.round(joules * 1e6),
  },
  {
    name: 'gpu_gfx_activity',
    type: 'gauge',
    help: 'Graphics engine usage percentage (0 - 100)',
    value: ({ utilization }) => Math.round(utilization * 100),
  },
  { name: 'gpu_used_vram', type: 'gauge', help: 'Total VRAM memory used in MB', value: () => 180_000 },
  {
    name: 'gpu_junction_temperature',
    type: 'gauge',
    help: 'Hotspot (aka junction) temperature in Celsius',
    value: ({ celsius }) => celsius,
  },
];

/** Metrics that are not available for MIG instances. */
const WHOLE_GPU_METRICS: readonly string[] = ['DCGM_FI_DEV_GPU_UTIL'];

/** The labels of the MIG instances of each GPU. */
const MIG_INSTANCES = ['GPU_I_PROFILE="3g.40gb",GPU_I_ID="1"', 'GPU_I_PROFILE="4g.40gb",GPU_I_ID="2"'];

/** Creates the page of an exporter for the GPUs of a simulated server. */
export function createGpuPage(exporter: GpuExporter, gpus: GpuModel, getNowNs: () => number): Page {
  const metrics = exporter === 'amd' ? AMD_METRICS : DCGM_METRICS;
  return {
    name: 'gpus',
    path: '/gpus/metrics',
    port: 'main',
    format: 'text',
    supportsGzip: false,
    read() {
      const states = gpus.read(getNowNs());
      const lines = metrics
        .filter(({ name }) => exporter !== 'dcgm-mig' || !WHOLE_GPU_METRICS.includes(name))
        .flatMap(metric => [
          `# HELP ${metric.name} ${metric.help}`,
          `# TYPE ${metric.name} ${metric.type}`,
          ...states.flatMap(state => formatSamples(exporter, metric, state)),
        ]);
      return { body: `${lines.join('\n')}\n`, contentType: 'text/plain; version=0.0.4; charset=utf-8' };
    },
  };
}

function formatSamples(exporter: GpuExporter, { name, value }: GpuMetric, state: GpuState): string[] {
  const labels = formatLabels(exporter, state.index);
  const instances = exporter === 'dcgm-mig' ? MIG_INSTANCES.map(instance => `,${instance}`) : [''];
  // The memory of a GPU is divided among its instances; dcgm-exporter repeats all other values for each of them.
  const share = name === 'DCGM_FI_DEV_FB_USED' ? instances.length : 1;
  return instances.map(instance => `${name}{${labels}${instance}} ${value(state) / share}`);
}

function formatLabels(exporter: GpuExporter, index: number): string {
  const number = String(index).padStart(4, '0');
  return exporter === 'amd'
    ? `gpu_id="${index}",card_model="Instinct MI300X",serial_number="SIM-${number}",hostname="simulated"`
    : `gpu="${index}",UUID="GPU-00000000-0000-0000-0000-00000000${number}",pci_bus_id="00000000:0${index % 10}:00.0",device="nvidia${index}",modelName="NVIDIA H100 80GB HBM3",Hostname="simulated"`;
}
