import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CollatedMetric, FailedRun, ProfileCollated } from '@org/formats';
import { Distribution } from '@org/loadgen';
import { describeSystemError } from '@org/scrape';
import { LEAST_RUNS } from './interval.ts';
import { failedRuns, type RunOutcome, successes } from './outcome.ts';

/** The requests of a run cannot be read. */
export class RequestsError extends Error {
  override readonly name = 'RequestsError';
}

/** Values of one metric: of all runs, and run by run. */
interface Pooled {
  readonly unit: string;
  readonly all: Distribution;
  readonly byRun: Map<string, { sum: number; count: number }>;
}

/**
 * profile_export_aiperf_collated.json: the requests of all successful runs of a variation as one population (seed 004). They
 * are read back from the files of the runs, line by line, so that only their values are in memory; beyond a bound percentiles
 * are estimates, as in the runs themselves. Undefined when fewer than two runs succeeded.
 *
 * @throws RequestsError when a file of requests cannot be read, or has a line that is none.
 */
export async function collatedDocument(
  outcomes: readonly RunOutcome[],
  version: string,
): Promise<ProfileCollated | undefined> {
  const good = successes(outcomes);
  if (good.length < LEAST_RUNS) return undefined;
  const pool = new Map<string, Pooled>();
  for (const { run, requests } of good) await pourInto(pool, run.label, requests);
  const failed: FailedRun[] = failedRuns(outcomes, ({ label }) => label);
  return {
    schema_version: '1.0.0',
    aiperf_version: version,
    description: 'The requests of all successful runs as one population, and each run by itself.',
    metadata: {
      aggregation_type: 'detailed',
      num_profile_runs: outcomes.length,
      num_successful_runs: good.length,
      failed_runs: failed,
    },
    metrics: Object.fromEntries([...pool].map(([tag, pooled]) => [tag, collated(pooled)])),
  };
}

async function pourInto(pool: Map<string, Pooled>, label: string, path: string): Promise<void> {
  for await (const metrics of metricsIn(path)) {
    for (const [tag, { value, unit }] of Object.entries(metrics)) {
      const pooled = pooledOf(pool, tag, unit);
      const own = pooled.byRun.get(label) ?? { sum: 0, count: 0 };
      pooled.byRun.set(label, own);
      for (const one of Array.isArray(value) ? value : [value]) {
        pooled.all.add(one);
        own.sum += one;
        own.count += 1;
      }
    }
  }
}

type LineMetrics = Readonly<Record<string, { value: number | readonly number[]; unit: string }>>;

async function* metricsIn(path: string): AsyncGenerator<LineMetrics> {
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      number += 1;
      if (line !== '') yield metricsOf(line, number, path);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new RequestsError(`cannot read ${path}: ${describeSystemError(error)}`, { cause: error });
  }
}

/** Times of 19 digits are not used here, so that they may lose their last ones. A full disk may have cut a line. */
function metricsOf(line: string, number: number, path: string): LineMetrics {
  try {
    const { metrics } = JSON.parse(line) as { metrics?: LineMetrics };
    if (metrics) return metrics;
  } catch (error) {
    throw new RequestsError(`line ${number} of ${path} is no request`, { cause: error });
  }
  throw new RequestsError(`line ${number} of ${path} is no request: it has no metrics`);
}

function pooledOf(pool: Map<string, Pooled>, tag: string, unit: string): Pooled {
  const known = pool.get(tag);
  if (known) return known;
  const made: Pooled = { unit, all: new Distribution(), byRun: new Map() };
  pool.set(tag, made);
  return made;
}

function collated({ unit, all, byRun }: Pooled): CollatedMetric {
  const { avg, std, p50, p90, p95, p99, count } = all.stats()!;
  return {
    unit,
    combined: { mean: avg, std, p50, p90, p95, p99, count },
    per_run: [...byRun].map(([label, { sum, count }]) => ({ label, mean: sum / count, count })),
  };
}
