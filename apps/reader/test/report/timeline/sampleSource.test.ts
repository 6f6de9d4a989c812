import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRun, type Run } from '@org/analysis';
import { openServerMetricsParquet } from '@org/formats/parquet';
import { afterAll, expect, test } from 'vitest';
import {
  createDocument,
  createTempFolder,
  SECOND_NS,
  START_NS,
} from '../../../../../packages/analysis/test/documents.ts';
import { ReadIssues } from '../../../src/report/readIssues.ts';
import { findSampleSource, type SeriesSample } from '../../../src/report/timeline/sampleSource.ts';
import { writeTestFile } from '../../support/runReader.ts';

const { path: folder, remove } = createTempFolder('sample-source');
afterAll(remove);

/** Creates a run of 20 s that consists of the given files. */
function createFileRun(files: Run['files']): Run {
  return createRun({ name: 'run', layout: 'json', files, view: createDocument({}) });
}

const SPACING = { neededSeconds: 1, scrapeSeconds: 1 };

/** Reads the samples of metrics from the source of a run. */
async function readSamples(run: Run, ...names: string[]): Promise<SeriesSample[]> {
  const source = (await findSampleSource(run, new ReadIssues()))!;
  const samples: SeriesSample[] = [];
  for await (const sample of source.readSamples(new Set(names), SPACING)) samples.push(sample);
  return samples;
}

const HISTOGRAM = { sum: 3, count: 2, buckets: { '1.0': 1, '+Inf': 2 } };

/** Writes a JSONL export with two scrapes of a gauge and a histogram. */
function writeRecords(name: string): string {
  const lines = [0, 1].map(
    i =>
      `{"endpoint_url":"http://a:1/metrics","timestamp_ns":${START_NS + BigInt(i) * SECOND_NS},"endpoint_latency_ns":5,` +
      `"metrics":{"depth":[{"labels":{"engine":"0"},"value":${i}}],"latency":[${JSON.stringify(HISTOGRAM)}],"other":[{"value":1}]}}\n`,
  );
  return writeTestFile(folder, name, lines.join(''));
}

test('reads the named metrics of a JSONL export', async () => {
  const run = createFileRun({ records: writeRecords('records.jsonl') });
  const endpointUrl = 'http://a:1/metrics';
  const buckets = new Map(Object.entries(HISTOGRAM.buckets));
  expect(await readSamples(run, 'depth', 'latency')).toEqual(
    [0, 1].flatMap(seconds => [
      { name: 'depth', endpointUrl, labels: 'engine=0', sample: { seconds, value: seconds } },
      { name: 'latency', endpointUrl, labels: '', sample: { seconds, sum: 3, count: 2, buckets } },
    ]),
  );
});

/** Writes a Parquet export with two samples of a counter and a histogram. */
async function writeParquet(): Promise<string> {
  const file = join(folder, 'samples.parquet');
  const series = {
    endpointUrl: 'http://a:1/metrics',
    unit: null,
    description: '',
    labels: [['engine', '0']],
    timestampsNs: BigInt64Array.of(START_NS, START_NS + SECOND_NS),
  } as const;
  const createFloats = (...values: number[]): Float64Array => Float64Array.from(values);
  const writer = await openServerMetricsParquet(file, { labelColumns: ['engine'], metadata: [] });
  await writer.appendSeries({
    ...series,
    metricName: 'latency',
    metricType: 'histogram',
    histogram: {
      bounds: ['1.0', '+Inf'],
      sums: createFloats(0, 3),
      counts: createFloats(0, 2),
      bucketCounts: [createFloats(0, 1), createFloats(0, 2)],
    },
  });
  await writer.appendSeries({
    ...series,
    metricName: 'other',
    metricType: 'gauge',
    values: createFloats(1, 1),
  });
  await writer.appendSeries({
    ...series,
    metricName: 'tokens',
    metricType: 'counter',
    values: createFloats(0, 7),
  });
  await writer.close();
  return file;
}

test('reads the named metrics of a Parquet export, with one sample for all buckets of a histogram', async () => {
  const samples = await readSamples(createFileRun({ parquet: await writeParquet() }), 'latency', 'tokens');
  const byName = samples.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  expect(byName.map(({ name, sample }) => [name, sample])).toEqual([
    ['latency', { seconds: 0, sum: 0, count: 0, buckets: new Map(Object.entries({ '1.0': 0, '+Inf': 0 })) }],
    ['latency', { seconds: 1, sum: 3, count: 2, buckets: new Map(Object.entries({ '1.0': 1, '+Inf': 2 })) }],
    ['tokens', { seconds: 0, value: 0 }],
    ['tokens', { seconds: 1, value: 7 }],
  ]);
  expect(samples[0]).toMatchObject({ endpointUrl: 'http://a:1/metrics', labels: 'engine=0' });
});

test('prefers the JSONL export, which includes the warm-up', async () => {
  const [records, parquet] = [writeRecords('preferred.jsonl'), writeTestFile(folder, 'a.parquet', 'PAR1')];
  const findSource = (files: Run['files']) => findSampleSource(createFileRun(files), new ReadIssues());
  expect((await findSource({ records, parquet }))!.describe(SPACING)).toBe('all scrapes');
  expect((await findSource({ parquet }))!.describe(SPACING)).toBe('samples of the profiling period');
  expect(await findSource({ records, parquet })).toMatchObject({
    file: records,
    startNs: START_NS,
    seconds: 20,
    areRaw: true,
  });
  expect(await findSource({ parquet })).toMatchObject({
    file: parquet,
    areRaw: false,
  });
});

test('returns undefined without a file', async () => {
  for (const files of [{}, { records: join(folder, 'missing.jsonl') }])
    expect(await findSampleSource(createFileRun(files), new ReadIssues())).toBeUndefined();
});

test('notes a file that can be read only once', async () => {
  const pipe = join(folder, 'not-a-file');
  mkdirSync(pipe);
  const issues = new ReadIssues();
  expect(await findSampleSource(createFileRun({ records: pipe }), issues)).toBeUndefined();
  expect(issues.notes).toEqual([
    `${pipe} is a pipe, which can be read only once; for charts of all samples, specify a regular file`,
  ]);
});
