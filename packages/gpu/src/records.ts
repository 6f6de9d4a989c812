import type { GpuTelemetryRecord } from '@org/formats';
import { GPU_METRICS, type Platform } from './metrics.ts';
import type { GpuSample } from './sample.ts';

/** Options of a line of gpu_telemetry_export.jsonl. */
export interface TelemetryRecordOptions {
  /** Whether to omit metrics that AIPerf does not have. */
  readonly isAiperf?: boolean;
}

/** Converts a sample to a line of gpu_telemetry_export.jsonl, with the fields in AIPerf's order. */
export function toTelemetryRecord(
  { gpu, values, timestampNs, source }: GpuSample,
  { isAiperf = false }: TelemetryRecordOptions = {},
): GpuTelemetryRecord {
  const { index, uuid, model, platform, pciBusId, device, hostname, namespace, pod, migInstances } = gpu;
  return {
    gpu_index: index,
    gpu_uuid: uuid,
    gpu_model_name: model,
    ...(pciBusId === undefined ? {} : { pci_bus_id: pciBusId }),
    ...(device === undefined ? {} : { device }),
    ...(hostname === undefined ? {} : { hostname }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(pod === undefined ? {} : { pod_name: pod }),
    platform,
    ...(migInstances === undefined || isAiperf ? {} : { mig_instances: migInstances }),
    timestamp_ns: timestampNs,
    telemetry_source_url: source,
    telemetry_data: Object.fromEntries(
      GPU_METRICS.flatMap(({ field, isAddition }) =>
        Object.hasOwn(values, field) && !(isAiperf && isAddition) ? [[field, values[field]!]] : [],
      ),
    ),
  };
}

/** Converts a line of gpu_telemetry_export.jsonl to a sample. */
export function fromTelemetryRecord(record: GpuTelemetryRecord): GpuSample {
  const { telemetry_data: data } = record;
  const optional = {
    pciBusId: record.pci_bus_id,
    device: record.device,
    hostname: record.hostname,
    namespace: record.namespace,
    pod: record.pod_name,
    migInstances: record.mig_instances,
  };
  return {
    gpu: {
      index: record.gpu_index,
      uuid: record.gpu_uuid,
      model: record.gpu_model_name,
      platform: toPlatform(record),
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value != null)),
    },
    values: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) as Record<
      string,
      number
    >,
    timestampNs: BigInt(record.timestamp_ns),
    source: record.telemetry_source_url ?? record.dcgm_url ?? 'unknown://localhost',
  };
}

function toPlatform({ platform, telemetry_data }: GpuTelemetryRecord): Platform {
  if (platform === 'amd' || platform === 'nvidia') return platform;
  return Object.keys(telemetry_data).some(field => field.startsWith('amd_')) ? 'amd' : 'nvidia';
}
