import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findJournal, recoverRun } from '@org/record/journal';
import { parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/events.ts';
import { RunLifecycle } from '../../src/lifecycle/runLifecycle.ts';
import { createRunContext } from '../../src/runContext.ts';
import { createFolder, FAST_SETTINGS, startSimulator } from '../plans.ts';

const url = await startSimulator({ arrivalRate: 20 });

interface TestLifecycle {
  readonly folder: string;
  readonly lifecycle: RunLifecycle;
  readonly events: RunEvent[];
  readonly startNs: bigint;
}

/** Creates a lifecycle that exports JSON. */
async function createLifecycle(
  targets: readonly string[],
  signal: AbortSignal = new AbortController().signal,
  folder: string = createFolder(),
): Promise<TestLifecycle> {
  const events: RunEvent[] = [];
  const context = await createRunContext(
    {
      folder,
      targets: targets.map(parseMetricsTarget),
      settings: FAST_SETTINGS,
      exports: { formats: ['json'] },
    },
    { onEvent: event => events.push(event), signal, version: '1.2.3' },
  );
  const startNs = context.clock.nowNs();
  const options = { startNs, inputConfig: { model: 'm' }, accepts: 'marks' } as const;
  return { folder, lifecycle: new RunLifecycle(context, options), events, startNs };
}

test('executes a run and writes its exports', async () => {
  const { folder, lifecycle, events, startNs } = await createLifecycle([url]);
  await lifecycle.begin(true);
  expect(lifecycle.markSocket).toBe(join(folder, 'servelens.sock'));
  lifecycle.startScraping();
  const periodStartNs = await lifecycle.phases.start();
  const server = await lifecycle.finish(() => false);
  await lifecycle.closeJournal({ server });
  expect(readdirSync(folder)).toEqual(['server_metrics_export.json']);
  expect(server!.record).toMatchObject({
    version: '1.2.3',
    startNs,
    cancelled: false,
    inputConfig: { model: 'm' },
    period: { startNs: periodStartNs },
  });
  // At least four samples: the probe, the first warm-up scrape, and the baseline and closing samples of the period.
  expect(server!.record.endpoints[0]!.store.frameCount).toBeGreaterThanOrEqual(4);
  expect(events.flatMap(event => (event.type === 'phase_changed' ? [event.phase] : []))).toEqual([
    'profiling',
    'after profiling',
    'flush',
  ]);
});

test('creates a journal from which a killed run can be recovered', async () => {
  const { folder, lifecycle } = await createLifecycle([url]);
  await lifecycle.begin(false);
  await lifecycle.phases.start();
  await lifecycle.journal.close();
  const { header, record } = recoverRun(await findJournal(folder));
  expect(header).toMatchObject({
    version: '1.2.3',
    exports: { formats: ['json'], percentileMethod: 'moments' },
  });
  expect(record.endpoints[0]!.boundaries).toHaveProperty('baseline_ns');
  await lifecycle.abandon();
});

test('scrapes and exports nothing without targets', async () => {
  const { folder, lifecycle, events } = await createLifecycle([]);
  await lifecycle.begin(true);
  lifecycle.startScraping();
  await lifecycle.phases.start();
  expect(await lifecycle.finish(() => false)).toBeUndefined();
  await lifecycle.closeJournal({});
  expect(readdirSync(folder)).toEqual([]);
  expect(events.map(({ type }) => type)).not.toContain('endpoints_probed');
});

test('does not listen for marks if the run is interrupted during the probe', async () => {
  const { lifecycle } = await createLifecycle([url], AbortSignal.abort());
  await lifecycle.begin(false);
  expect(lifecycle.markSocket).toBeUndefined();
  await lifecycle.abandon();
});

test('does not start if another run has started in the folder at the same time', async () => {
  const { folder, lifecycle } = await createLifecycle([url]);
  await expect(createLifecycle([url], undefined, folder)).rejects.toThrow(
    'another run is active in this folder',
  );
  await lifecycle.abandon();
  expect(readdirSync(folder)).toEqual([]);
});

test('removes all files of an abandoned run', async () => {
  const { folder, lifecycle } = await createLifecycle([url]);
  await lifecycle.begin(false);
  await lifecycle.abandon();
  expect(readdirSync(folder)).toEqual([]);
});
