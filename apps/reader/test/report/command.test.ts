import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { writeExportedRun } from '../support/exportedRuns.ts';
import { readPageData } from '../support/readPageData.ts';
import { expectUserError, runReader, writeTestFile } from '../support/runReader.ts';
import { SWEEP } from '../support/sweepDocuments.ts';

const { path: folder, remove } = createTempFolder('report-command');
afterAll(remove);

const run = writeExportedRun(folder, 'run/server_metrics_export.json', 100);
const sweep = writeTestFile(folder, 'sweep/profile_export_aiperf_sweep.json', JSON.stringify(SWEEP));

test.each([
  ['to the folder of a run', join(folder, 'run'), join(folder, 'run/server_metrics_report.html')],
  ['next to a file', run, join(folder, 'run/server_metrics_export_report.html')],
])('writes the page %s by default, and prints its path', async (_, name, expected) => {
  const { code, out, err } = await runReader(['report', name]);
  expect([code, out, err]).toEqual([0, `${expected}\n`, '']);
  expect(readFileSync(expected, 'utf8')).toMatch(/^<!doctype html>/);
});

test('compares with a baseline', async () => {
  const page = join(folder, 'page.html');
  const { code } = await runReader(['report', run, '--baseline', run, '-o', page]);
  expect(code).toBe(0);
  expect(readPageData(readFileSync(page, 'utf8')).comparison).toMatchObject({ base: run });
});

test('writes the charts as pictures, too, and prints their paths', async () => {
  const [page, charts] = [join(folder, 'pictured.html'), join(folder, 'charts')];
  const { code, out } = await runReader(['report', run, '-o', page, '--svg', charts]);
  expect(code).toBe(0);
  const names = ['server-kv-cache', 'server-tokens'];
  expect(out.trim().split('\n')).toEqual([page, ...names.map(name => join(charts, `${name}.svg`))]);
  expect(readFileSync(join(charts, 'server-tokens.svg'), 'utf8')).toMatch(/^<svg xmlns=/);
});

test('writes the page of a sweep', async () => {
  const page = join(folder, 'sweep.html');
  expect((await runReader(['report', sweep, '-o', page])).code).toBe(0);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<section id="curve"');
  expect(html).toContain('The runs were not found');
});

test('writes the charts of a sweep as pictures', async () => {
  const charts = join(folder, 'sweep-charts');
  const { code, out } = await runReader(['report', sweep, '-o', join(folder, 's.html'), '--svg', charts]);
  expect(code).toBe(0);
  expect(out).toContain(join(charts, 'tradeoff.svg'));
  expect(readFileSync(join(charts, 'tradeoff.svg'), 'utf8')).not.toMatch(/var\(|NaN/);
});

test.each([
  [
    'a sweep with --baseline',
    [sweep, '--baseline', run],
    /cannot compare ".*": expected a folder with complete runs/,
  ],
  [
    '--run-pages for a single run',
    [run, '--run-pages'],
    /expected the folder of a sweep or of repeated runs/,
  ],
  [
    '--threshold for several runs',
    [run, run, '--threshold', 'x.y=1'],
    /--threshold applies to the page of one run/,
  ],
  ['several sweeps', [sweep, sweep], /contains the results of several runs; expected the folder of one run/],
  ['an unknown finding', [run, '--no-finding', 'nope'], /invalid --no-finding "nope"/],
  ['a page that cannot be written', [run, '-o', '/no/such/page.html'], /\/no\/such/],
])('rejects %s', async (_, args, message) => {
  await expectUserError(['report', ...args], message);
});

test('writes one page about several runs, compared with the first or with the baseline', async () => {
  const page = join(folder, 'several.html');
  expect(await runReader(['report', run, run, run, '-o', page])).toMatchObject({ code: 0, out: `${page}\n` });
  expect(readFileSync(page, 'utf8')).toContain('2 benchmarks compared with');
  await runReader(['report', run, run, '--baseline', run, '-o', page]);
  expect(readFileSync(page, 'utf8')).toContain('2 benchmarks compared with');
});

test('--json prints the exact path, and --quiet nothing', async () => {
  const page = join(folder, 'a\nb.html');
  const { out } = await runReader(['report', run, '-o', page, '--json']);
  expect(JSON.parse(out)).toEqual({ files: [{ path: page }] });
  expect(await runReader(['report', run, '-o', page, '--quiet'])).toMatchObject({ code: 0, out: '' });
});
