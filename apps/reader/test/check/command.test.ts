import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { writeExportedRun } from '../support/exportedRuns.ts';
import { expectUserError, runReader, writeTestFile } from '../support/runReader.ts';

const { path: folder, remove } = createTempFolder('check-command');
afterAll(remove);

const slow = writeExportedRun(folder, 'slow.json', 100);
const fast = writeExportedRun(folder, 'fast.json', 200);
const rules = writeTestFile(folder, 'gates.txt', '"fast enough": vllm:generation_tokens.rate > 150\n');
const empty = writeTestFile(folder, 'empty.txt', '# nothing\n');

test.each<[string[], number, RegExp]>([
  [[fast, '--rules', rules], 0, /✓ fast enough/],
  [[slow, '--rules', rules], 1, /✗ fast enough/],
  [[slow, '--assert', 'nope.avg < 1'], 2, /no metric nope/],
  [[slow, '--assert', 'vllm:generation_tokens.rate < baseline', '--baseline', fast], 0, /1 passed/],
  [[slow, '--rules', rules, '--assert', 'warn nope.avg < 1'], 1, /2 rules: 1 failed, 1 undetermined/],
  [[slow, '--rules', rules, '--junit'], 1, /^<\?xml/],
  [[slow, '--rules', rules, '--github'], 1, /^::error file=.*line=1/],
  [[slow, '--rules', rules, '--json'], 1, /"exit_code": 1/],
])('%j exits with %i', async (args, exitCode, expected) => {
  const { code, out, err } = await runReader(['check', ...args]);
  expect([code, err]).toEqual([exitCode, '']);
  expect(out).toMatch(expected);
});

test.each<[string[], RegExp]>([
  [[slow], /missing rules; set --assert or --rules/],
  [[slow, '--rules', empty], /no rules in .*empty\.txt/],
  [[slow, '--rules', join(folder, 'none.txt')], /cannot read --rules ".*none\.txt": no such file/],
  [[slow, '--assert', 'a.avg <> 1'], /--assert: expected [\s\S]*\n {4}a\.avg <> 1\n {11}\^/],
  [[slow, '--assert', 'vllm:generation_tokens{x=~"("}.rate > 1'], /invalid regular expression/],
])('rejects %j', async (args, message) => {
  await expectUserError(['check', ...args], message);
});

test('rejects repeated runs, and suggests one run', async () => {
  writeTestFile(folder, 'repeated/profile_runs/run_0001/profile_export_aiperf.json', '{}');
  await expectUserError(
    ['check', join(folder, 'repeated'), '--assert', 'request_latency.p99 < 1s'],
    /contains repeated runs; expected the folder of one run, such as \S*run_0001;/,
  );
});
