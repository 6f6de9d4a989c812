// Generated from urn:servelens:schema:gpu-telemetry-record:1.0 by scripts/generate.mjs. Do not edit.

/**
 * A line of gpu_telemetry_export.jsonl: one sample of one GPU.
 */
export interface GpuTelemetryRecord {
  /**
   * Index of the GPU on its host, from 0.
   */
  readonly gpu_index: number;
  /**
   * UUID of the GPU.
   */
  readonly gpu_uuid: string;
  /**
   * Model of the GPU.
   */
  readonly gpu_model_name: string;
  /**
   * PCI bus id of the GPU.
   */
  readonly pci_bus_id?: string | null;
  /**
   * Device name, such as nvidia0.
   */
  readonly device?: string | null;
  /**
   * Host of the GPU.
   */
  readonly hostname?: string | null;
  /**
   * Kubernetes namespace of the pod that uses the GPU.
   */
  readonly namespace?: string | null;
  /**
   * Kubernetes pod that uses the GPU.
   */
  readonly pod_name?: string | null;
  /**
   * Platform of the GPU: nvidia, amd or unknown.
   */
  readonly platform?: string;
  /**
   * Number of MIG instances that the GPU is divided into. Absent without MIG, or if it is unknown.
   */
  readonly mig_instances?: number;
  /**
   * Time of the sample.
   */
  readonly timestamp_ns: bigint;
  /**
   * URL of the telemetry endpoint, or the name of a local collector.
   */
  readonly telemetry_source_url?: string;
  /**
   * URL of the telemetry endpoint, in files of AIPerf before 0.12.
   */
  readonly dcgm_url?: string;
  /**
   * Values by metric name. A metric without a value in this sample is absent.
   */
  readonly telemetry_data: {
    readonly [k: string]: number | null;
  };
}
