import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ExportProgress, ProgressReporter } from '../../src/export/exportProgress.ts';

/** Yields numbers, each after a busy wait. */
function* generateSlowly(count: number): Generator<number> {
  for (let n = 0; n < count; n++) {
    const endMs = performance.now() + 20;
    while (performance.now() < endMs);
    yield n;
  }
}

test('lets other events be handled while an export is computed, and reports the written share', async () => {
  const reports: ExportProgress[] = [];
  const progress = new ProgressReporter(report => reports.push(report));
  let handledEvents = 0;
  const timer = setInterval(() => handledEvents++, 1);
  progress.start('parquet', 20);
  const items: number[] = [];
  for await (const item of progress.pauseBetween(progress.count(generateSlowly(20)))) items.push(item);
  clearInterval(timer);
  expect(items).toEqual([...Array(20).keys()]);
  expect(handledEvents).toBeGreaterThan(1);
  expect(reports[0]).toEqual({ format: 'parquet', fraction: 0 });
  const fractions = reports.map(({ fraction }) => fraction!);
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  expect(fractions.at(-1)).toBeGreaterThan(0.5);
});

test('reports no share if the number of items is unknown', async () => {
  const reports: ExportProgress[] = [];
  const progress = new ProgressReporter(report => reports.push(report));
  progress.start('csv', 0);
  await sleep(60);
  await progress.pause();
  expect(reports).toEqual([{ format: 'csv' }, { format: 'csv' }]);
});
