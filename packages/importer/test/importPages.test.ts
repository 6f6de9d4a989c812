import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Imported } from '../src/imported.ts';
import { importPages, type PageTime } from '../src/importPages.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array, modified?: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (modified !== undefined) utimesSync(path, new Date(modified), new Date(modified));
}

function format(requests: number): string {
  return `# TYPE requests_total counter\nrequests_total ${requests}\n# TYPE running gauge\nrunning 1\n`;
}

function run(timeFrom?: PageTime): Promise<Imported> {
  return importPages({ folder, timeFrom, signal: new AbortController().signal });
}

/** Returns the times and the values of the counter, by endpoint. */
function readRequests({ endpoints }: Imported): Record<string, [string, number][]> {
  return Object.fromEntries(
    endpoints.map(({ url, store }) => {
      const { originNs, offsetsNs } = store.timeline();
      const values = store.column(0);
      const rows = [...offsetsNs].map((offset, at): [string, number] => [
        new Date(Number((originNs + BigInt(offset)) / 1_000_000n)).toISOString(),
        values[at]!,
      ]);
      return [url, rows];
    }),
  );
}

it('imports the folder that llm-d-benchmark leaves', async () => {
  const header = (time: string): string =>
    `# Timestamp: ${time}\n# Pod: pod-a\n# PodIP: 10.0.0.1\n# Source: vllm\n\n`;
  write('raw/pod-a_1795248000_metrics.log', header('2026-11-21T08:00:00+00:00') + format(1));
  write('raw/pod-a_1795248015_metrics.log.gz', gzipSync(header('2026-11-21T08:00:15+00:00') + format(5)));
  write('raw/collection_debug.log', 'curl: (7) Failed to connect');
  write('processed/metrics_summary.json', '{}');
  const imported = await run();
  expect(readRequests(imported)).toEqual({
    'http://pod-a/metrics': [
      ['2026-11-21T08:00:00.000Z', 1],
      ['2026-11-21T08:00:15.000Z', 5],
    ],
  });
  expect(imported.info).toMatchObject({ source: 'metrics_pages', samples: 4 });
});

it('reads times and endpoints from the names of files and folders', async () => {
  write('a/metrics_20261121T080000Z.txt', format(1));
  write('a/metrics_20261121T080010Z.txt', format(2));
  write('b-1795248000123.prom', format(3));
  write('b-1795248010123.prom', format(4));
  write('2026-11-21T10-00-00+0200.txt', format(5));
  expect(readRequests(await run())).toEqual({
    [`http://${folder.split('/').at(-1)}/metrics`]: [['2026-11-21T08:00:00.000Z', 5]],
    'http://a/metrics': [
      ['2026-11-21T08:00:00.000Z', 1],
      ['2026-11-21T08:00:10.000Z', 2],
    ],
    'http://b/metrics': [
      ['2026-11-21T08:00:00.123Z', 3],
      ['2026-11-21T08:00:10.123Z', 4],
    ],
  });
});

it('uses the time of the last change of numbered files, and reports it', async () => {
  write('worker/metrics-1', format(1), '2026-11-21T08:00:00Z');
  write('worker/metrics-2', format(2), '2026-11-21T08:00:05Z');
  const imported = await run();
  expect(readRequests(imported)).toEqual({
    'http://worker/metrics': [
      ['2026-11-21T08:00:00.000Z', 1],
      ['2026-11-21T08:00:05.000Z', 2],
    ],
  });
  expect(imported.info.limitations[0]).toMatch(
    /^the times of 2 pages are the modification times of the files/,
  );
});

it('uses the chosen source of times', async () => {
  write('w_1795248000.txt', format(1), '2026-11-21T09:00:00Z');
  expect(readRequests(await run('mtime'))).toEqual({ 'http://w/metrics': [['2026-11-21T09:00:00.000Z', 1]] });
  await expect(run('header')).rejects.toThrow('no metrics pages');
});

it('counts pages that cannot be parsed as failed scrapes, and detects restarts', async () => {
  write('w_1795248000.txt', format(10));
  write('w_1795248010.txt', '<html>503 Service Unavailable</html>\n');
  write('w_1795248020.txt', '');
  write('w_1795248030.txt', format(3));
  const { endpoints } = await run();
  expect(endpoints[0]!.store.frameCount).toBe(2);
  expect(endpoints[0]!.health).toMatchObject({
    scrapes_failed: 2,
    outages: [{ scrapes: 2, reason: 'not_prometheus' }],
    resets: [{ counters: 1 }],
  });
});

it('rejects a folder without metrics pages', async () => {
  write('notes.txt', 'hello world, this is not a page\n');
  await expect(run()).rejects.toThrow(/no metrics pages in .*: found 1 file, none in/);
  rmSync(join(folder, 'notes.txt'));
  await expect(run()).rejects.toThrow('found 0 files');
});
