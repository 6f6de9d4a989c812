import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerMetricsDocument } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { replayJournal } from '@org/scrape';
import { beforeEach, expect, test, vi } from 'vitest';
import { BIN, FAST_SCRAPES, runServelens, startServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startSimulator({ seed: 4 });
const ENV = { ...FAST_SCRAPES, AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1' };
let folder = '';
beforeEach(() => {
  folder = makeTestFolder();
});

/**
 * A command that sends one request before profiling, three during profiling and one after it. It marks the
 * start and the end of profiling and adds a note. Its exit code is the exit code of a second `profiling-end`.
 * With the argument `wait`, it does not end profiling, but waits until its parent process has ended.
 */
const LOAD_GENERATOR = `
  const { spawnSync } = require('node:child_process');
  const mark = (...words) => spawnSync(process.execPath, [${JSON.stringify(BIN)}, 'mark', ...words], { stdio: 'inherit' });
  const request = async () => (await fetch('${url}/v1/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'servelens/simulated-8b', prompt: 'hello', max_tokens: 2 }),
  })).text();
  (async () => {
    await request();
    mark('profiling-start');
    for (let i = 0; i < 3; i++) await request();
    mark('note with --api-key hunter2secret');
    const { ppid } = process;
    while (process.argv[1] === 'wait') {
      await new Promise(resolve => setTimeout(resolve, 50));
      if (process.ppid !== ppid) process.exit();
    }
    mark('profiling-end');
    await request();
    process.exit(mark('profiling-end').status);
  })();`;

const COLLECT = [
  ...['collect', '--url', url, '--warmup-duration', '60', '--artifact-dir', 'a'],
  ...['--', process.execPath, '-e', LOAD_GENERATOR],
];

async function readDocument(): Promise<ServerMetricsDocument> {
  return (await readServerMetricsJson(
    fromPath(join(folder, 'a', 'server_metrics_export.json')),
  )) as ServerMetricsDocument;
}

/** Sums the requests that succeeded during profiling, according to the server. */
function sumRequests({ metrics }: ServerMetricsDocument): number {
  return metrics['vllm:request_success']!.series.reduce(
    (sum, { stats }) => sum + (stats as { total: number }).total,
    0,
  );
}

/** Counts the scrapes after the last mark in a journal. */
function countScrapesAfterMarks(journal: string): number {
  const { marks, endpoints } = replayJournal(journal);
  const { originNs, offsetsNs } = endpoints[0]!.store.timeline();
  return offsetsNs.filter(offset => originNs + BigInt(offset) > marks.at(-1)!.atNs).length;
}

test('the command marks the start and end of profiling, regardless of --warmup-duration', async () => {
  const { code, out, err } = await startServelens(COLLECT, { cwd: folder, env: ENV }).ended;
  expect(out).toMatch(/^profiling started at .*Z\nnoted at .*Z\nprofiling ended at .*Z\n$/);
  expect(code).toBe(1);
  expect(err).toContain('servelens: profiling has already ended');
  expect(err).not.toContain('hunter2secret');
  const document = await readDocument();
  expect(sumRequests(document)).toBe(3);
  expect(document.summary.marks!.map(({ text }) => text)).toEqual([
    'profiling-start',
    'note with --api-key <redacted>',
    'profiling-end',
  ]);
  expect(readdirSync(join(folder, 'a')).filter(name => name.includes('sock'))).toEqual([]);
});

test('a killed run keeps its marks, and its socket does not affect the next run', async () => {
  const run = startServelens([...COLLECT, 'wait'], { cwd: folder, env: ENV });
  await run.waitForOutput('noted at');
  const journal = join(folder, 'a', 'server_metrics.journal');
  // The first of two scrapes after the mark may have been in flight at the mark.
  await vi.waitFor(() => expect(countScrapesAfterMarks(journal)).toBeGreaterThanOrEqual(2), 30_000);
  run.kill('SIGKILL');
  expect((await run.ended).signal).toBe('SIGKILL');
  expect((await runServelens(['recover', 'a'], { cwd: folder })).code).toBe(0);
  const document = await readDocument();
  const { summary } = document;
  expect(summary.marks).toHaveLength(2);
  expect(summary.endpoint_info[summary.endpoints_successful[0]!]!.baseline_ns).toBeTypeOf('bigint');
  expect(sumRequests(document)).toBe(3);
  const nextRun = ['collect', '--url', url, '--duration', '0.2', '--artifact-dir', 'a'];
  expect((await startServelens(nextRun, { cwd: folder, env: ENV }).ended).code).toBe(0);
});
