import { defaultEngineOptions, type EngineOptions } from './engine/options.ts';
import type { Load } from './load.ts';
import type { ServerKind, TrtllmPages } from './profiles/profile.ts';
import { defaultWorkload, type Workload } from './traffic.ts';

/** What a simulator can be told. */
export interface SimulatorOptions extends Omit<EngineOptions, 'index' | 'startNs'> {
  readonly kind: ServerKind;
  /** Name of the served model. */
  readonly model: string;
  /** Engines behind one front end, each with series of its own. */
  readonly engines: number;
  /** Requests/s that arrive by themselves; 0 for none. */
  readonly arrivalRate: number;
  /** An arrival rate that changes; takes the place of `arrivalRate`. */
  readonly load: Load | undefined;
  /** What the requests that arrive by themselves are like, and how long answers to HTTP clients are. */
  readonly workload: Workload;
  /** Wall time at the start, ns since 1970. A server that listens starts when it does. */
  readonly startTimeNs: bigint;
  /** Whether all observations and requests are kept. Takes 8 bytes an observation. */
  readonly recordTruth: boolean;
  readonly trtllm: TrtllmPages;
}

export const defaultSimulatorOptions: SimulatorOptions = {
  ...defaultEngineOptions,
  kind: 'vllm',
  model: 'servelens/simulated-8b',
  engines: 1,
  arrivalRate: 0,
  load: undefined,
  workload: defaultWorkload,
  // 2026-01-01T00:00:00Z
  startTimeNs: 1_767_225_600_000_000_000n,
  recordTruth: true,
  trtllm: { json: true, jsonContentType: true, exposition: true },
};
