import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  createTempFolder,
  toJson,
} from './documents.ts';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.warn('skipped the README examples: build the package first');

const { path: root, remove } = createTempFolder('readme');
afterAll(remove);

/** Writes a run with a rate of tokens per second and a maximum usage of the KV cache. */
function writeRun(name: string, rate: number, usage: number): void {
  const slices = [1, -1, 0.5, -0.5, 1, -1, -0.5, 0.5, 0.2, -0.2].map(part => rate * (1 + part / 50));
  const view = createDocument({
    'vllm:generation_tokens': createMetric('counter', [createCounter(20 * rate, { slices })], 'tokens'),
    'vllm:kv_cache_usage_perc': createMetric('gauge', [createGauge(0.8, { max: usage })], 'ratio'),
  });
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, 'server_metrics_export.json'), toJson(view));
}

beforeAll(() => {
  writeRun('main', 1000, 0.85);
  writeRun('run1', 800, 0.97);
});

const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^## ([^\n]*)\n[^#]*?```js\n(.*?)```\n\n```console\n(.*?)```/gms)].map(
  ([, heading, code, output]) => [heading!, code!, output!] as const,
);

test('finds all README examples', () => {
  expect(examples.map(([heading]) => heading)).toEqual([
    'Find problems in a run',
    'Compare runs',
    'Check a run against rules',
  ]);
});

test.skipIf(!isBuilt).each(examples)(
  'the README example of "%s" prints the output shown below it',
  async (_, code, output) => {
    const program = code.replaceAll('artifacts/', `${root}/`).replace('process.exitCode = ', '');
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
    expect(stdout).toBe(output);
  },
);
