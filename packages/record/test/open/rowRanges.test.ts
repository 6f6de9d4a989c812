import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServerMetricsParquet, readServerMetricsParquet, type SeriesChunk } from '@org/formats/parquet';
import { expect, onTestFinished, test } from 'vitest';
import { readRowRanges } from '../../src/open/rowRanges.ts';
import { T0 } from '../support/runRecord.ts';

/** Creates the rows of a gauge, one per second. */
function createChunk(name: string, seconds: readonly number[], label?: string): SeriesChunk {
  return {
    endpointUrl: 'http://a:1/metrics',
    metricName: name,
    metricType: 'gauge',
    unit: null,
    description: '',
    labels: label === undefined ? [] : [['x', label]],
    timestampsNs: BigInt64Array.from(seconds, second => T0 + BigInt(second) * 1_000_000_000n),
    values: Float64Array.from(seconds),
  };
}

/**
 * Writes rows to a file and reads their ranges: position, metric name and label of the series, and number of
 * rows.
 */
async function readRanges(chunks: readonly SeriesChunk[], { isContiguous = true } = {}): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'row-ranges-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.parquet');
  const writer = await openServerMetricsParquet(file, { labelColumns: ['x'], metadata: [] });
  for (const chunk of chunks) await writer.appendSeries(chunk);
  await writer.close();
  const reader = await readServerMetricsParquet(file);
  const ranges: unknown[] = [];
  for await (const { position, series, from, to } of readRowRanges(reader, ['value'], { isContiguous }))
    ranges.push([position, series.name, series.labels.map(([, value]) => value).join(), to - from]);
  await reader.close();
  return ranges;
}

test('separates series by their metric and labels', async () => {
  expect(
    await readRanges([
      createChunk('a', [0, 1], 'x1'),
      createChunk('a', [0, 1, 2], 'x2'),
      createChunk('b', [0]),
    ]),
  ).toEqual([
    [0, 'a', 'x1', 2],
    [1, 'a', 'x2', 3],
    [2, 'b', '', 1],
  ]);
});

test('starts another series if timestamps decrease, because a label without a column can differ', async () => {
  expect(await readRanges([createChunk('a', [0, 1]), createChunk('a', [0, 1])])).toEqual([
    [0, 'a', '', 2],
    [1, 'a', '', 2],
  ]);
});

test('joins the rows of a series that are not contiguous, in the file of another program', async () => {
  const chunks = [createChunk('a', [0]), createChunk('b', [0]), createChunk('a', [1]), createChunk('b', [1])];
  const listPositions = (ranges: unknown[]): unknown[] => ranges.map(range => (range as unknown[])[0]);
  expect(listPositions(await readRanges(chunks, { isContiguous: false }))).toEqual([0, 1, 0, 1]);
  expect(listPositions(await readRanges(chunks))).toEqual([0, 1, 2, 3]);
});
