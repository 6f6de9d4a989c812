import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createTempFolder } from '../../../packages/analysis/test/documents.ts';
import { writeExportedRun } from './support/exportedRuns.ts';
import { expectUserError, runReader, writeTestFile } from './support/runReader.ts';

const { path: folder, remove } = createTempFolder('main');
afterAll(remove);

const empty = join(folder, 'empty');
mkdirSync(empty);
const run = writeExportedRun(folder, 'run.json', 100);

test.each([
  [[], /missing command/],
  [['sumary', 'x'], /unknown command "sumary"; did you mean summary\?/],
  [['summary', run, '--jsn'], /unknown option --jsn; did you mean --json\?/],
  [['summary', run, '--json', '--markdown'], /cannot use both --json and --markdown/],
  [['check', run, '--junit', '--github'], /cannot use both --junit and --github/],
  [['summary', empty, '--json=on'], /invalid --json "on": expected true or false/],
  [['compare', empty, empty, '--exit-code=3'], /invalid --exit-code "3": expected true or false/],
  [['check', empty, '--junit=off'], /invalid --junit "off": expected true or false/],
])('rejects %j', async (args, message) => {
  await expectUserError(args, message);
});

describe('a run that cannot be read', () => {
  const broken = writeTestFile(
    folder,
    'wrong.json',
    readFileSync(run, 'utf8').replace('"avg":0.9', '"avg":null'),
  );

  test.each([
    [['summary', '/no/such'], /cannot read "\/no\/such": no such file or folder/],
    [['compare', run, join(folder, 'none')], /no such file or folder/],
    [['summary', empty], /contains no server metrics; expected a file such as server_metrics_export\.json/],
  ])('is reported by %j', async (args, message) => {
    await expectUserError(args, message);
  });

  test.each([
    [['summary', broken]],
    [['compare', broken, run]],
    [['compare', run, broken]],
    [['check', broken, '--assert', 'a.avg < 1']],
    [['report', broken]],
  ])('is reported with the invalid field by %j', async args => {
    await expectUserError(args, /^servelens-reader: .*stats\.avg is null; expected a number/);
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['a.parquet', 'PAR1\0\0PAR1', /cannot read ".*a\.parquet": [^\n]+\n$/],
    ['b.bin', Buffer.from([0xff, 0xfe, 0, 1]), /cannot read ".*b\.bin": neither JSON nor CSV\n$/],
    ['c.json', '', /^servelens-reader: /],
    ['d.jsonl', '{"a": 1}\n{"a": 2}\n', /^servelens-reader: /],
    ['e.json', '{"schema_version": "1.0", ', /^servelens-reader: /],
  ])('is reported with the name of the file: %s', async (name, content, message) => {
    await expectUserError(['summary', writeTestFile(folder, name, content)], message);
  });
});

test.each(['summary', 'compare', 'check', 'query', 'report'])(
  'the help of %s shows its usage',
  async command => {
    const { code, out } = await runReader([command, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`servelens-reader ${command}`);
    expect(out).toContain('Exit codes');
  },
);
