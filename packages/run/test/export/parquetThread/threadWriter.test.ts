import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openServerMetricsParquet, type SeriesChunk } from '@org/formats/parquet';
import { expect, test } from 'vitest';
// The thread runs compiled modules.
import { ThreadWriter } from '../../../dist/export/parquetThread/threadWriter.js';
import { createFolder } from '../../plans.ts';

const OPTIONS = { labelColumns: ['a'], metadata: [['aiperf.version', '1']] } as const;

/** Creates a series with a sample per index. */
function createSeries(name: string, samples: number, label = 'x'): SeriesChunk {
  const values = Float64Array.from({ length: samples }, (_, index) => index % 7);
  return {
    endpointUrl: 'http://a/metrics',
    metricName: name,
    metricType: 'gauge',
    unit: null,
    description: null,
    labels: [['a', label]],
    timestampsNs: BigInt64Array.from({ length: samples }, (_, index) => BigInt(index)),
    values,
  };
}

test('writes the same file as a writer in the same thread', async () => {
  const folder = createFolder();
  const paths = ['thread.parquet', 'same.parquet'].map(name => join(folder, name)) as [string, string];
  const writers = [
    await ThreadWriter.open(paths[0], OPTIONS),
    await openServerMetricsParquet(paths[1], OPTIONS),
  ];
  const summaries = [];
  for (const writer of writers) {
    // More numbers than fit into the messages that may wait.
    for (let series = 0; series < 60; series++) await writer.appendSeries(createSeries(`m${series}`, 20_000));
    expect(writer.rows).toBe(1_200_000);
    summaries.push(await writer.close([['extra', 'entry']]));
  }
  expect(summaries[0]).toEqual(summaries[1]);
  expect(readFileSync(paths[0]).equals(readFileSync(paths[1]))).toBe(true);
});

test('an inconsistent series is an error of the caller, and leaves no file', async () => {
  const folder = createFolder();
  const writer = await ThreadWriter.open(join(folder, 'a.parquet'), OPTIONS);
  await writer.appendSeries({ ...createSeries('m', 2), labels: [['unknown', '1']] });
  await expect(writer.close()).rejects.toThrow('label "unknown" is not in labelColumns');
  await expect(writer.appendSeries(createSeries('m', 2))).rejects.toThrow('label "unknown"');
  await writer.abort();
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that cannot be created is the error of the file system', async () => {
  const path = join(createFolder(), 'none', 'a.parquet');
  await expect(ThreadWriter.open(path, OPTIONS)).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' });
});

test('an aborted file is removed', async () => {
  const folder = createFolder();
  const writer = await ThreadWriter.open(join(folder, 'a.parquet'), OPTIONS);
  await writer.appendSeries(createSeries('m', 2));
  await writer.abort();
  expect(readdirSync(folder)).toEqual([]);
});
