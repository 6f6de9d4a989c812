import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTrace } from '../../src/parity/trace.ts';

const folder = mkdtempSync(join(tmpdir(), 'trace-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('reads the scrapes of several endpoints into their stores', () => {
  const scrapes = [
    ['a', 1, 'up 1\n'],
    ['b', 2, 'up 0\n'],
    ['a', 3, 'up 1\ndepth 4\n'],
  ] as const;
  const lines = scrapes.map(([endpoint_url, second, body]) =>
    JSON.stringify({ endpoint_url, timestamp_ns: `180000000${second}000000000`, latency_ns: 5, body }),
  );
  writeFileSync(join(folder, 'trace.jsonl'), `${lines.join('\n')}\n`);
  const trace = readTrace(folder, 'trace.jsonl');
  expect([...trace].map(([url, store]) => [url, store.frameCount, store.layout.slotCount])).toEqual([
    ['a', 2, 2],
    ['b', 1, 1],
  ]);
  const { originNs, offsetsNs } = trace.get('a')!.timeline();
  expect(originNs).toBe(1_800_000_001_000_000_000n);
  expect([...offsetsNs]).toEqual([0, 2e9]);
  expect([...trace.get('a')!.column(1)]).toEqual([Number.NaN, 4]);
});
