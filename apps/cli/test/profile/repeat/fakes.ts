import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProfileExport, ServerMetricsDocument } from '@org/formats';
import type { RunOutcome, RunReport } from '@org/run/repeat';
import { type PlannedRun, planRuns, type RunPlan, runFigures } from '@org/run/repeat';
import { onTestFinished } from 'vitest';
import { readVariations } from '../../../src/profile/repeat/lists.ts';
import { readRepetition } from '../../../src/profile/repeat/repetition.ts';

/** The plan of these options, as yargs leaves them. */
export function planOf(raw: Readonly<Record<string, unknown>>): RunPlan {
  const variations = readVariations(raw);
  return planRuns(variations, readRepetition(raw, variations.parameters.length > 0));
}

/** A profile export of requests with these latencies (ms) and this rate. */
export function exportOf(latencies: readonly number[], rate: number, extra: object = {}): ProfileExport {
  const sum = latencies.reduce((all, one) => all + one, 0);
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

/** Server metrics in which so many requests ran on average, and so many were served. */
export function serversOf(running: number, served: number): ServerMetricsDocument {
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

/** A file of requests with these latencies, as profile_export.jsonl has them. */
export function requestsFile(latencies: readonly number[]): string {
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

export function reportOf(
  latencies: readonly number[],
  rate: number,
  more: Partial<RunReport> = {},
): RunReport {
  return {
    document: exportOf(latencies, rate),
    requests: 'none.jsonl',
    succeeded: latencies.length,
    failed: 0,
    wasCancelled: false,
    ...more,
  };
}

export function successOf(run: PlannedRun, report: RunReport): RunOutcome {
  return { run, figures: runFigures(report.document, report.servers), requests: report.requests };
}

export const SETTINGS = {
  version: '1.2.3',
  confidenceLevel: 0.95,
  cooldownSeconds: 0,
  wasCancelled: false,
} as const;
