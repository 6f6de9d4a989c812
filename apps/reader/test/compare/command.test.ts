import { afterAll, expect, test } from 'vitest';
import { createTempFolder } from '../../../../packages/analysis/test/documents.ts';
import { writeExportedRun } from '../support/exportedRuns.ts';
import { expectUserError, runReader, writeTestFile } from '../support/runReader.ts';
import { AGGREGATE } from '../support/sweepDocuments.ts';

const { path: folder, remove } = createTempFolder('compare-command');
afterAll(remove);

const slow = writeExportedRun(folder, 'slow.json', 100);
const fast = writeExportedRun(folder, 'fast.json', 200);

test.each<[string[], number, RegExp]>([
  [[fast, slow], 0, /^1 worse(?: {2}|\n)/],
  [[fast, slow, '--exit-code'], 1, /^1 worse(?: {2}|\n)/],
  [[slow, fast, '--exit-code'], 0, /^1 better(?: {2}|\n)/],
  [[slow, fast, fast, '--each', '--json'], 0, /^\[\n/],
  [[slow, fast, fast, '--base-run', slow, '--markdown'], 0, /^### Server metrics: 1 better/],
  [[slow, fast, '--metric', 'kv_cache', '--stat', 'max,avg'], 0, /2 unchanged/],
])('%j exits with %i', async (args, exitCode, expected) => {
  const { code, out, err } = await runReader(['compare', ...args]);
  expect([code, err]).toEqual([exitCode, '']);
  expect(out).toMatch(expected);
});

test.each<[string[], RegExp]>([
  [[slow], /see --help/],
  [[slow, fast, '--alpha', '2'], /invalid --alpha "2": expected a number from 0 to 1/],
  [[slow, fast, '--alpha', 'x'], /invalid --alpha "x": expected a number from 0 to 1/],
  [
    [slow, fast, '--stat', 'nope'],
    /invalid --stat "nope": no series has this statistic; expected one of .*avg, /,
  ],
  [
    [slow, fast, '--metric', 'nope'],
    /invalid --metric "nope": no metric name of these runs contains this text/,
  ],
  [
    [slow, fast, '--metric', 'kv_cache,nope'],
    /invalid --metric "nope": no metric name of these runs contains this text/,
  ],
  [
    [slow, fast, '--by', 'UNKNOWN'],
    /invalid --by "UNKNOWN": no series has this label; expected one of .*endpoint_url/,
  ],
  [[slow, fast, '--ignore-label', 'nope'], /invalid --ignore-label "nope": no series has this label/],
  [[slow, fast, '--rollup', 'median'], /invalid --rollup "median": expected /],
])('rejects %j', async (args, message) => {
  await expectUserError(['compare', ...args], message);
});

test('rejects a sweep and a single run, and suggests the folder of one variation', async () => {
  for (const name of ['variation_0000_concurrency_1', 'variation_0001_concurrency_2'])
    writeTestFile(folder, `sweep/${name}/profile_export_aiperf.json`, '{}');
  await expectUserError(
    ['compare', `${folder}/sweep`, slow],
    /cannot compare the sweep ".*sweep" with ".*", which is not a sweep; specify a variation, such as \S*variation_0000_concurrency_1$/m,
  );
});

test('rejects the results of several runs', async () => {
  const file = writeTestFile(
    folder,
    'aggregate/profile_export_aiperf_aggregate.json',
    JSON.stringify(AGGREGATE),
  );
  await expectUserError(['compare', file, file], /contains the results of several runs/);
});
