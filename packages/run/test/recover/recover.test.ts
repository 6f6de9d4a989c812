import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collect, profile } from '../../src/index.ts';
import { ExportConflictError, recover } from '../../src/recover/index.ts';
import { createCollectPlan, createProfilePlan, startSimulator } from '../plans.ts';

const KEEP_JOURNAL = { storage: { keepJournal: true }, exports: { formats: ['json'] } } as const;

const url = await startSimulator({ arrivalRate: 20 });

test('writes the same export from the journal of a collect run', async () => {
  const plan = createCollectPlan(url, { ...KEEP_JOURNAL, durationSeconds: 0.4 });
  await collect(plan);
  const path = join(plan.folder, 'server_metrics_export.json');
  const written = readFileSync(path, 'utf8');
  rmSync(path);
  const { isWritten, profile: client } = await recover(join(plan.folder, 'server_metrics.journal'));
  expect([isWritten, client]).toEqual([true, undefined]);
  expect(readFileSync(path, 'utf8')).toBe(written);
});

test('recomputes the metrics of a profile run from its requests', async () => {
  const plan = createProfilePlan(url, KEEP_JOURNAL);
  const { document } = await profile(plan);
  const { profile: client } = await recover(join(plan.folder, 'server_metrics.journal'));
  expect(client!.document).toEqual({ ...document, recovered: { requests: 10, lines_dropped: 0 } });
});

test('refuses to overwrite the exports of another run', async () => {
  const plan = createCollectPlan(url, { ...KEEP_JOURNAL, durationSeconds: 0.2 });
  await collect(plan);
  writeFileSync(join(plan.folder, 'server_metrics_export.json'), '{"benchmark_id": "another"}');
  const recovery = recover(join(plan.folder, 'server_metrics.journal'));
  await expect(recovery).rejects.toThrow(ExportConflictError);
});
