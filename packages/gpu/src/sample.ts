import type { Platform } from './metrics.ts';

/** A GPU, as described by its source. */
export interface Gpu {
  /** Index on its host, from 0. */
  readonly index: number;
  /** UUID, or another text that identifies the GPU on its source. */
  readonly uuid: string;
  readonly model: string;
  readonly platform: Platform;
  readonly pciBusId?: string;
  readonly device?: string;
  readonly hostname?: string;
  readonly namespace?: string;
  readonly pod?: string;
  /** Number of MIG instances that the GPU is divided into, if its source names them. */
  readonly migInstances?: number;
}

/** Values of one GPU at one time, by field, in the units of `GPU_METRICS`. */
export interface GpuReading {
  readonly gpu: Gpu;
  readonly values: Readonly<Record<string, number>>;
}

/** A reading with its time and source. */
export interface GpuSample extends GpuReading {
  /** Nanoseconds since 1970. */
  readonly timestampNs: bigint;
  /** URL of the exporter, or the name of a local source such as `pynvml://localhost`. */
  readonly source: string;
}
