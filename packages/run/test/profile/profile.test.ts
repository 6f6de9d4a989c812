import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromPath, validate } from '@org/formats';
import { expect, test } from 'vitest';
import { PlanError, type ProfilePlan, profile, type RunEvent } from '../../src/index.ts';
import { createFolder, createProfilePlan, startSimulator } from '../plans.ts';

const url = await startSimulator();

test('sends the requests, scrapes the server, reports the phases and writes valid exports', async () => {
  const events: RunEvent[] = [];
  const plan = createProfilePlan(url, { warmup: { concurrency: 2, requestCount: 2 } });
  const { metrics, server, files, reconciliation, wasCancelled } = await profile(plan, {
    onEvent: event => events.push(event),
  });
  expect(wasCancelled).toBe(false);
  expect([metrics.succeeded, metrics.failed]).toEqual([10, 0]);
  expect(reconciliation).toMatchObject({
    server: 'vLLM',
    requests: { client: 10, server: 10 },
    findings: [],
  });
  expect(server!.exports.results.every(({ failure }) => failure === undefined)).toBe(true);
  expect(files.every(({ ok }) => ok)).toBe(true);
  const names = readdirSync(plan.folder).sort();
  expect(names).toEqual([
    '.aiperf_results_ready.json',
    'inputs.json',
    'phase_manifest.json',
    'phases',
    'profile_export.jsonl',
    'profile_export_aiperf.csv',
    'profile_export_aiperf.json',
    'server_metrics_export.csv',
    'server_metrics_export.json',
    'server_metrics_export.parquet',
  ]);
  for (const name of names.filter(name => name !== 'phases'))
    expect(await validate(fromPath(join(plan.folder, name))), name).toMatchObject({ valid: true });
  // Whether an endpoint is too slow for the interval depends on the machine.
  const types = events.map(({ type }) => type).filter(type => type !== 'endpoint_changed');
  // The number of progress events depends on the machine.
  const exports = types.indexOf('export_progressed');
  expect(types.slice(exports).every(type => type === 'export_progressed')).toBe(true);
  expect(types.slice(0, exports)).toEqual([
    'run_created',
    'endpoints_probed',
    'load_started',
    'phase_changed',
    'phase_changed',
    'load_ended',
    'phase_changed',
  ]);
});

test('scrapes nothing without targets', async () => {
  const events: RunEvent[] = [];
  const plan = createProfilePlan(url, { targets: [], settleSeconds: 5 });
  const { server, metrics } = await profile(plan, { onEvent: event => events.push(event) });
  expect(server).toBeUndefined();
  expect(metrics.succeeded).toBe(10);
  expect(readdirSync(plan.folder).sort()).toEqual([
    '.aiperf_results_ready.json',
    'inputs.json',
    'profile_export.jsonl',
    'profile_export_aiperf.csv',
    'profile_export_aiperf.json',
  ]);
  expect(events.map(({ type }) => type)).not.toContain('endpoints_probed');
});

test.each<[string, Partial<ProfilePlan>, string]>([
  [
    'an unknown tokenizer',
    { tokenizer: '/nowhere' },
    'cannot find the tokenizer "/nowhere": there is no such file',
  ],
  [
    'an unknown tokenizer and worker threads',
    { tokenizer: '/nowhere', workers: 2 },
    'cannot find the tokenizer "/nowhere": there is no such file',
  ],
  [
    'an input file that does not exist',
    {
      inputs: {
        inputTokens: { mean: 1, stddev: 0 },
        file: '/nowhere',
        sampling: 'sequential',
        fixedSchedule: false,
      },
    },
    'invalid inputs.file "/nowhere": no such file or folder',
  ],
  [
    'a fixed schedule without timestamps',
    { profiling: { fixedSchedule: true } },
    'inputs.fixedSchedule: the inputs have no timestamps',
  ],
])('rejects a plan with %s and leaves no files', async (_, changes, message) => {
  const folder = createFolder();
  const run = profile(createProfilePlan(url, { folder, ...changes }));
  await expect(run).rejects.toThrow(PlanError);
  await expect(run).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});
