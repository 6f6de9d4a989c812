import {
  openWorkers,
  ProfileMetrics,
  type RequestRecord,
  requestMetrics,
  startLoad,
  syntheticInputs,
} from '@org/loadgen';
import { scrapeBeside } from './beside.ts';
import { type Load, type Loaded, monotonicClock, rounded } from './load.ts';

/** What a thread count is measured with. */
export interface ThreadCase {
  /** Threads of their own that send; 0 is the one of everything else. */
  readonly workers: number;
  /** Endpoints that are scraped beside. */
  readonly scraped: number;
}

const INPUTS = { seed: 1, inputTokens: { mean: 32 } };

/** Runs a load in so many threads, and measures each request in this one, as `servelens profile` does. */
export async function loadInThreads(
  { workers, scraped }: ThreadCase,
  load: Load,
): Promise<Loaded & { readonly busy: number }> {
  const beside = await scrapeBeside(scraped);
  const metrics = new ProfileMetrics({ streaming: load.target.streaming });
  const records: RequestRecord[] = [];
  const onRecord = (record: RequestRecord): void => {
    records.push(record);
    metrics.add(record, requestMetrics(record));
  };
  const team =
    workers === 0
      ? undefined
      : await openWorkers({
          ...load,
          inputs: { kind: 'synthetic', ...INPUTS },
          workers,
          clock: monotonicClock,
        });
  const used = performance.eventLoopUtilization();
  const run = team
    ? team.start({ onRecord })
    : startLoad({ ...load, inputs: syntheticInputs(INPUTS), clock: monotonicClock, onRecord });
  const summary = await run.finished;
  const busy = performance.eventLoopUtilization(used).utilization;
  await team?.close();
  await beside.close();
  const { startNs, endNs } = summary.phases.at(-1)!;
  return { records, summary, seconds: (endNs - startNs) / 1e9, cpuS: Number.NaN, busy };
}

/** What the client says of itself in such a run. */
export function threadFigures({ summary, busy }: Loaded & { readonly busy: number }): object {
  return {
    lag_p99_ms: rounded(summary.eventLoopLag.p99Ns / 1e6),
    busy: rounded(summary.clientBusy, 2),
    this_thread_busy: rounded(busy, 2),
    warnings: summary.warnings.map(({ kind }) => kind),
  };
}
