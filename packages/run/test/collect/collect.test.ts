import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMetricsDocument } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { describe, expect, test } from 'vitest';
import { type CollectPlan, collect, PlanError, type RunEvent } from '../../src/index.ts';
import { createCollectPlan, startSimulator } from '../plans.ts';

const url = await startSimulator({ arrivalRate: 20 });

const readExport = async ({ folder }: CollectPlan): Promise<ServerMetricsDocument> =>
  (await readServerMetricsJson(
    fromPath(join(folder, 'server_metrics_export.json')),
  )) as ServerMetricsDocument;

test('collects for a duration, reports the phases and writes the exports', async () => {
  const events: RunEvent[] = [];
  const plan = createCollectPlan(url, { warmupSeconds: 0.2, durationSeconds: 0.5 });
  const result = await collect(plan, { onEvent: event => events.push(event) });
  expect(result).toMatchObject({ isWritten: true, wasCancelled: false });
  expect(result.exports.results.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
  expect(readdirSync(plan.folder).sort()).toEqual([
    'server_metrics_export.csv',
    'server_metrics_export.json',
    'server_metrics_export.parquet',
  ]);
  expect(events.flatMap(event => (event.type === 'phase_changed' ? [event.phase] : []))).toEqual([
    'warm-up',
    'profiling',
    'after profiling',
    'flush',
  ]);
  expect(events.slice(0, 2)).toMatchObject([
    { type: 'run_created' },
    { type: 'endpoints_probed', endpoints: [{ url: `${url}/metrics` }] },
  ]);
  const { summary, metrics } = await readExport(plan);
  expect(summary.endpoints_successful).toEqual([`${url}/metrics`]);
  expect(Object.keys(metrics)).toContain('vllm:num_requests_running');
});

test('collects while a workload runs, and passes the mark socket to the workload', async () => {
  let socket: string | undefined;
  const plan = createCollectPlan(url);
  const result = await collect(plan, {
    workload: async ({ markSocket }) => {
      socket = markSocket;
      await sleep(300);
    },
  });
  expect(result.wasCancelled).toBe(false);
  expect(socket).toBe(join(plan.folder, 'servelens.sock'));
  const seconds = Number(result.record.period.endNs - result.record.period.startNs) / 1e9;
  expect(seconds).toBeGreaterThanOrEqual(0.29);
});

test('rejects with the error of the workload after the exports are written', async () => {
  const plan = createCollectPlan(url);
  const run = collect(plan, { workload: () => Promise.reject(new Error('out of tokens')) });
  await expect(run).rejects.toThrow('out of tokens');
  expect((await readExport(plan)).metrics).not.toEqual({});
});

describe('an aborted signal', () => {
  const isProfilingStart = (event: RunEvent): boolean =>
    event.type === 'phase_changed' && event.phase === 'profiling';

  test('completes a run without a duration', async () => {
    const controller = new AbortController();
    const plan = createCollectPlan(url, { exports: { formats: ['json'] } });
    const { wasCancelled } = await collect(plan, {
      signal: controller.signal,
      onEvent: event => isProfilingStart(event) && controller.abort(),
    });
    expect(wasCancelled).toBe(false);
  });

  test('cancels a run with a duration, and its exports are still written', async () => {
    const controller = new AbortController();
    const plan = createCollectPlan(url, { durationSeconds: 60, exports: { formats: ['json'] } });
    const { wasCancelled } = await collect(plan, {
      signal: controller.signal,
      onEvent: event => isProfilingStart(event) && controller.abort(),
    });
    expect(wasCancelled).toBe(true);
    expect((await readExport(plan)).summary.was_cancelled).toBe(true);
  });
});

test('reports a run that ended during its warm-up', async () => {
  const events: RunEvent[] = [];
  const plan = createCollectPlan(url, { warmupSeconds: 30 });
  await collect(plan, { workload: () => sleep(100), onEvent: event => events.push(event) });
  expect(events).toContainEqual({ type: 'warmup_incomplete', warmupSeconds: 30 });
});

test.each<[string, Partial<CollectPlan>, string]>([
  ['no targets', { targets: [] }, 'targets: expected at least one endpoint to scrape'],
  [
    'a duration and a workload',
    { durationSeconds: 3 },
    'invalid durationSeconds 3: not allowed together with a workload',
  ],
])('rejects a plan with %s', async (_, changes, message) => {
  const run = collect(createCollectPlan(url, changes), { workload: async () => {} });
  await expect(run).rejects.toThrow(PlanError);
  await expect(run).rejects.toThrow(message);
});
