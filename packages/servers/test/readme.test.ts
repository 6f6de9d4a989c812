import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.warn('skipped the README example: build the package first');

const [, example] = /```js\n(.*?)```/s.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8'))!;

test.skipIf(!isBuilt)('the example in the README prints the values in its comments', async () => {
  const args = ['--input-type=module', '--eval', example!];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
  const comments = [...example!.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, comment]) => comment);
  expect(stdout.trimEnd().split('\n')).toEqual(comments);
});
