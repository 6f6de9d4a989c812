import { cpuUsage, hrtime } from 'node:process';
import {
  type LoadOptions,
  type LoadSummary,
  type RequestRecord,
  startLoad,
  syntheticInputs,
} from '@org/loadgen';

/** A load and what it took. */
export interface Loaded {
  readonly records: readonly RequestRecord[];
  readonly summary: LoadSummary;
  /** Of profiling, seconds by the wall. */
  readonly seconds: number;
  /** Processor time of the client, seconds. */
  readonly cpuS: number;
}

/** A load without its inputs and callbacks. */
export type Load = Pick<LoadOptions, 'target' | 'profiling' | 'warmup' | 'keepText'>;

/** The "wall" of these runs is the system's monotonic clock: the servers stamp by the same. */
export const monotonicClock: LoadOptions['clock'] = {
  nowNs: () => hrtime.bigint(),
  monotonicMs: () => performance.now(),
};

/** Runs a load to its end. Throws when a request failed. */
export async function load(
  url: string,
  path: string | undefined,
  options: Partial<LoadOptions> & Pick<LoadOptions, 'profiling'>,
): Promise<Loaded> {
  const records: RequestRecord[] = [];
  const cpu = cpuUsage();
  const run = startLoad({
    clock: monotonicClock,
    target: { urls: [url], model: 'm', streaming: true, ...(path === undefined ? {} : { path }) },
    inputs: syntheticInputs({ seed: 1, inputTokens: { mean: 32 } }),
    ...options,
    onRecord: record => records.push(record),
  });
  const summary = await run.finished;
  const { user, system } = cpuUsage(cpu);
  const failed = records.find(({ failure }) => failure && failure.type !== 'Interrupted');
  if (failed) throw new Error(`a request failed: ${JSON.stringify(failed.failure)}`);
  const { startNs, endNs } = summary.phases.at(-1)!;
  return { records, summary, seconds: (endNs - startNs) / 1e9, cpuS: (user + system) / 1e6 };
}

/** The requests that count. */
export function profiled({ records }: Loaded): readonly RequestRecord[] {
  return records.filter(({ phase }) => phase === 'profiling');
}

/** The value below which the share lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
