import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
const EXPORT_TEXT = '{"no": "export"}';
writeFileSync(join(folder, 'unknown.json'), EXPORT_TEXT);

function runValidate(args: readonly string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [BIN, 'validate', ...args], {
    cwd: folder,
    input: EXPORT_TEXT,
    encoding: 'utf8',
  });
}

test.each([
  [['-'], 1, ['-']],
  [['missing.json', '-', '--json'], 2, ['-', 'missing.json']],
])('validate %j reads standard input and exits with %i', (args, code, names) => {
  const { status, stdout } = runValidate(args);
  expect(status).toBe(code);
  for (const name of names) expect(stdout).toMatch(new RegExp(`(?:✗ |")${name}`));
  expect(stdout).not.toContain('; expected a value');
});

test.each([
  [[], /^✗ unknown\.json {2}unknown document: 1 error/m],
  [['--json'], /"rule": "document-unknown"/m],
  [['--junit'], /<failure type="document-unknown"/],
  [['--github'], /^::error file=unknown\.json.*title=document-unknown/m],
])('reports an invalid file with %j', (options, report) => {
  const { status, stdout } = runValidate(['unknown.json', ...options]);
  expect(status).toBe(1);
  expect(stdout).toMatch(report);
});

test('--quiet prints nothing for valid files, and the report of invalid ones', () => {
  const valid = join(import.meta.dirname, '../../../../packages/formats/test/files/valid');
  const [file] = readdirSync(valid).filter(name => name.endsWith('.json'));
  expect(runValidate([join(valid, file!), '-q'])).toMatchObject({ status: 0, stdout: '' });
  expect(runValidate(['unknown.json', '-q']).stdout).toContain('unknown.json');
});
