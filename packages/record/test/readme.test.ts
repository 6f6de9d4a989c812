import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { estimatePolynomialPercentiles } from '@org/core';
import { writeServerMetricsJson, writeServerMetricsLine } from '@org/formats/write';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExportView } from '../src/view/exportView.ts';
import { generateServerMetricsRecords } from '../src/view/jsonlRecords.ts';
import { createServerMetricsDocument } from '../src/view/serverMetrics.ts';
import { mixedRun } from './support/mixedRun.ts';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.warn('skipped the README examples: build the package first');

/** The examples of the README. The second example continues the first. */
const [first, second] = [
  ...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs),
].map(([, code]) => code!);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-readme-'));
  const view = createExportView(mixedRun);
  const document = createServerMetricsDocument(view, { estimator: estimatePolynomialPercentiles });
  writeFileSync(join(folder, 'server_metrics_export.json'), writeServerMetricsJson(document));
  const lines = [...generateServerMetricsRecords(view)].map(record => `${writeServerMetricsLine(record)}\n`);
  writeFileSync(join(folder, 'server_metrics_export.jsonl'), lines.join(''));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(!isBuilt)('the examples read a run and compute its statistics over another window', async () => {
  const code = `${first}\n${second}\nconsole.log(Object.keys(steady));`.replace(
    "'artifacts/collect-20261121-081530'",
    JSON.stringify(folder),
  );
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
  expect(stdout).toMatch(
    /^jsonl \[\n {2}'1 scrape of .*'\n\] \[ 'c', 'g', 'h', 'x_info' \]\n\[ 'record', 'summary', 'endpoints', 'metrics' \]\n$/,
  );
});
