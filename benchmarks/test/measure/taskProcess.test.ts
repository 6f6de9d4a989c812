import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runTaskProcess } from '../../src/measure/taskProcess.ts';

const folder = mkdtempSync(join(tmpdir(), 'task-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeScript(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('passes the options, and returns the JSON on the last line of the output', async () => {
  const script = writeScript(
    'print.mjs',
    `console.log('progress');
     console.log(JSON.stringify({ args: process.argv.slice(2), canCollectGarbage: typeof gc === 'function' }));`,
  );
  expect(await runTaskProcess(script, { task: 'fill', engines: 3 })).toEqual({
    args: ['--task=fill', '--engines=3'],
    canCollectGarbage: true,
  });
});

test('throws if the process fails', async () => {
  const script = writeScript('fail.mjs', 'process.exit(4)');
  await expect(runTaskProcess(script, {})).rejects.toThrow(/fail\.mjs .*exited with code 4$/);
});
