import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FAULT_KINDS, parseFault } from '../src/faults/fault.ts';
import { SERVER_KINDS } from '../src/profiles/profile.ts';

const PACKAGE = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);

test.each<[string, number, RegExp]>([
  ['simulated time', 0, /^vllm:request_prompt_tokens \d+\n(.*\n)+\d{3,} \d+\n$/],
  ['a trace', 1, /^(\d{19}n \d+\n){361}\d{3,}\n$/],
  ['real time', 2, /^http:\/\/127\.0\.0\.1:\d+ 200\n$/],
])('the example of %s runs', async (_, index, output) => {
  const code = examples[index]!.replace('listen(8000)', 'listen(0)');
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PACKAGE });
  expect(stdout).toMatch(output);
});

test('every example has a test', () => expect(examples).toHaveLength(3));

test.each(['packages/simulator/README.md', 'docs/simulate.md'])(
  '%s describes every server and every fault',
  page => {
    const text = readFileSync(resolve(PACKAGE, '../..', page), 'utf8');
    for (const kind of SERVER_KINDS) expect(text, kind).toContain(`\`${kind}\``);
    const faults = [...text.matchAll(/^\| `([^`|]+)`/gm)].map(([, fault]) => fault!);
    const kinds = faults
      .filter(fault => FAULT_KINDS.includes(fault.split(':')[0]!))
      .map(fault => parseFault(fault).kind);
    expect(new Set(kinds)).toEqual(new Set(FAULT_KINDS));
  },
);
