import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { writeTempFile } from './support/files.ts';
import { startSimulatorProcess } from './support/simulator.ts';

const PACKAGE = resolve(import.meta.dirname, '..');

const examples = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(
  ([, code]) => code!,
);

/** The definition of `clock` in the first example, which the other examples refer to. */
const CLOCK = /const wallNs = .*?\n};\n/s.exec(examples[0]!)![0];

test.each<[string, number, RegExp]>([
  ['a load', 0, /^(request \d+: TTFT [\d.]+ ms, \d+ tokens\n){48}\[.*phase: 'warmup'.*phase: 'profiling'/s],
  ['metrics', 1, /^TTFT [\d.]+ ms \(median\), goodput [\d.]+ requests\/sec\n$/],
  ['worker threads', 2, /^(worker_[01] \d+\n){100}2 threads, 0 lost\n$/],
])('the README example of %s runs', async (_, index, output) => {
  const url = await startSimulatorProcess({ seed: 1, speed: 10 });
  const example = examples[index]!.replace('http://localhost:8000', url);
  const file = writeTempFile('example.mjs', index === 0 ? example : CLOCK + example);
  const modules = join(dirname(file), 'node_modules/@org');
  mkdirSync(modules, { recursive: true });
  symlinkSync(PACKAGE, join(modules, 'loadgen'), 'dir');
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toMatch(output);
});

test('every README example has a test', () => expect(examples).toHaveLength(3));
