import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runScript } from './support/script.ts';

const BIN = fileURLToPath(new URL('../bin/servelens.js', import.meta.url));
const FLAGS = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
const knows = (flag: string): boolean => FLAGS.includes(`--${flag} `);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heap-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bytes of the part of the heap for young objects, once a great many of them have stayed. */
function youngBytes(calls: string): number {
  const printed = runScript(
    folder,
    `import { getHeapSpaceStatistics } from 'node:v8';
     import { keepHeapSmall, keepYoungSmall } from './heap.ts';
     ${calls}
     const kept = [];
     for (let i = 0; i < 300_000; i++) kept.push({ i, list: [i] });
     const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
     console.log(young.space_size + 0 * kept.length);`,
  );
  return Number(printed);
}

describe.skipIf(!knows('semi-space-growth-factor'))('the part of the heap for young objects', () => {
  test('stays small when it is told to before it grows', () => {
    expect(youngBytes('keepYoungSmall()')).toBeLessThan(youngBytes('') / 4);
  });

  test('is still small when a run begins: loading the program alone would make it grow', () => {
    const probe = join(folder, 'probe.cjs');
    writeFileSync(
      probe,
      `const { getHeapSpaceStatistics } = require('node:v8');
       process.on('exit', () => {
         const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
         console.log('young: ' + young.space_size);
       });`,
    );
    const words = ['collect', '--no-server-metrics', '--', process.execPath, '--version'];
    const printed = execFileSync(process.execPath, ['--require', probe, BIN, ...words], {
      encoding: 'utf8',
      timeout: 150_000,
    });
    expect(Number(/young: (\d+)/.exec(printed)![1])).toBeLessThan(4e6);
  });

  test('may grow again for the exports', () => {
    const small = youngBytes('keepYoungSmall()');
    expect(youngBytes('keepYoungSmall(); keepHeapSmall()')).toBeGreaterThan(2 * small);
  });
});
