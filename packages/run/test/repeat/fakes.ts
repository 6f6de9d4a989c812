import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractRunStatistics } from '@org/record/aggregate';
import { onTestFinished } from 'vitest';
import { createExport } from '../../../record/test/support/profileExports.ts';
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
    ...(report.requests === undefined ? {} : { requests: report.requests }),
  };
}

export const SETTINGS = {
  version: '1.2.3',
  confidenceLevel: 0.95,
  cooldownSeconds: 0,
  wasCancelled: false,
} as const;
