import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { runProfile } from '../../src/profile/profileRun.ts';
import { createProfilePlan, startSimulator } from '../plans.ts';

const url = await startSimulator();

const KEEP_JOURNAL = { storage: { keepJournal: true } } as const;

test('records a single run in run_info by default, or the given position in a benchmark', async () => {
  const plan = createProfilePlan(url, { targets: [], seed: 11 });
  const { document, benchmarkId } = await runProfile(plan, { cliCommand: 'servelens profile' });
  expect(document.run_info).toEqual({
    benchmark_id: benchmarkId,
    random_seed: 11,
    trial: 0,
    run_label: 'run_0001',
    variation_label: 'base',
    variation_index: 0,
    variation_values: {},
    cli_command: 'servelens profile',
  });
  const runInfo = { trial: 2, run_label: 'run_0003', variation_index: 1 };
  const second = await runProfile(createProfilePlan(url, { targets: [] }), { runInfo });
  expect(second.document.run_info).toMatchObject(runInfo);
});

test('writes the exports of an interrupted load', async () => {
  const controller = new AbortController();
  const plan = createProfilePlan(url, {
    targets: [],
    profiling: { concurrency: 1, requestCount: 100_000 },
  });
  const { document, files, metrics, wasCancelled } = await runProfile(plan, {
    signal: controller.signal,
    onEvent: event => {
      if (event.type !== 'load_started') return;
      const { metrics: current } = event.active;
      void vi
        .waitFor(() => expect(current.succeeded).toBeGreaterThan(0), 20_000)
        .then(() => controller.abort());
    },
  });
  expect(wasCancelled).toBe(true);
  expect(document.was_cancelled).toBe(true);
  expect(metrics.succeeded).toBeGreaterThan(0);
  expect(files.every(({ ok }) => ok)).toBe(true);
});

test('keeps the journal and the requests of an earlier run in its folder', async () => {
  const plan = createProfilePlan(url, KEEP_JOURNAL);
  await runProfile(plan, {});
  const journal = join(plan.folder, 'server_metrics.journal');
  expect(existsSync(journal)).toBe(true);
  const events: RunEvent[] = [];
  await runProfile(plan, { onEvent: event => events.push(event) });
  const requests = join(plan.folder, 'server_metrics.requests.jsonl');
  expect(events.find(({ type }) => type === 'earlier_requests_kept')).toMatchObject({ journal, requests });
  expect([journal, requests].map(existsSync)).toEqual([true, true]);
});
