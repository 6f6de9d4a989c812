import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ReadIssues } from '../../../src/report/readIssues.ts';
import { buildClientCharts } from '../../../src/report/timeline/clientCharts.ts';

const folder = mkdtempSync(join(tmpdir(), 'client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = 1_795_254_800_000_000_000n;
const axis = { bins: 3, width: 2 };

/** Formats a line of profile_export.jsonl for a request between two times in seconds after `START`. */
function formatLine(from: number, to: number, metrics: object, error?: object, phase = 'profiling'): string {
  const formatNs = (seconds: number): string => String(START + BigInt(Math.round(seconds * 1e9)));
  const metadata =
    `{"session_num":0,"request_start_ns":${formatNs(from)},"request_end_ns":${formatNs(to)},` +
    `"benchmark_phase":"${phase}","was_cancelled":false}`;
  return `{"metadata":${metadata},"metrics":${JSON.stringify(metrics)},"error":${JSON.stringify(error ?? null)}}\n`;
}

test('places requests at their times', async () => {
  const createMsValue = (value: number): object => ({ value, unit: 'ms' });
  const file = join(folder, 'profile_export.jsonl');
  writeFileSync(
    file,
    formatLine(0, 4, {
      time_to_first_token: createMsValue(1000),
      request_latency: createMsValue(4000),
      inter_token_latency: createMsValue(50),
      output_sequence_length: { value: 30, unit: 'tokens' },
    }) + formatLine(2, 3, {}, { code: 500, type: 'HttpError', message: 'no' }),
  );
  const charts = await buildClientCharts(file, START, axis, new ReadIssues());
  expect(charts.every(({ side }) => side === 'client')).toBe(true);
  expect(Object.fromEntries(charts.map(({ name, all }) => [name, all]))).toEqual({
    'requests in flight': [1, 1.5, 0],
    'requests completed': [0, 0, 0.5],
    'requests failed': [0, 0.5, 0],
    time_to_first_token: [1, null, null],
    inter_token_latency: [null, null, 0.05],
    request_latency: [null, null, 4],
    'output tokens': [5, 10, 0],
  });
});

test('leaves out the requests of the warm-up', async () => {
  const file = join(folder, 'warmup.jsonl');
  const profiling = formatLine(2, 4, { request_latency: { value: 2000, unit: 'ms' } });
  writeFileSync(file, profiling);
  const expected = await buildClientCharts(file, START, axis, new ReadIssues());
  const latency = { request_latency: { value: 3500, unit: 'ms' } };
  writeFileSync(file, formatLine(0, 3.5, latency, undefined, 'warmup') + profiling);
  expect(await buildClientCharts(file, START, axis, new ReadIssues())).toEqual(expected);
});

test('has no values before the first request, because warm-up requests are left out', async () => {
  const file = join(folder, 'late.jsonl');
  writeFileSync(file, formatLine(2, 4, {}));
  const charts = await buildClientCharts(file, START, axis, new ReadIssues());
  expect(Object.fromEntries(charts.map(({ name, all }) => [name, all]))).toEqual({
    'requests in flight': [null, 1, 0],
    'requests completed': [null, 0, 0.5],
  });
});

test('builds no charts without requests', async () => {
  const file = join(folder, 'empty.jsonl');
  writeFileSync(file, '');
  expect(await buildClientCharts(file, START, axis, new ReadIssues())).toEqual([]);
});

test('skips and reports a broken line', async () => {
  const file = join(folder, 'broken.jsonl');
  writeFileSync(file, `${formatLine(0, 4, {})}{"metadata": 1}\nno JSON\n`);
  const issues = new ReadIssues();
  const charts = await buildClientCharts(file, START, axis, issues);
  expect(charts.find(({ name }) => name === 'requests completed')!.all).toEqual([0, 0, 0.5]);
  expect(issues.notes).toHaveLength(1);
  expect(issues.notes[0]).toMatch(/broken\.jsonl was not read completely: line 2.*and \d+ more/);
});
