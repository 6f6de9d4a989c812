import { afterAll, describe, expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  createTempFolder,
  toJson,
} from '../../../../packages/analysis/test/documents.ts';
import { CSV_EXPORT, writeExportedRun } from '../support/exportedRuns.ts';
import { expectUserError, runReader, writeTestFile } from '../support/runReader.ts';

const { path: folder, remove } = createTempFolder('summary-command');
afterAll(remove);

const run = writeExportedRun(folder, 'run.json', 100);

test.each<[string, string[], RegExp]>([
  ['a screen', [], /KV cache nearly full/],
  ['JSON', ['--json'], /^\{\n {2}"run": /],
  ['Markdown', ['--markdown'], /^## .*run\.json\n/],
])('prints %s', async (_, options, expected) => {
  const { code, out, err } = await runReader(['summary', run, ...options]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(expected);
});

test.each([
  [['--no-finding', 'full-kv-cache']],
  [['--no-finding', 'client-bottleneck', '--no-finding', 'full-kv-cache']],
  [['--threshold', 'full-kv-cache.usage=0.995']],
])('omits a finding with %j', async options => {
  const { code, out } = await runReader(['summary', run, ...options]);
  expect(code).toBe(0);
  expect(out).not.toContain('KV cache nearly full');
});

test('lists findings without a run', async () => {
  const { code, out } = await runReader(['summary', '--list-findings']);
  expect(code).toBe(0);
  expect(out).toMatch(/^full-kv-cache {2}\(problem\) .*\n {4}usage=0\.9 {2}/m);
});

test('requires a run', async () => {
  await expectUserError(['summary'], /missing run; expected a folder or file of a run; see --help/);
});

test('reads a file, or the folder that contains it', async () => {
  const file = writeTestFile(folder, 'csv/server_metrics_export.csv', CSV_EXPORT);
  for (const name of [file, `${folder}/csv`]) {
    const { code, out } = await runReader(['summary', name]);
    expect(code).toBe(0);
    expect(out).toMatch(/generation_tokens\s+120\s+4/);
  }
});

describe('statistics that the schema does not list', () => {
  const series = createCounter(20, { stats: { extra: 9007199254740993n } });
  const file = writeTestFile(
    folder,
    'extra.json',
    toJson(createDocument({ 'vllm:generation_tokens': createMetric('counter', [series]) })),
  );

  test('are printed with all digits', async () => {
    const { code, out } = await runReader(['summary', file, '--json']);
    expect(code).toBe(0);
    expect(out).toContain('"extra": 9007199254740993');
  });

  test('can be compared', async () => {
    const { out } = await runReader(['compare', file, file, '--stat', 'extra', '--json']);
    expect(JSON.parse(out)).toMatchObject({ rows: [{ stat: 'extra', base: 9007199254740992 }] });
  });
});

describe('--servers', () => {
  const definition = writeTestFile(
    folder,
    'mine.yaml',
    `name: Mine
recognize: { prefixes: [mine_] }
key_metrics:
  - { name: mine_queue, stat: max, meaning: queue depth }
roles:
  waiting: { metrics: [mine_queue], operation: sum }
`,
  );
  const metrics = { mine_queue: createMetric('gauge', [createGauge(3)]) };
  const mine = writeTestFile(folder, 'mine/server_metrics_export.json', toJson(createDocument(metrics)));

  test('shows the metrics of a server that a file defines', async () => {
    const unknown = await runReader(['summary', mine]);
    expect(unknown.out).toContain('Unknown server');
    const { code, out, err } = await runReader(['summary', mine, '--servers', definition]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^ Mine /m);
    expect(out).toMatch(/^ queue /m);
    expect(out).not.toContain('Unknown server');
  });

  test('reports the problems of the file by line', async () => {
    const invalid = writeTestFile(folder, 'invalid.yaml', 'name: Mine\nrecognise: { prefixes: [mine_] }\n');
    await expectUserError(
      ['summary', mine, '--servers', invalid],
      /invalid\.yaml:2:1: unknown key "recognise" \(did you mean recognize\?\); expected name, /,
    );
  });
});
