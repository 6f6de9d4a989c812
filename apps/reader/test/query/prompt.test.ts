import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createQueriedRuns } from '../support/queries.ts';

const { runA } = createQueriedRuns('prompt');
const BIN = join(import.meta.dirname, '../../bin/servelens-reader.js');

/** Runs a prompt that reads lines from a pipe. */
function runPrompt(...lines: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [BIN, 'query', runA], {
    input: lines.join('\n'),
    encoding: 'utf8',
    timeout: 60_000,
  });
}

test('runs statements of one or several lines, continues after an error, and exits with 2', () => {
  const { status, stdout, stderr } = runPrompt(
    'SELECT 1 AS a;',
    'SELEKT 1;',
    'SELECT',
    '  2 AS b;',
    'SELECT 3 AS c',
  );
  expect(status).toBe(2);
  expect(stdout).toBe('a\n─\n1\n1 row\nb\n─\n2\n1 row\nc\n─\n3\n1 row\n');
  expect(stderr).toMatch(/^Parser Error: syntax error at or near "SELEKT"/);
});

test.each([
  ['.tables', /^samples\nhistograms\nbuckets\nseries\nstatistics\nrequests\ngpu_samples\nruns\nrows\n$/],
  ['.functions', /^increase\(value, timestamp_ns\) {2}increase of a counter/],
  ['.metrics tokens', /vllm:generation_tokens +counter +tokens +1\n1 row\n$/],
  ['.help', /^Views: samples, .*\n\.tables /],
  ['.mode xml', /^invalid \.mode "xml": expected table, csv, json, jsonl\n$/],
  ['.what', /^unknown command "\.what"\nViews: /],
])('%s prints its result', (command, expected) => {
  expect(runPrompt(command).stdout).toMatch(expected);
});

test.each<[string, string[], number]>([
  ['statements without errors', ['SELECT 1 AS a;'], 0],
  ['a failed last statement without a semicolon', ['SELECT 1 AS a;', 'SELECT nope'], 2],
  ['an unknown command', ['.what'], 2],
  ['an invalid mode', ['.mode xml'], 2],
  [
    'COPY TO over an export of the run',
    [`COPY (SELECT 1) TO '${join(runA, 'server_metrics_export.parquet')}';`],
    2,
  ],
])('after %s from a pipe, the exit code is correct', (_, lines, status) => {
  expect(runPrompt(...lines).status).toBe(status);
});

test('.mode sets the output format, and .quit ends the session', () => {
  expect(runPrompt('.mode csv', 'SELECT 1 AS a;', '.quit', 'SELECT 2 AS b;').stdout).toBe('a\n1\n');
});
