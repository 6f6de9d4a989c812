import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRun } from '@org/analysis';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createMetric,
  createTempFolder,
  toJson,
} from '../../../packages/analysis/test/documents.ts';
import { CSV_EXPORT } from './support/exportedRuns.ts';
import { runReader } from './support/runReader.ts';

const { path: root, remove } = createTempFolder('pipe');
afterAll(remove);

/** Creates a named pipe, which can be read once, like a process substitution of a shell. */
function createPipe(content: string | Buffer): { readonly pipe: string; readonly written: Promise<void> } {
  const pipe = join(root, `pipe${pipes++}`);
  execFileSync('mkfifo', [pipe]);
  return { pipe, written: writeFile(pipe, content) };
}
let pipes = 0;

const TOKENS = 'vllm:generation_tokens';
// Longer than the part of a file that determines its format, and longer than the buffer of a pipe.
const JSON_TEXT = toJson({
  ...createDocument({ [TOKENS]: createMetric('counter', [createCounter(100)], 'tokens') }),
  input_config: { prompt: 'x'.repeat(200_000) },
});
const RECORDS = [0n, 1n, 2n]
  .map(
    i =>
      `{"endpoint_url":"http://a:1/metrics","timestamp_ns":${1_795_254_800_000_000_000n + i * 1_000_000_000n},"endpoint_latency_ns":5,"metrics":{"${TOKENS}":[{"value":${10n * i}}]}}\n`,
  )
  .join('');
const PROFILE = toJson({
  schema_version: '1.3',
  request_throughput: { unit: 'requests/sec', avg: 4 },
  was_cancelled: false,
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  test.each([
    ['JSON', JSON_TEXT, 'json', TOKENS],
    ['CSV', CSV_EXPORT, 'csv', TOKENS],
    ['JSONL', RECORDS, 'jsonl', TOKENS],
    ['a profile export', PROFILE, 'none', 'request_throughput'],
  ])('with %s is read like a regular file', async (_, text, layout, name) => {
    const { pipe, written } = createPipe(text);
    const [opened] = await Promise.all([openRun(pipe), written]);
    const file = join(root, `${layout}.file`);
    writeFileSync(file, text);
    const expected = await openRun(file);
    expect(opened.layout).toBe(layout);
    expect(opened.name).toBe(pipe);
    expect(opened.families.get(name)!.series).toEqual(expected.families.get(name)!.series);
  });

  test('with Parquet is read completely', async () => {
    const file = fileURLToPath(
      new URL('../../../packages/formats/test/files/parquet/aiperf.parquet', import.meta.url),
    );
    const { pipe, written } = createPipe(readFileSync(file));
    const [opened] = await Promise.all([openRun(pipe), written]);
    expect(opened.layout).toBe('parquet');
    expect([...opened.families]).toEqual([...(await openRun(file)).families]);
    expect(opened.families.size).toBeGreaterThan(0);
  });

  test.each([
    [
      'JSON that is not an export',
      '{"x":1}',
      /cannot read \S*pipe\d+: [^\n]*expected a server-metrics document/,
    ],
    ['nothing', '', /cannot read \S*pipe\d+": the file is empty/],
    [
      'requests',
      `{"metadata":{"request_start_ns":1},"metrics":{"request_latency":{"value":1,"unit":"ms"}}}\n`,
      /contains individual requests; specify profile_export_aiperf.json/,
    ],
    [
      'an aggregate of runs',
      '{"metadata":{"aggregation_type":"confidence"}}',
      /expected the folder of one run; summary and report accept this file if its name ends with _aggregate\.json/,
    ],
  ])('is rejected if it contains %s', async (_, text, message) => {
    const { pipe, written } = createPipe(text);
    const [{ code, err }] = await Promise.all([runReader(['summary', pipe]), written]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  test('can be compared with another pipe and checked against rules', async () => {
    const [base, other] = [createPipe(JSON_TEXT), createPipe(CSV_EXPORT)];
    const [compared] = await Promise.all([
      runReader(['compare', base.pipe, other.pipe, '--json']),
      base.written,
      other.written,
    ]);
    expect(compared).toMatchObject({ code: 0, err: '' });
    const [run, baseline] = [createPipe(CSV_EXPORT), createPipe(JSON_TEXT)];
    const [checked] = await Promise.all([
      runReader(['check', run.pipe, '--baseline', baseline.pipe, '--assert', `${TOKENS}.total > 1`]),
      run.written,
      baseline.written,
    ]);
    expect(checked).toMatchObject({ code: 0, err: '' });
  });

  test('is the source of a report with --output; the report notes the missing charts', async () => {
    const { pipe, written } = createPipe(RECORDS);
    const page = join(root, 'page.html');
    const [result] = await Promise.all([runReader(['report', pipe, '--output', page]), written]);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(page, 'utf8')).toContain(
      'is a pipe, which can be read only once; for charts of all samples, specify a regular file',
    );
  });

  test('is rejected by report without --output', async () => {
    execFileSync('mkfifo', [join(root, 'unread')]);
    expect(await runReader(['report', join(root, 'unread')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is not a regular file, so the page has no default path; set --output/),
    });
  });

  test('is rejected by query', async () => {
    execFileSync('mkfifo', [join(root, 'rows')]);
    expect(await runReader(['query', join(root, 'rows'), 'SELECT 1'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Parquet is read from its end, .*; expected a file/),
    });
  });
});
