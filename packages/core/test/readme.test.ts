import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.warn('skipped the README example: build the package first');

const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const [, example, output] = /```js\n(.*?)```\n\n```console\n(.*?)```/s.exec(readme)!;

it.skipIf(!isBuilt)('the README example prints the output shown below it', async () => {
  const args = ['--input-type=module', '--eval', example!];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
  expect(stdout).toBe(output);
});
