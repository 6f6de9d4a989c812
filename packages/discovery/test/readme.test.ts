import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folder } from './configFiles.ts';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.warn('skipped the README example: build the package first');

const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const [config, example, output] = ['yaml', 'js', 'console'].map(
  language => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme)![1]!,
);

test.skipIf(!isBuilt)('the example in the README prints the documented output', async () => {
  writeFileSync(join(folder, 'servelens.yaml'), config!);
  const program = example!.replace('process.cwd()', JSON.stringify(folder));
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
  expect(stdout).toBe(output);
});
