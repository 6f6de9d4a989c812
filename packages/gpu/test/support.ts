import { GpuHistory } from '../src/history.ts';
import type { Platform } from '../src/metrics.ts';
import type { Gpu } from '../src/sample.ts';

/** Creates a GPU with an index. */
export function createGpu(index: number, platform: Platform = 'nvidia'): Gpu {
  return { index, uuid: `UUID-${platform}-${index}`, model: 'Test GPU', platform };
}

/** Samples of one GPU: the time in seconds, and its values. */
export type Samples = readonly (readonly [seconds: number, values: Readonly<Record<string, number>>])[];

/** Creates a history from the samples of several GPUs of one source. */
export function createHistory(gpus: readonly (readonly [gpu: Gpu, samples: Samples])[]): GpuHistory {
  const history = new GpuHistory(0n);
  for (const [gpu, samples] of gpus)
    for (const [seconds, values] of samples)
      history.add({
        gpu,
        values,
        timestampNs: BigInt(Math.round(seconds * 1e9)),
        source: 'http://node1:9400/metrics',
      });
  return history;
}

/** Creates a window from times in seconds. */
export function createWindow(start: number, end: number): { startNs: number; endNs: number } {
  return { startNs: start * 1e9, endNs: end * 1e9 };
}
