import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BIN, runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();
writeFileSync(join(folder, 'unknown.json'), '{"no": "export"}');

test.each([
  [['-'], ['-']],
  [
    ['missing.json', '-', '--json'],
    ['-', 'missing.json'],
  ],
])('validate %j reads standard input', (args, names) => {
  const { status, stdout } = spawnSync(process.execPath, [BIN, 'validate', ...args], {
    cwd: folder,
    input: '{"no": "export"}',
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  for (const name of names) expect(stdout).toMatch(new RegExp(`(?:✗ |")${name}`));
  expect(stdout).not.toContain('; expected a value');
});

test.each([
  [[], /^✗ unknown\.json/m],
  [['--json'], /^\s*"file": "unknown\.json"|"unknown\.json"/m],
  [['--junit'], /<testsuites?/],
  [['--github'], /^::error /m],
])('reports an invalid file with %j', async (options, report) => {
  const { code, out } = await runServelens(['validate', 'unknown.json', ...options], { cwd: folder });
  expect(code).toBe(1);
  expect(out).toMatch(report);
});
