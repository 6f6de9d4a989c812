import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Layout } from '@org/core';
import { readServerMetricsParquet } from '@org/formats/parquet';
import { recoverRun } from '@org/record/journal';
import { openRunMemory } from '@org/run';
import { JournalWriter } from '@org/scrape';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../src/main.ts';
import { testIo } from './io.ts';

const ENDPOINTS = 2;
const GAUGES = 100;
const SCRAPES = 1200;
const START_NS = 1_765_793_061_967_310_848n;
const SCRAPE_NS = 333_000_000n;

let folder = '';
let journal = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-'));
  journal = join(folder, 'server_metrics.journal');
  await writeRun(journal);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A run that takes some MB in memory: gauges that never repeat, a counter that begins again, a histogram. */
async function writeRun(path: string): Promise<void> {
  const header = {
    benchmarkId: '6f6f4f0c-0000-4000-8000-000000000000',
    version: '0.0.0',
    startNs: START_NS,
    inputConfig: { slice_duration: 60, server_metrics_formats: ['json', 'csv', 'jsonl', 'parquet'] },
    exports: { formats: ['json', 'csv', 'jsonl', 'parquet'], sliceSeconds: 60, percentileMethod: 'moments' },
  };
  const writer = JournalWriter.open(path, header, { fsyncDelayMs: 60_000 });
  for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
    const layout = new Layout();
    const url = `http://node${endpoint}:8000/metrics`;
    const histogram = layout.histogram({ name: 'wait_seconds', type: 'histogram', help: '' }, []);
    for (const le of [0.1, 1, Number.POSITIVE_INFINITY])
      layout.bucket(histogram, le, le === Number.POSITIVE_INFINITY ? '+Inf' : String(le));
    layout.scalar({ name: 'requests', type: 'counter', help: '' }, []);
    for (let gauge = 0; gauge < GAUGES; gauge++)
      layout.scalar({ name: 'depth', type: 'gauge', help: '' }, [['queue', String(gauge)]]);
    writer.addEndpoint(endpoint, { url, configuredUrl: url });
    let seed = 1 + endpoint;
    for (let scrape = 0; scrape < SCRAPES; scrape++) {
      const values = new Float64Array(layout.slotCount);
      values.set([scrape * 0.7, scrape * 3, scrape, scrape * 2, scrape * 3, scrape % 1000]);
      for (let slot = 6; slot < values.length; slot++) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        values[slot] = seed / 7;
      }
      const timestampNs = START_NS + BigInt(scrape) * SCRAPE_NS + BigInt(endpoint);
      writer.append(endpoint, layout, { timestampNs, latencyNs: 1e6, changed: true, values });
    }
  }
  const at = (scrape: number): bigint => START_NS + BigInt(scrape) * SCRAPE_NS - 5n;
  writer.addMark({ kind: 'profiling_start', atNs: at(200) });
  writer.addMark({ kind: 'profiling_end', atNs: at(SCRAPES - 100) });
  writer.addMark({ kind: 'run_end', atNs: at(SCRAPES), data: { cancelled: false } });
  writer.end();
  await writer.close();
}

async function exported(name: string, limit: string): Promise<string> {
  const output = join(folder, name);
  const io = testIo(folder);
  const code = await main(['export', journal, '--output', output, '--memory-limit', limit], io);
  expect(code, io.err.join('')).toBe(0);
  return output;
}

/** A fingerprint of all rows. */
async function rowsIn(where: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const { columns } of await readServerMetricsParquet(
    join(where, 'server_metrics_export.parquet'),
  ))
    for (const [name, column] of columns) {
      hash.update(name);
      if (column.type === 'string') hash.update(column.texts.join('\0')).update(bytesOf(column.codes));
      else hash.update(bytesOf(column.values)).update(column.present ?? new Uint8Array(0));
    }
  return hash.digest('hex');
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

test('moves history beyond the limit to disk', () => {
  const path = join(folder, 'spill');
  mkdirSync(path);
  const limit = 1 << 20;
  const kept = openRunMemory(path, limit);
  recoverRun(journal, kept.memory);
  expect(kept.memory.hasSpilled).toBe(true);
  // The newest rows of each endpoint are beside it, as they came.
  expect(kept.memory.used).toBeLessThan(limit + ENDPOINTS * 400_000);
  expect(readdirSync(path).length).toBeLessThanOrEqual(process.platform === 'win32' ? 1 : 0);
  kept.close();
  expect(readdirSync(path)).toEqual([]);
});

test('exports do not depend on the memory limit', async () => {
  const little = await exported('little', '1MiB');
  const much = await exported('much', '1GiB');
  for (const kind of ['json', 'csv', 'jsonl']) {
    const [found, expected] = [little, much].map(where =>
      readFileSync(join(where, `server_metrics_export.${kind}`), 'utf8'),
    );
    expect(found === expected, kind).toBe(true);
  }
  expect(await rowsIn(little)).toBe(await rowsIn(much));
  expect(readdirSync(little)).toHaveLength(4);
});
