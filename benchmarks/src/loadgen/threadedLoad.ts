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

/** The threads that send requests, and the background scraping during the load. */
export interface ThreadCase {
  /** Number of worker threads that send requests; 0 sends from the main thread. */
  readonly workers: number;
  /** Number of endpoints that are scraped at the same time. */
  readonly scrapedEndpoints: number;
}

/** The result of a load, with the event-loop utilization of the main thread. `cpuS` is NaN. */
export interface ThreadedLoadResult extends LoadResult {
  readonly mainThreadUtilization: number;
}

const INPUTS = { seed: 1, inputTokens: { mean: 32 } };

/**
 * Runs a load in worker threads, or in the main thread if `workers` is 0. Computes the metrics of each request
 * in the main thread, as `servelens profile` does.
 */
export async function runThreadedLoad(
  { workers, scrapedEndpoints }: ThreadCase,
  load: Load,
): Promise<ThreadedLoadResult> {
  const scrape = await startBackgroundScrape(scrapedEndpoints);
  const metrics = new ProfileMetrics({ streaming: load.target.streaming });
  const records: RequestRecord[] = [];
  const onRecord = (record: RequestRecord): void => {
    records.push(record);
    metrics.add(record, computeRequestMetrics(record));
  };
  const workerThreads =
    workers === 0
      ? undefined
      : await openWorkers({
          ...load,
          inputs: { kind: 'synthetic', ...INPUTS },
          workers,
          clock: monotonicClock,
        });
  const utilizationBefore = performance.eventLoopUtilization();
  const run = workerThreads
    ? workerThreads.start({ onRecord })
    : startLoad({ ...load, inputs: createSyntheticInputs(INPUTS), clock: monotonicClock, onRecord });
  const summary = await run.finished;
  const mainThreadUtilization = performance.eventLoopUtilization(utilizationBefore).utilization;
  await workerThreads?.close();
  await scrape.close();
  const { startNs, endNs } = summary.phases.at(-1)!;
  return { records, summary, seconds: (endNs - startNs) / 1e9, cpuS: Number.NaN, mainThreadUtilization };
}

/** Returns the event-loop figures of the client and of the main thread, and the kinds of warnings, as printed. */
export function toThreadFigures({ summary, mainThreadUtilization }: ThreadedLoadResult): object {
  return {
    lag_p99_ms: round(summary.eventLoopDelay.p99Ns / 1e6, 3),
    busy: round(summary.clientBusy, 2),
    main_thread_busy: round(mainThreadUtilization, 2),
    warnings: summary.warnings.map(({ kind }) => kind),
  };
}
