import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolder } from './plans.ts';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.log('skipped: the examples of the README; build the package first');

const examples = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(
  ([, code]) => code!,
);

let simulator: Simulator;
let url = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 3 });
  ({ url } = await simulator.listen(0));
});
afterAll(() => simulator.close());

test.skipIf(!isBuilt).each([
  ['collect', examples[0]!, /^warm-up\nprofiling\n.*flush\n1 endpoint, \d+ metrics\njson: /s],
  ['profile', examples[1]!, /^10 succeeded, 0 failed\n\[\]\n$/],
])('the example of %s runs', async (_, example, output) => {
  const code = example
    .replaceAll('http://localhost:8000', url)
    .replaceAll('artifacts', join(createFolder(), 'artifacts'));
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
  expect(stdout).toMatch(output);
});
