import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HistogramSeries, StoreMemory } from '@org/core';
import { openServerMetricsParquet, type SeriesChunk } from '@org/formats/parquet';
import { expect, onTestFinished, test } from 'vitest';
import { createReferenceLookup, type ParquetInput, readParquetStores } from '../../src/open/parquetStores.ts';
import type { RunMetadata } from '../../src/view/parquetMetadata.ts';
import { T0 } from '../support/runRecord.ts';

const URL = 'http://a:1/metrics';
const SECOND_NS = 1_000_000_000n;

/** Creates the rows of a metric whose value is the time in seconds. */
function createChunk(
  name: string,
  seconds: readonly number[],
  changes: Partial<SeriesChunk> = {},
): SeriesChunk {
  return {
    endpointUrl: URL,
    metricName: name,
    metricType: 'gauge',
    unit: null,
    description: '',
    labels: [],
    timestampsNs: BigInt64Array.from(seconds, second => T0 + BigInt(second) * SECOND_NS),
    values: Float64Array.from(seconds),
    ...changes,
  };
}

/** Writes a Parquet file and reads its stores. */
async function writeAndReadStores(chunks: readonly SeriesChunk[], options: Partial<ParquetInput>) {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-stores-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.parquet');
  const writer = await openServerMetricsParquet(file, { labelColumns: [], metadata: [] });
  for (const chunk of chunks) await writer.appendSeries(chunk);
  await writer.close();
  return readParquetStores({ file, isContiguous: true, findReference: () => null, ...options });
}

/** Writes a Parquet file and reads the samples of its last series, a histogram. */
async function readHistogram(chunks: readonly SeriesChunk[], options: Partial<ParquetInput>) {
  const store = (await writeAndReadStores(chunks, options)).stores.get(URL)!;
  const { counts, sums } = store.histogramSamples(store.layout.series.at(-1) as HistogramSeries);
  return { counts: [...counts], sums: [...sums] };
}

/** Writes a Parquet file and reads its timestamps and columns. */
async function writeAndRead(chunks: readonly SeriesChunk[], options: Partial<ParquetInput> = {}) {
  const { stores, merged } = await writeAndReadStores(chunks, options);
  const store = stores.get(URL)!;
  const { originNs, offsetsNs } = store.timeline();
  const seconds = [...offsetsNs].map(offset => Number(originNs - T0 + BigInt(offset)) / 1e9);
  const columns = store.layout.series.map((_, slot) => [...store.column(slot)]);
  return { merged, seconds, columns };
}

test('joins the samples of a timestamp in one frame', async () => {
  expect(await writeAndRead([createChunk('a', [0, 1, 2]), createChunk('b', [1, 3])])).toEqual({
    merged: [],
    seconds: [0, 1, 2, 3],
    columns: [
      [0, 1, 2, Number.NaN],
      [Number.NaN, 1, Number.NaN, 3],
    ],
  });
});

test('starts counters at 0 at their reference sample', async () => {
  const chunks = [createChunk('c', [1, 2], { metricType: 'counter' }), createChunk('g', [1, 2])];
  expect(await writeAndRead(chunks, { findReference: () => T0 - SECOND_NS })).toMatchObject({
    seconds: [-1, 1, 2],
    columns: [
      [0, 1, 2],
      [Number.NaN, 1, 2],
    ],
  });
});

test('reads only the first of two series that differ in a label without a column', async () => {
  expect(await writeAndRead([createChunk('a', [0, 1]), createChunk('a', [0, 5])])).toMatchObject({
    merged: ['a'],
    columns: [[0, 1]],
  });
});

test('reads the same samples in several passes', async () => {
  const seconds = Array.from({ length: 3000 }, (_, i) => i);
  const chunks = ['a', 'b', 'c'].map(name => createChunk(name, seconds));
  // Half of the memory limit is enough for 1000 of the 3000 frames: 8 bytes for each of 3 series.
  const memory = new StoreMemory(2 * 8 * 3 * 1000, { write: () => null, read: () => new Uint8Array() });
  expect(await writeAndRead(chunks, { memory })).toEqual(await writeAndRead(chunks));
});

test('reads histograms without sums in several passes, also if they start after the first pass', async () => {
  const count = 2000;
  const gauge = createChunk(
    'a',
    Array.from({ length: count }, (_, second) => second),
  );
  const increases = Float64Array.from({ length: 10 }, (_, row) => row + 1);
  const histogram: SeriesChunk = {
    ...createChunk(
      'h',
      Array.from({ length: 10 }, (_, row) => count - 10 + row),
    ),
    metricType: 'histogram',
    values: undefined,
    histogram: { sums: null, counts: increases, bounds: ['+Inf'], bucketCounts: [increases] },
  } as never;
  const memory = new StoreMemory(2 * 8 * 4 * 1000, { write: () => null, read: () => new Uint8Array() });
  const findReference = (position: number) => (position === 1 ? T0 : null);
  const { counts, sums } = await readHistogram([gauge, histogram], { memory, findReference });
  expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(sums.every(Number.isNaN)).toBe(true);
});

test('looks up the reference sample of a series by its position, then by its endpoint', () => {
  const metadata = {
    references: { [URL]: 5n },
    others: [
      {
        reference_ns: 7n,
        series: [
          [6, 2 ** 52],
          [1, 2],
        ],
      },
      { reference_ns: null, series: [[4, 4]] },
    ],
  } as unknown as RunMetadata;
  const find = createReferenceLookup(metadata, 9n);
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(at => find(at, URL))).toEqual([5n, 7n, 7n, 5n, null, 5n, 7n, 7n]);
  expect(find(0, 'http://other:1/metrics')).toBeNull();
  expect(createReferenceLookup(undefined, 9n)(0, URL)).toBe(9n);
});
