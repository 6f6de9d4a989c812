import { join } from 'node:path';
import { expect } from 'vitest';
import { runServelens } from '../servelens.ts';
import { startService } from '../service.ts';
import { root } from '../source.ts';
import { createReport } from './reportPage.ts';

const MODEL = 'servelens/simulated-8b';

/** Benchmarks a simulated server that is saturated, and writes the page of the run into the folder. Returns its path. */
export async function createSaturatedPage(folder: string): Promise<string> {
  const command = [
    join(root, 'apps/cli/bin/servelens.js'),
    'simulate',
    '--model',
    MODEL,
    '--max-running',
    '4',
  ];
  const server = await startService(
    process.execPath,
    port => [...command, '--port', String(port), '--seed', '7'],
    '/health',
  );
  const run = join(folder, 'run');
  const load = '--streaming --request-rate 20 --isl 200 --osl 80 --warmup-duration 2 --benchmark-duration 10';
  const output =
    '--slice-duration 1 --random-seed 7 --server-metrics-formats json jsonl --goodput time_to_first_token:100';
  const { code } = await runServelens([
    ...['profile', '--model', MODEL, '--url', server.url, '--artifact-dir', run],
    ...`${load} ${output}`.split(' '),
  ]);
  await server.stop();
  expect(code).toBe(0);
  return createReport('page.html', run);
}
