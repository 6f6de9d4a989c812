import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProfileExport, ServerMetricsDocument } from '@org/formats';
import { onTestFinished } from 'vitest';
import { readCounts } from '../../src/profile/failedRun.ts';
import {
  type PlannedRun,
  planRuns,
  type RepeatPlan,
  type Repetition,
  type Variations,
} from '../../src/repeat/repeatPlan.ts';
import type { RunOutcome } from '../../src/repeat/runOutcome.ts';
import type { RunReport } from '../../src/repeat/runSequence.ts';
import { extractRunStatistics } from '../../src/repeat/runStatistics.ts';

export interface PlanOptions extends Partial<Repetition> {
  /** Concurrencies to sweep. */
  readonly concurrency?: readonly number[];
}

/** Plans the runs of a benchmark: a single run by default. */
export function createPlan({ concurrency, ...repetition }: PlanOptions): RepeatPlan {
  return planRuns(concurrency ? sweepConcurrency(concurrency) : NO_SWEEP, {
    runs: 1,
    cooldownSeconds: 0,
    confidenceLevel: 0.95,
    mode: 'repeated',
    seed: undefined,
    sameSeed: false,
    varySeed: false,
    ...repetition,
  });
}

const NO_SWEEP: Variations = {
  parameters: [],
  variations: [{ index: 0, label: 'base', parameters: {}, values: {} }],
};

function sweepConcurrency(values: readonly number[]): Variations {
  const path = 'phases.profiling.concurrency';
  return {
    parameters: [{ name: 'concurrency', path, values }],
    variations: values.map((value, index) => ({
      index,
      label: `concurrency_${value}`,
      parameters: { concurrency: value },
      values: { [path]: value },
    })),
  };
}

/** Creates a profile export with these latencies in milliseconds. `rate` is the throughput in requests per second. */
export function createExport(latencies: readonly number[], rate: number, extra: object = {}): ProfileExport {
  const sum = latencies.reduce((sum, latency) => sum + latency, 0);
  const sorted = [...latencies].sort((a, b) => a - b);
  return {
    schema_version: '1.3',
    benchmark_id: 'b',
    request_latency: {
      unit: 'ms',
      avg: sum / latencies.length,
      p99: sorted.at(-1)!,
      count: latencies.length,
      sum,
    },
    request_throughput: { unit: 'requests/sec', avg: rate },
    request_count: { unit: 'requests', avg: latencies.length },
    min_request_timestamp: { unit: 'ns', avg: 1_765_793_061_967_310_848n },
    ...extra,
  } as unknown as ProfileExport;
}

/** Creates server metrics with the average number of running requests and the total number of served requests. */
export function createServerMetrics(running: number, served: number): ServerMetricsDocument {
  const endpoint = { endpoint_url: 'http://a:8000/metrics', labels: { model: 'm' } };
  return {
    schema_version: '1.0',
    metrics: {
      running: { type: 'gauge', description: '', series: [{ ...endpoint, stats: { avg: running } }] },
      served: {
        type: 'counter',
        description: '',
        unit: 'requests',
        series: [{ ...endpoint, stats: { total: served, rate: served / 2 } }],
      },
    },
  } as unknown as ServerMetricsDocument;
}

/** Writes a file in the format of profile_export.jsonl with these latencies in milliseconds. Returns its path. */
export function writeRequestsFile(latencies: readonly number[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'repeat-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'profile_export.jsonl');
  const lines = latencies.map(value =>
    JSON.stringify({
      metadata: { request_start_ns: 1 },
      metrics: {
        request_latency: { value, unit: 'ms' },
        inter_chunk_latency: { value: [value / 2, value / 4], unit: 'ms' },
      },
      error: null,
    }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

export function createReport(
  latencies: readonly number[],
  rate: number,
  changes: Partial<RunReport> = {},
): RunReport {
  return {
    document: createExport(latencies, rate),
    requests: 'none.jsonl',
    ...changes,
  };
}

export function createSuccess(run: PlannedRun, report: RunReport): RunOutcome {
  return {
    run,
    counts: readCounts(report.document),
    statistics: extractRunStatistics(report.document, report.servers),
    requests: report.requests,
  };
}

export const SETTINGS = {
  version: '1.2.3',
  confidenceLevel: 0.95,
  cooldownSeconds: 0,
  wasCancelled: false,
} as const;
