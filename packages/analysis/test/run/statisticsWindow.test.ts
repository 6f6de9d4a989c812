import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateMomentsPercentiles } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { streamServerMetricsCsv, writeServerMetricsJson } from '@org/formats/write';
import { readJsonlRecord } from '@org/record/open';
import { createExportView, createServerMetricsDocument } from '@org/record/view';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { checkRun } from '../../src/check/checkRun.ts';
import { parseAssertion } from '../../src/check/rules.ts';
import { compareRuns } from '../../src/compare/compareRuns.ts';
import { openRun } from '../../src/run/openRun.ts';
import type { Run } from '../../src/run/run.ts';
import { addUpperRates } from '../../src/run/statisticsWindow.ts';
import { createTempFolder } from '../documents.ts';

/** A run of AIPerf 0.13.0: 2.22 s of load, and 4.2 s in AIPerf's window. */
const AIPERF = new URL('../../../record/test/files/aiperf-0.13/warmup/', import.meta.url).pathname;
const PARQUET = new URL('../../../formats/test/files/parquet/aiperf.parquet', import.meta.url).pathname;
const JSON_NAME = 'server_metrics_export.json';
const JSONL_NAME = 'server_metrics_export.jsonl';

const { path: root, remove } = createTempFolder('aiperf-window');
afterAll(remove);

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  cpSync(AIPERF, root, { recursive: true });
});

const edit = (name: string, change: (text: string) => string): void =>
  writeFileSync(join(root, name), change(readFileSync(join(root, name), 'utf8')));
const removeFile = (name: string): void => rmSync(join(root, name));
const readTokens = ({ families }: Run) => families.get('vllm:generation_tokens')!.series[0]!.stats;

describe('openRun, for a folder of AIPerf', () => {
  test('computes the figures of the profiling phase from the JSONL export', async () => {
    const run = await openRun(root);
    expect(readTokens(run)).toMatchObject({ total: 950, rate: expect.closeTo(428, 0) });
    expect(readTokens(run)).not.toHaveProperty('rate_upper');
    expect(run.notes).toEqual([
      'server metrics are computed from server_metrics_export.jsonl for the profiling phase',
    ]);
    expect(run.window).toBeUndefined();
    expect(run.times.profilingSeconds).toBeCloseTo(2.2186, 3);
  });

  test('names the window of the figures without a JSONL export, and adds the rates over the profiling phase', async () => {
    removeFile(JSONL_NAME);
    const run = await openRun(root);
    expect(readTokens(run)).toMatchObject({
      total: 950,
      rate: expect.closeTo(225.5, 1),
      rate_upper: expect.closeTo(428.2, 1),
    });
    expect(run.notes).toEqual([expect.stringMatching(/^server metrics cover AIPerf's window/)]);
    expect(run.window?.profilingSeconds).toBeCloseTo(2.2186, 3);
  });

  test('shows the exported figures if the JSONL export cannot be read', async () => {
    writeFileSync(join(root, JSONL_NAME), 'not JSON\nnot JSON\n');
    const run = await openRun(root);
    expect(readTokens(run)).toHaveProperty('rate_upper');
    expect(run.notes).toEqual([
      expect.stringMatching(/^cannot export from .*server_metrics_export\.jsonl/),
      expect.stringMatching(/^server metrics cover AIPerf's window/),
    ]);
  });

  test('reads the JSONL export if the JSON export was not written completely', async () => {
    edit(JSON_NAME, text => text.slice(0, text.length / 2));
    const run = await openRun(root);
    expect(run.layout).toBe('jsonl');
    expect(run.notes[0]).toMatch(/server_metrics_export\.json/);
    expect(run.families.get('vllm:num_requests_running')).toBeDefined();
  });

  test('shows server metrics if the profile export was not written completely', async () => {
    writeFileSync(join(root, 'profile_export_aiperf.json'), '{"schema_version": "1.4", "request_co');
    const run = await openRun(root);
    expect(readTokens(run).total).toBe(950);
    expect(run.profile).toBeUndefined();
    expect(run.notes[0]).toMatch(
      /^client metrics are missing: cannot read .*profile_export_aiperf\.json: cannot parse JSON/,
    );
  });

  test('reads a JSONL export whose last line is incomplete', async () => {
    edit(JSONL_NAME, text => text.slice(0, -100));
    const run = await openRun(root);
    expect(readTokens(run).total).toBe(950);
    expect(run.notes.join()).toMatch(/line 20 of the JSONL export is incomplete/);
  });

  test.each(['2026-11-23T06:37:51.226755', '2026-11-24T01:22:51.226755'])(
    'has the same times if its local start time is %s',
    async startTime => {
      edit(JSON_NAME, text => text.replace(/"start_time": "[^"]*"/, `"start_time": "${startTime}"`));
      removeFile(JSONL_NAME);
      const { times } = await openRun(root);
      expect([times.profilingStartNs, times.profilingEndNs]).toEqual([
        1795433871226755057n,
        1795433873445354617n,
      ]);
      expect([times.startNs, times.endNs]).toEqual([1795433858768592961n, 1795433875449714975n]);
    },
  );
});

/** Writes the server metrics of the run as `--compat aiperf-0.13` does. Returns the path of the file. */
async function writeCompatible(
  window: 'profiling' | 'aiperf',
  change: (text: string) => string = text => text,
): Promise<string> {
  const { record } = await readJsonlRecord(fromPath(join(root, JSONL_NAME)), { json: join(root, JSON_NAME) });
  const options = { estimator: estimateMomentsPercentiles };
  const document = createServerMetricsDocument(createExportView(record, { window }), options);
  const file = join(root, 'compatible.json');
  writeFileSync(file, change(writeServerMetricsJson(document, { layout: 'aiperf' })));
  return file;
}

/** Writes a profile export with a command line. */
function writeProfile(cliCommand: string, times: object = {}): void {
  const runInfo = { benchmark_id: 'b', trial: 0, random_seed: 1, cli_command: cliCommand };
  const profile = { schema_version: '1.4', benchmark_id: 'b', run_info: runInfo, ...times };
  writeFileSync(join(root, 'profile_export_aiperf.json'), JSON.stringify(profile));
}

/** Removes the evidence of the window in rates: how far the scrapes next to the phase can be from its ends. */
const hideInterval = (text: string): string => text.replace(/,\s*"median_update_interval_ms": [\d.]+/g, '');

describe('the window of an export that does not record it', () => {
  test('is the profiling phase if rates were computed over its duration', async () => {
    const file = await writeCompatible('profiling');
    expect(readFileSync(file, 'utf8')).not.toMatch(/profiling_start_ns|statistics_window|servelens_/);
    const run = await openRun(file);
    expect([run.window, run.notes]).toEqual([undefined, []]);
    expect(readTokens(run)).toMatchObject({ rate: expect.closeTo(428, 0) });
    expect(readTokens(run)).not.toHaveProperty('rate_upper');
  });

  test("is AIPerf's if rates were computed until the last scrape", async () => {
    const run = await openRun(await writeCompatible('aiperf'));
    expect(run.window).toEqual({ kind: 'aiperf', profilingSeconds: expect.closeTo(2.2186, 3) });
    expect(readTokens(run)).toMatchObject({
      rate: expect.closeTo(225.5, 1),
      rate_upper: expect.closeTo(428.2, 1),
    });
  });

  test('is unknown without evidence, and rates are intervals', async () => {
    const run = await openRun(await writeCompatible('aiperf', hideInterval));
    expect(run.window).toEqual({ kind: 'unknown', profilingSeconds: expect.closeTo(2.2186, 3) });
    expect(run.notes).toEqual([expect.stringMatching(/^the window of the server metrics is unknown/)]);
    expect(readTokens(run)).toHaveProperty('rate_upper');
    const [result] = checkRun(run, [
      parseAssertion(`vllm:generation_tokens.rate < ${readTokens(run).rate_upper}`),
    ]);
    expect(result).toMatchObject({
      outcome: 'unknown',
      detail: expect.stringMatching(/^the window of the export is unknown, and the outcome depends/),
    });
  });

  test('is unknown in an export whose rates fit neither', async () => {
    const file = await writeCompatible('profiling', text =>
      text.replaceAll(/("(?:count_)?rate": )([\d.e+-]+)/g, (_, name, rate) => `${name}${Number(rate) * 2}`),
    );
    expect((await openRun(file)).window?.kind).toBe('unknown');
  });

  test.each([
    ['servelens profile --compat aiperf-0.13', undefined],
    ['servelens profile --compat aiperf-0.13 --window aiperf', 'aiperf'],
    ['servelens profile --window=aiperf --compat aiperf-0.13', 'aiperf'],
    ['servelens profile --window profiling --compat aiperf-0.13', undefined],
    ['aiperf profile --window', 'unknown'],
  ])('is taken from the command line %s without other evidence', async (command, kind) => {
    const file = await writeCompatible('profiling', hideInterval);
    renameSync(file, join(root, JSON_NAME));
    removeFile(JSONL_NAME);
    writeProfile(command);
    expect((await openRun(root)).window?.kind).toBe(kind);
  });
});

describe('the window of a CSV export', () => {
  beforeEach(async () => {
    const document = await readServerMetricsJson(fromPath(join(root, JSON_NAME)));
    const csv = [...streamServerMetricsCsv(document as ServerMetricsDocument, { layout: 'aiperf' })];
    writeFileSync(join(root, 'server_metrics_export.csv'), csv.join(''));
    removeFile(JSON_NAME);
    removeFile(JSONL_NAME);
  });

  test('is unknown', async () => {
    const run = await openRun(join(root, 'server_metrics_export.csv'));
    expect(run.window).toEqual({ kind: 'unknown' });
    expect(run.notes).toEqual([
      expect.stringMatching(/^the window of the server metrics is unknown.*averages are too low$/),
    ]);
  });

  test('is unknown, but the profile export shows the upper ends of its rates', async () => {
    const times = { start_time: '2026-11-23T06:37:51.226755', end_time: '2026-11-23T06:37:53.445354' };
    writeProfile('aiperf profile', times);
    const run = await openRun(root);
    expect(run.window).toEqual({ kind: 'unknown', profilingSeconds: expect.closeTo(2.2186, 3) });
    expect(readTokens(run)).toMatchObject({
      rate: expect.closeTo(225.5, 1),
      rate_upper: expect.closeTo(428.2, 1),
    });
  });

  test('is the profiling phase next to a profile export of Servelens', async () => {
    writeProfile('servelens profile --server-metrics-formats csv');
    expect((await openRun(root)).window).toBeUndefined();
  });

  test('is not used if the folder contains samples as Parquet', async () => {
    cpSync(PARQUET, join(root, 'server_metrics_export.parquet'));
    const run = await openRun(root);
    expect(run.layout).toBe('parquet');
  });
});

describe("a rule on a rate over AIPerf's window", () => {
  test.each([
    ['vllm:generation_tokens.rate > 200', 'passed'],
    ['vllm:generation_tokens.rate > 500', 'failed'],
    ['vllm:generation_tokens.rate > 300', 'unknown'],
    ['not (vllm:generation_tokens.rate > 300)', 'unknown'],
    ['vllm:generation_tokens.rate > baseline * 0.4', 'passed'],
    ['vllm:generation_tokens.rate > baseline * 0.9', 'unknown'],
    ['vllm:generation_tokens.total == 950', 'passed'],
  ])('%s has the outcome %s', async (text, outcome) => {
    removeFile(JSONL_NAME);
    const run = await openRun(root);
    expect(checkRun(run, [parseAssertion(text)], run)[0]!.outcome).toBe(outcome);
  });

  test('shows both rates if they have different outcomes', async () => {
    removeFile(JSONL_NAME);
    const [result] = checkRun(await openRun(root), [parseAssertion('vllm:generation_tokens.rate > 300')]);
    expect(result!.detail).toMatch(/AIPerf's window.* found 225\.5.* or found 428\.1/);
  });
});

test('does not compare rates that are known as overlapping intervals', async () => {
  removeFile(JSONL_NAME);
  const base = await openRun(root);
  edit(JSON_NAME, text => text.replace('"rate": 225.', '"rate": 265.'));
  const comparison = compareRuns([base], [await openRun(root)]);
  const row = comparison.rows.find(({ name, stat }) => name === 'vllm:generation_tokens' && stat === 'rate')!;
  expect([row.verdict, row.reason]).toEqual([
    'untested',
    "rates over AIPerf's window are intervals that overlap",
  ]);
  expect(row.upper).toEqual([expect.closeTo(428.2, 1), expect.closeTo(428.2, 1)]);
});

test.each([
  ['a counter', { total: 10, rate: 2 }, { total: 10, rate: 2, rate_upper: 5 }],
  [
    'a histogram',
    { count: 4, sum: 8, count_rate: 1, sum_rate: 2 },
    { count_rate_upper: 2, sum_rate_upper: 4 },
  ],
  ['a gauge', { avg: 3 }, { avg: 3 }],
  ['a rate that is higher than over the profiling phase', { total: 10, rate: 6 }, { total: 10, rate: 6 }],
])('adds upper bounds to the rates of %s', (_name, stats, expected) => {
  expect(addUpperRates(stats, { profilingSeconds: 2 })).toMatchObject(expected);
  expect(addUpperRates(stats, {})).toEqual(stats);
});
