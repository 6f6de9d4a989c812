import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine/options.ts';
import type { ServerFault } from './faults/serverFault.ts';
import type { GpuExporter } from './gpu/gpuPage.ts';
import type { DynamoRouter, ServerKind, TrtllmPages } from './profiles/profile.ts';
import type { Load } from './traffic/load.ts';
import { DEFAULT_WORKLOAD, type Workload } from './traffic/workload.ts';

/** Options of a simulated server. */
export interface SimulatorOptions extends Omit<EngineOptions, 'index' | 'startNs'> {
  readonly kind: ServerKind;
  /** Name of the served model. */
  readonly model: string;
  /** Number of engines behind one frontend, each with its own series. */
  readonly engines: number;
  /** Rate of background traffic, in requests/s; 0 for no traffic. */
  readonly arrivalRate: number;
  /** Rate of background traffic over time; replaces `arrivalRate`. */
  readonly load: Load | undefined;
  /** Properties of background requests; its output lengths also apply to HTTP requests. */
  readonly workload: Workload;
  /** Unix time at the start, in ns. A listening server uses the real time instead. */
  readonly startTimeNs: bigint;
  /** Record all observations and requests; takes 8 bytes per observation. */
  readonly recordTruth: boolean;
  readonly trtllm: TrtllmPages;
  /** Number of GPUs, shown on the page of an exporter; 0 for no such page. */
  readonly gpus: number;
  readonly gpuExporter: GpuExporter;
  readonly dynamoRouter: DynamoRouter;
  /** Export how long blocks stay in the KV cache, as vLLM with `--kv-cache-metrics`. */
  readonly kvCacheMetrics: boolean;
  readonly serverFaults: readonly ServerFault[];
}

/** A vLLM server without background traffic. */
export const DEFAULT_SIMULATOR_OPTIONS: SimulatorOptions = {
  ...DEFAULT_ENGINE_OPTIONS,
  kind: 'vllm',
  model: 'servelens/simulated-8b',
  engines: 1,
  arrivalRate: 0,
  load: undefined,
  workload: DEFAULT_WORKLOAD,
  // 2026-01-01T00:00:00Z
  startTimeNs: 1_767_225_600_000_000_000n,
  recordTruth: true,
  trtllm: { json: true, jsonContentType: true, exposition: true },
  gpus: 0,
  gpuExporter: 'dcgm',
  dynamoRouter: 'round-robin',
  kvCacheMetrics: false,
  serverFaults: [],
};
