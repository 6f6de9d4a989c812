import { createReadStream } from 'node:fs';
import { describeSystemError } from '@org/core';
import {
  AIPERF_VERSION,
  type CollatedMetric,
  type FailedRun,
  type ProfileCollated,
  type ProfileRecord,
} from '@org/formats';
import { isSourceError, isWarmupRecord, splitLines } from '@org/formats/read';
import { Distribution } from '@org/loadgen';
import { MIN_INTERVAL_RUNS } from '@org/record';
import { countRuns, filterSuccesses, listFailedRuns, type RunOutcome } from './runOutcome.ts';

/** Thrown if the requests file of a run cannot be read or is invalid. */
export class RequestsError extends Error {
  override readonly name = 'RequestsError';
}

/** The values of one metric: the distribution over all runs, and totals by run label. */
interface MetricPool {
  readonly unit: string;
  readonly distribution: Distribution;
  readonly byRun: Map<string, { sum: number; count: number }>;
}

/** Reports whether at least two runs succeeded, and all successful runs export their requests. */
export function canCollate(outcomes: readonly RunOutcome[]): boolean {
  const successes = filterSuccesses(outcomes);
  return successes.length >= MIN_INTERVAL_RUNS && successes.every(({ requests }) => requests !== undefined);
}

/**
 * Creates profile_export_aiperf_collated.json: statistics of the profiling requests of all successful runs of a
 * variation as one population. Returns undefined if these cannot be collated.
 *
 * Reads the requests files line by line and keeps only the metric values. As in single runs, percentiles of
 * many values are estimates.
 *
 * Throws `RequestsError` if a requests file cannot be read or contains an invalid line.
 */
export async function createCollated(
  outcomes: readonly RunOutcome[],
  version: string,
): Promise<ProfileCollated | undefined> {
  const successes = filterSuccesses(outcomes);
  if (!canCollate(outcomes)) return undefined;
  const pools = new Map<string, MetricPool>();
  for (const { run, requests } of successes) await addRequests(pools, run.label, requests!);
  const failedRuns: FailedRun[] = listFailedRuns(outcomes, ({ label }) => label);
  return {
    schema_version: '1.0.0',
    aiperf_version: AIPERF_VERSION,
    servelens_version: version,
    description: 'Metrics of the requests of all successful runs combined, and of each run separately.',
    metadata: {
      aggregation_type: 'detailed',
      num_profile_runs: countRuns(outcomes),
      num_successful_runs: successes.length,
      failed_runs: failedRuns,
    },
    metrics: Object.fromEntries([...pools].map(([tag, pool]) => [tag, toCollatedMetric(pool)])),
  };
}

async function addRequests(pools: Map<string, MetricPool>, label: string, path: string): Promise<void> {
  for await (const metrics of readMetrics(path)) {
    for (const [tag, { value, unit }] of Object.entries(metrics)) {
      const pool = getPool(pools, tag, unit);
      const runTotals = pool.byRun.get(label) ?? { sum: 0, count: 0 };
      pool.byRun.set(label, runTotals);
      for (const item of Array.isArray(value) ? value : [value]) {
        pool.distribution.add(item);
        runTotals.sum += item;
        runTotals.count += 1;
      }
    }
  }
}

type LineMetrics = Readonly<Record<string, { value: number | readonly number[]; unit: string }>>;

async function* readMetrics(path: string): AsyncGenerator<LineMetrics> {
  try {
    for await (const { number, bytes } of splitLines(createReadStream(path))) {
      const line = Buffer.from(bytes).toString();
      const metrics = line.trim() === '' ? undefined : parseMetrics(line, number, path);
      if (metrics) yield metrics;
    }
  } catch (error) {
    if (!isSourceError(error)) throw error;
    const message =
      'syscall' in error ? `cannot read ${path}: ${describeSystemError(error)}` : `${path}: ${error.message}`;
    throw new RequestsError(message, { cause: error });
  }
}

/**
 * Parses the metrics of a line; undefined for a request of the warm-up. `JSON.parse` rounds 19-digit timestamps, but
 * these are not used. Throws `RequestsError`, for example if a full disk has truncated the line.
 */
function parseMetrics(line: string, lineNumber: number, path: string): LineMetrics | undefined {
  try {
    const { metadata, metrics } = JSON.parse(line) as Partial<ProfileRecord>;
    if (metrics && metadata && isWarmupRecord({ metadata })) return undefined;
    if (metrics) return metrics as LineMetrics;
  } catch (error) {
    throw new RequestsError(`line ${lineNumber} of ${path} is not a request`, { cause: error });
  }
  throw new RequestsError(`line ${lineNumber} of ${path} is not a request: it has no metrics`);
}

function getPool(pools: Map<string, MetricPool>, tag: string, unit: string): MetricPool {
  const existingPool = pools.get(tag);
  if (existingPool) return existingPool;
  const newPool: MetricPool = { unit, distribution: new Distribution(), byRun: new Map() };
  pools.set(tag, newPool);
  return newPool;
}

function toCollatedMetric({ unit, distribution, byRun }: MetricPool): CollatedMetric {
  const { avg, std, p50, p90, p95, p99, count } = distribution.computeStats()!;
  return {
    unit,
    combined: { mean: avg, std, p50, p90, p95, p99, count },
    per_run: [...byRun].map(([label, { sum, count }]) => ({ label, mean: sum / count, count })),
  };
}
