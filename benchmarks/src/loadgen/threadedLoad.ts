import {
  computeRequestMetrics,
  createSyntheticInputs,
  openWorkers,
  ProfileMetrics,
  type RequestRecord,
  startLoad,
} from '@org/loadgen';
import { round } from '../measure/numbers.ts';
import { startBackgroundScrape } from './backgroundScrape.ts';
import { type Load, type LoadResult, monotonicClock } from './load.ts';

/** Configuration of a load in worker threads. */
export interface ThreadCase {
  /** Number of worker threads that send requests; 0 sends from the main thread. */
  readonly workers: number;
  /** Number of endpoints that are scraped at the same time. */
  readonly scraped: number;
}

const INPUTS = { seed: 1, inputTokens: { mean: 32 } };

/**
 * Runs a load in worker threads and computes the metrics of each request in the main thread, as `servelens
 * profile` does.
 */
export async function runThreadedLoad(
  { workers, scraped }: ThreadCase,
  load: Load,
): Promise<LoadResult & { readonly busy: number }> {
  const scrape = await startBackgroundScrape(scraped);
  const metrics = new ProfileMetrics({ streaming: load.target.streaming });
  const records: RequestRecord[] = [];
  const onRecord = (record: RequestRecord): void => {
    records.push(record);
    metrics.add(record, computeRequestMetrics(record));
  };
  const workerTeam =
    workers === 0
      ? undefined
      : await openWorkers({
          ...load,
          inputs: { kind: 'synthetic', ...INPUTS },
          workers,
          clock: monotonicClock,
        });
  const utilizationBefore = performance.eventLoopUtilization();
  const run = workerTeam
    ? workerTeam.start({ onRecord })
    : startLoad({ ...load, inputs: createSyntheticInputs(INPUTS), clock: monotonicClock, onRecord });
  const summary = await run.finished;
  const busy = performance.eventLoopUtilization(utilizationBefore).utilization;
  await workerTeam?.close();
  await scrape.close();
  const { startNs, endNs } = summary.phases.at(-1)!;
  return { records, summary, seconds: (endNs - startNs) / 1e9, cpuS: Number.NaN, busy };
}

/** Returns the client's figures about its own event loop, and the utilization of the main thread. */
export function toThreadFigures({ summary, busy }: LoadResult & { readonly busy: number }): object {
  return {
    lag_p99_ms: round(summary.eventLoopDelay.p99Ns / 1e6, 3),
    busy: round(summary.clientBusy, 2),
    this_thread_busy: round(busy, 2),
    warnings: summary.warnings.map(({ kind }) => kind),
  };
}
