import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Layout, StoreMemory } from '@org/core';
import { readServerMetricsParquet } from '@org/formats/parquet';
import { recoverRun } from '@org/record/journal';
import { BlockFile, JournalWriter } from '@org/scrape';
import { beforeAll, expect, test } from 'vitest';
import { runServelens } from './support/servelens.ts';
import { makeSuiteFolder } from './support/temporaryFolder.ts';

const ENDPOINTS = 2;
const GAUGES = 100;
const SCRAPES = 1200;
const START_NS = 1_765_793_061_967_310_848n;
const INTERVAL_NS = 333_000_000n;

const folder = makeSuiteFolder();
const journal = join(folder, 'server_metrics.journal');
beforeAll(() => writeJournal(journal));

/**
 * Writes the journal of a run whose samples take several MB of memory: gauges whose values never repeat, a
 * counter that is reset, and a histogram.
 */
async function writeJournal(path: string): Promise<void> {
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
    let random = 1 + endpoint;
    for (let scrape = 0; scrape < SCRAPES; scrape++) {
      const values = new Float64Array(layout.slotCount);
      values.set([scrape * 0.7, scrape * 3, scrape, scrape * 2, scrape * 3, scrape % 1000]);
      for (let slot = 6; slot < values.length; slot++) {
        random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
        values[slot] = random / 7;
      }
      const timestampNs = START_NS + BigInt(scrape) * INTERVAL_NS + BigInt(endpoint);
      writer.append(endpoint, layout, { timestampNs, latencyNs: 1e6, changed: true, values });
    }
  }
  const getTimeBeforeScrape = (scrape: number): bigint => START_NS + BigInt(scrape) * INTERVAL_NS - 5n;
  writer.addMark({ kind: 'profiling_start', atNs: getTimeBeforeScrape(200) });
  writer.addMark({ kind: 'profiling_end', atNs: getTimeBeforeScrape(SCRAPES - 100) });
  writer.addMark({ kind: 'run_end', atNs: getTimeBeforeScrape(SCRAPES), data: { cancelled: false } });
  writer.end();
  await writer.close();
}

async function exportWithLimit(memoryLimit: string): Promise<string> {
  const output = join(folder, memoryLimit);
  const args = ['export', journal, '--output', output, '--memory-limit', memoryLimit];
  const { code, err } = await runServelens(args, { cwd: folder });
  expect(code, err).toBe(0);
  return output;
}

/** Computes a hash of all rows of a Parquet export. */
async function hashRows(output: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const { columns } of await readServerMetricsParquet(
    join(output, 'server_metrics_export.parquet'),
  ))
    for (const [name, column] of columns) {
      hash.update(name);
      if (column.type === 'string') hash.update(column.texts.join('\0')).update(toBytes(column.codes));
      else hash.update(toBytes(column.values)).update(column.present ?? new Uint8Array(0));
    }
  return hash.digest('hex');
}

function toBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

test('moves history beyond the limit to disk', () => {
  const path = join(folder, 'spill');
  mkdirSync(path);
  const limit = 1 << 20;
  const file = new BlockFile(join(path, 'history'));
  const memory = new StoreMemory(limit, file);
  recoverRun(journal, memory);
  expect(memory.hasSpilled).toBe(true);
  // The newest rows of each endpoint are always in memory, in addition to the limit.
  expect(memory.used).toBeLessThan(limit + ENDPOINTS * 400_000);
  expect(readdirSync(path).length).toBeLessThanOrEqual(process.platform === 'win32' ? 1 : 0);
  file.close();
  expect(readdirSync(path)).toEqual([]);
});

test('exports do not depend on the memory limit', async () => {
  const small = await exportWithLimit('1MiB');
  const large = await exportWithLimit('1GiB');
  for (const format of ['json', 'csv', 'jsonl']) {
    const [actual, expected] = [small, large].map(output =>
      readFileSync(join(output, `server_metrics_export.${format}`), 'utf8'),
    );
    expect(actual === expected, format).toBe(true);
  }
  expect(await hashRows(small)).toBe(await hashRows(large));
  expect(readdirSync(small)).toHaveLength(4);
});
