import { cpuUsage, hrtime } from 'node:process';
import {
  createSyntheticInputs,
  type LoadOptions,
  type LoadSummary,
  type RequestRecord,
  startLoad,
} from '@org/loadgen';

/** The request records of a load, with its duration and CPU time. */
export interface LoadResult {
  readonly records: readonly RequestRecord[];
  readonly summary: LoadSummary;
  /** Duration of the profiling phase, in seconds. */
  readonly seconds: number;
  /** CPU time of the client, in seconds. */
  readonly cpuS: number;
}

/** Options of a load, without inputs and callbacks. */
export type Load = Pick<LoadOptions, 'target' | 'profiling' | 'warmup' | 'keepText'>;

/**
 * The clock of the load generator: the monotonic clock of the system, which the servers also use for their
 * timestamps.
 */
export const monotonicClock: LoadOptions['clock'] = {
  nowNs: () => hrtime.bigint(),
  monotonicMs: () => performance.now(),
};

/** Runs a load to completion. Throws if a request failed; requests that were interrupted at the end are accepted. */
export async function runLoad(
  url: string,
  path: string | undefined,
  options: Partial<LoadOptions> & Pick<LoadOptions, 'profiling'>,
): Promise<LoadResult> {
  const records: RequestRecord[] = [];
  const cpu = cpuUsage();
  const run = startLoad({
    clock: monotonicClock,
    target: { urls: [url], model: 'm', streaming: true, ...(path === undefined ? {} : { path }) },
    inputs: createSyntheticInputs({ seed: 1, inputTokens: { mean: 32 } }),
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

/** Computes the mean number of concurrent requests during the profiling phase. */
export function computeMeanStreams(result: Pick<LoadResult, 'records' | 'seconds'>): number {
  const durationsNs = getProfilingRecords(result).map(({ startNs, endNs }) => endNs - startNs);
  return durationsNs.reduce((sum, duration) => sum + duration, 0) / 1e9 / result.seconds;
}

/** Returns the requests of the profiling phase. */
export function getProfilingRecords({ records }: Pick<LoadResult, 'records'>): readonly RequestRecord[] {
  return records.filter(({ phase }) => phase === 'profiling');
}
