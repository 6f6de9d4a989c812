import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '@org/formats';
import { readServerMetricsParquet } from '@org/formats/parquet';
import { fromPath } from '@org/formats/read';
import { beforeAll, describe, expect, test } from 'vitest';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { startSimulator } from '../support/simulator.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

/** Versions, keys and headers in the files of AIPerf 0.13.0, in its order, without metrics. */
const AIPERF = JSON.parse(
  readFileSync(new URL('../files/aiperf-0.13-keys.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, never>>;

const { url } = await startSimulator({ seed: 9 });
const folder = makeSuiteFolder();
const run = join(folder, 'run');
const reexport = join(folder, 'reexport');

beforeAll(async () => {
  const load = '--isl 10 --osl 4 --streaming --concurrency 2 --request-count 12 --warmup-request-count 4';
  const exports = '--slice-duration 0.2 --server-metrics-formats json csv jsonl parquet --keep-journal';
  const words =
    `profile --model servelens/simulated-8b --url ${url} --server-metrics 127.0.0.1:9 ${load} ${exports}`.split(
      ' ',
    );
  const options = [
    '--goodput',
    'time_to_first_token:60',
    '--extra-inputs',
    'api_key:hunter2',
    '--api-key',
    'hunter2',
  ];
  for (const [artifacts, compat] of [
    [run, ['--compat', 'aiperf-0.13']],
    [join(folder, 'default'), []],
  ] as const) {
    const result = await runServelens([...words, ...options, ...compat, '--artifact-dir', artifacts], {
      cwd: folder,
      env: FAST_SCRAPES,
    });
    expect(result.code, result.err).toBe(0);
  }
  const exported = await runServelens(
    ['export', join(folder, 'default'), '--compat', 'aiperf-0.13', '-o', reexport],
    { cwd: folder },
  );
  expect(exported.code, exported.err).toBe(0);
});

const read = (name: string, artifacts = run): string => readFileSync(join(artifacts, name), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: documents of any kind
const readJson = (name: string, artifacts = run): any => JSON.parse(read(name, artifacts));
// biome-ignore lint/suspicious/noExplicitAny: documents of any kind
const readLines = (name: string): any[] =>
  read(name)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
// biome-ignore lint/suspicious/noExplicitAny: expected keys of any file
const getExpected = (name: string): any => AIPERF[name];

const isBlock = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'unit');
const listFields = (values: object): string[] =>
  Object.entries(values).flatMap(([key, value]) => (isBlock(value) ? [] : [key]));

test('the profile export has the version and the fields of AIPerf, in its order', () => {
  const document = readJson('profile_export_aiperf.json');
  const expected = getExpected('profile_export_aiperf.json');
  expect(document.schema_version).toBe(expected.schema_version);
  expect(document.aiperf_version).toBe('0.13.0');
  expect(listFields(document)).toEqual(
    expected.fields.filter((field: string) => Object.hasOwn(document, field)),
  );
  expect(Object.keys(document.run_info)).toEqual(expected.run_info);
  expect(Object.keys(document.telemetry_data)).toEqual(expected.telemetry_data);
  expect(Object.keys(document.telemetry_data.summary)).toEqual(expected.telemetry_summary);
  const keys = Object.keys(document);
  expect(keys.slice(3, keys.indexOf('telemetry_data'))).toEqual(expected.leading_tags);
  expect(document.start_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
});

test.each(['profile_export_aiperf.json', 'server_metrics_export.json'])(
  'the configuration in %s has the sections and phases of AIPerf, without secrets',
  name => {
    const { input_config: config } = readJson(name);
    const expected = getExpected('profile_export_aiperf.json');
    expect(Object.keys(config)).toEqual(expected.input_config);
    expect(config.phases.map(Object.keys)).toEqual(expected.phases);
    expect(JSON.stringify(config)).not.toContain('hunter2');
  },
);

test('timeslices have no numbers, and the columns of AIPerf', () => {
  const expected = getExpected('profile_export_aiperf_timeslices.json');
  const document = readJson('profile_export_aiperf_timeslices.json');
  expect(Object.keys(document)).toEqual(expected.fields);
  expect(listFields(document.timeslices[0])).toEqual(expected.slice);
});

describe.each([
  ['of a run', run],
  ['of a re-export', reexport],
])('server metrics %s', (_, artifacts) => {
  const expected = getExpected('server_metrics_export.json');

  test('have the version and the fields of AIPerf, in its order', () => {
    const document = readJson('server_metrics_export.json', artifacts);
    expect(document.schema_version).toBe(expected.schema_version);
    expect(Object.keys(document)).toEqual(expected.fields);
    expect(document.metrics_phase).toBe('profiling');
    expect(Object.keys(document.summary)).toEqual(expected.summary);
    expect(Object.keys(document.summary.phase_time_ranges)).toEqual(expected.phases);
  });

  test('describe endpoints as AIPerf does, with zeros for an endpoint without data', () => {
    const infos: Record<string, object> = readJson('server_metrics_export.json', artifacts).summary
      .endpoint_info;
    const idle = infos['http://127.0.0.1:9/metrics']!;
    expect(Object.keys(infos[`${url}/metrics`]!)).toEqual(expected.endpoint_info);
    expect(expected.endpoint_info).toEqual(expect.arrayContaining(Object.keys(idle)));
    expect(new Set(Object.values(idle))).toEqual(new Set([0]));
  });

  test.each(['metrics', 'warmup_metrics'])('%s have the statistics of AIPerf', section => {
    type Series = { stats: object; timeslices?: object[] };
    const metrics: { type: string; series: Series[] }[] = Object.values(
      readJson('server_metrics_export.json', artifacts)[section],
    );
    for (const { type, series } of metrics) {
      const keys = expected.types[type];
      for (const entry of series) {
        expect([...keys.series, 'labels']).toEqual(expect.arrayContaining(Object.keys(entry)));
        expect(keys.stats).toEqual(expect.arrayContaining(Object.keys(entry.stats)));
        for (const slice of entry.timeslices ?? [])
          expect([...keys.timeslice, 'is_complete']).toEqual(expect.arrayContaining(Object.keys(slice)));
      }
    }
  });
});

test('scrapes have the phases of AIPerf', () => {
  const expected = getExpected('server_metrics_export.jsonl');
  const lines = readLines('server_metrics_export.jsonl');
  for (const line of lines) expect(Object.keys(line)).toEqual(expected[line.benchmark_phase ?? 'None']);
  expect(lines.at(-1).benchmark_phase).toBe('profiling');
});

test('requests have the fields of AIPerf', () => {
  const expected = getExpected('profile_export.jsonl');
  for (const line of readLines('profile_export.jsonl')) {
    expect(Object.keys(line)).toEqual(expected.fields);
    const fields = Object.keys(line.metadata);
    expect(expected.metadata.filter((field: string) => fields.includes(field))).toEqual(fields);
  }
});

test.each([
  ['profile_export_aiperf.csv', ['Metric', 'Endpoint'], 2],
  ['profile_export_aiperf_timeslices.csv', ['Timeslice'], 2],
])('%s has the headers, the line ends and the decimals of AIPerf', (name, first, decimals) => {
  const text = read(name);
  const lines = text.split('\r\n');
  expect(lines.filter(line => first.includes(line.split(',')[0]!))).toEqual(getExpected(name));
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  const fractions = [...text.matchAll(/,-?\d+\.(\d+)/g)].map(([, digits]) => digits!.length);
  expect(new Set(fractions)).toEqual(new Set([decimals]));
});

test('the server metrics CSV starts with the comments of AIPerf', () => {
  expect(read('server_metrics_export.csv').split('\n').slice(0, 6)).toEqual([
    '# AIPerf Server Metrics Export (CSV)',
    '# aiperf_version: 0.13.0',
    '# schema_version: 1.0',
    expect.stringMatching(/^# benchmark_id: /),
    '# Note: Same benchmark_id and version appear in JSON and Parquet exports',
    '#',
  ]);
});

test('the Parquet metadata contains the load, and no metadata of Servelens', async () => {
  const reader = await readServerMetricsParquet(join(run, 'server_metrics_export.parquet'));
  expect([...reader.metadata.keys()].filter(key => key.startsWith('servelens.'))).toEqual([]);
  expect(reader.metadata.get('aiperf.concurrency')).toBe('2');
  await reader.close();
});

test.each([
  'profile_export_aiperf.json',
  'profile_export_aiperf.csv',
  'profile_export.jsonl',
  'profile_export_aiperf_timeslices.json',
  'profile_export_aiperf_timeslices.csv',
  'server_metrics_export.json',
  'server_metrics_export.csv',
  'server_metrics_export.jsonl',
  'server_metrics_export.parquet',
])('%s is valid', async name => {
  const { issues } = await validate(fromPath(join(run, name)));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});
