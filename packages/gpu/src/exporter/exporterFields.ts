import type { Platform } from '../metrics.ts';

/** A metric of an exporter: the field that it becomes, and the factor between their units. */
export interface ExporterField {
  readonly field: string;
  readonly factor: number;
}

/** The labels and metrics of an exporter. */
export interface Exporter {
  readonly platform: Platform;
  /** Label with the index of a GPU on its host. Series without it are ignored. */
  readonly indexLabel: string;
  readonly labels: {
    readonly uuid: readonly string[];
    readonly model: readonly string[];
    readonly hostname: readonly string[];
    readonly pciBusId: readonly string[];
    readonly device: readonly string[];
    /** Labels of a Kubernetes pod that uses the GPU. After a relabeling, `pod` is the pod of the exporter. */
    readonly namespace: readonly string[];
    readonly pod: readonly string[];
    /** Identifies a MIG instance of the GPU. */
    readonly instance: readonly string[];
    readonly profile: readonly string[];
  };
  /** Exported metrics, by name without `_total`. If several become one field, the first with a value is used. */
  readonly metrics: ReadonlyMap<string, ExporterField>;
}

/** Bytes of a MiB in GB. */
const GB_PER_MIB = 1.048576e-3;

/** NVIDIA's dcgm-exporter. Energy is in millijoules, memory in MiB, and violations in nanoseconds. */
const DCGM: Exporter = {
  platform: 'nvidia',
  indexLabel: 'gpu',
  labels: {
    uuid: ['UUID', 'uuid'],
    model: ['modelName'],
    hostname: ['Hostname', 'hostname'],
    pciBusId: ['pci_bus_id'],
    device: ['device'],
    namespace: ['exported_namespace', 'namespace'],
    pod: ['exported_pod', 'pod'],
    instance: ['GPU_I_ID'],
    profile: ['GPU_I_PROFILE'],
  },
  metrics: listMetrics([
    ['DCGM_FI_DEV_POWER_USAGE', 'nvidia_power_usage'],
    ['DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION', 'nvidia_energy_consumption', 1e-9],
    ['DCGM_FI_DEV_GPU_UTIL', 'nvidia_gpu_utilization'],
    ['DCGM_FI_DEV_MEM_COPY_UTIL', 'nvidia_memory_utilization'],
    ['DCGM_FI_DEV_FB_USED', 'nvidia_memory_used', GB_PER_MIB],
    ['DCGM_FI_DEV_GPU_TEMP', 'nvidia_temperature'],
    ['DCGM_FI_PROF_SM_ACTIVE', 'nvidia_sm_utilization', 100],
    ['DCGM_FI_DEV_DEC_UTIL', 'nvidia_decoder_utilization'],
    ['DCGM_FI_DEV_ENC_UTIL', 'nvidia_encoder_utilization'],
    ['DCGM_FI_DEV_XID_ERRORS', 'nvidia_xid_errors'],
    ['DCGM_FI_DEV_POWER_VIOLATION', 'nvidia_power_violation', 1e-3],
    // DCGM 4 renamed the first of these. The enforced limit is the lowest of all limits of the GPU.
    ['DCGM_FI_DEV_CLOCKS_EVENT_REASONS', 'nvidia_clock_event_reasons'],
    ['DCGM_FI_DEV_CLOCK_THROTTLE_REASONS', 'nvidia_clock_event_reasons'],
    ['DCGM_FI_DEV_ENFORCED_POWER_LIMIT', 'nvidia_power_limit'],
    ['DCGM_FI_DEV_POWER_MGMT_LIMIT', 'nvidia_power_limit'],
    ['DCGM_FI_DEV_SM_CLOCK', 'nvidia_sm_clock'],
    ['DCGM_FI_DEV_THERMAL_VIOLATION', 'nvidia_thermal_violation', 1e-3],
  ]),
};

/**
 * AMD's device-metrics-exporter. Energy is in microjoules and memory in MiB. Each generation of GPUs has another power
 * metric.
 */
const AMD: Exporter = {
  platform: 'amd',
  indexLabel: 'gpu_id',
  labels: {
    uuid: ['gpu_uuid', 'serial_number'],
    model: ['card_model', 'card_series'],
    hostname: ['hostname'],
    pciBusId: ['pcie_bus_id'],
    device: [],
    namespace: ['exported_namespace', 'namespace'],
    pod: ['exported_pod', 'pod'],
    instance: [],
    profile: [],
  },
  metrics: listMetrics([
    ['gpu_package_power', 'amd_power'],
    ['gpu_average_package_power', 'amd_power'],
    ['gpu_power_usage', 'amd_power'],
    ['gpu_energy_consumed', 'amd_energy_consumption', 1e-12],
    ['gpu_gfx_activity', 'amd_gfx_activity'],
    ['gpu_umc_activity', 'amd_umc_activity'],
    ['gpu_mma_activity', 'amd_mm_activity'],
    ['gpu_used_vram', 'amd_memory_used', GB_PER_MIB],
    ['gpu_junction_temperature', 'amd_temperature'],
    ['gpu_edge_temperature', 'amd_temperature'],
    ['gpu_ecc_uncorrect_total', 'amd_ecc_uncorrectable'],
    ['gpu_ecc_uncorrect', 'amd_ecc_uncorrectable'],
  ]),
};

/** The supported exporters. */
export const EXPORTERS: readonly Exporter[] = [DCGM, AMD];

/** Reports whether a metric of an exporter, named without `_total`, is recorded. */
export function isExporterMetric(name: string): boolean {
  return EXPORTERS.some(({ metrics }) => metrics.has(name));
}

function listMetrics(
  rows: readonly (readonly [name: string, field: string, factor?: number])[],
): ReadonlyMap<string, ExporterField> {
  return new Map(rows.map(([name, field, factor = 1]) => [name, { field, factor }]));
}
