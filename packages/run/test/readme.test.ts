import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { collect } from '../src/index.ts';
import { createCollectPlan, createFolder, startSimulator } from './plans.ts';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.log('skipped the examples of the README: build the package first');

const examples = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(
  ([, code]) => code!,
);

const url = await startSimulator();

/** Runs an example whose artifacts are in `folder`. Returns its output. */
async function runExample(index: number, folder: string): Promise<string> {
  const code = examples[index]!.replaceAll('http://localhost:8000', url).replaceAll(
    'artifacts/my-',
    join(folder, 'my-'),
  );
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
  return stdout;
}

describe.skipIf(!isBuilt)('the example of', () => {
  test('collect reports its phases and exports', async () => {
    const output = await runExample(0, createFolder());
    expect(output).toMatch(/^warm-up\nprofiling\n.*flush\n1 endpoint, \d+ metrics\njson: /s);
  });

  test('profile counts its requests', async () => {
    expect(await runExample(1, createFolder())).toMatch(/^10 succeeded, 0 failed\n\[\]\n$/);
  });

  test('reexport writes two formats', async () => {
    const folder = createFolder();
    await runExample(0, folder);
    const exports = join(folder, 'my-benchmark-slices/server_metrics_export');
    expect(await runExample(2, folder)).toBe(`json: ${exports}.json\ncsv: ${exports}.csv\n`);
  });

  test('marks adds a note to an active run', async () => {
    const folder = createFolder();
    let output = '';
    const plan = createCollectPlan(url, { folder: join(folder, 'my-benchmark') });
    const { record } = await collect(plan, {
      workload: async () => {
        output = await runExample(3, folder);
      },
    });
    expect(output).toMatch(/^noted at \d{4}-/);
    expect(record.marks).toMatchObject([{ kind: 'note', text: 'cache is warm', sender: 'my-script' }]);
  });
});
