import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runScript } from '../support/script.ts';

const BIN = fileURLToPath(new URL('../../bin/servelens.js', import.meta.url));
const V8_OPTIONS = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
const isFlagKnown = V8_OPTIONS.includes('--semi-space-growth-factor ');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heap-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the size of the young generation, in bytes, after many objects were allocated and kept. */
function measureYoungBytes(calls: string): number {
  const printed = runScript(
    folder,
    `import { getHeapSpaceStatistics } from 'node:v8';
     import { exportRun } from '@org/run/export';
     import { runRecord } from '../../../packages/record/test/support/runRecord.ts';
     import { limitYoungHeap } from './process/youngHeap.ts';
     ${calls}
     const kept = [];
     for (let i = 0; i < 300_000; i++) kept.push({ i, list: [i] });
     const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
     console.log(young.space_size + 0 * kept.length);`,
  );
  return Number(printed);
}

describe.skipIf(!isFlagKnown)('limitYoungHeap', () => {
  test('keeps the young generation small', () => {
    expect(measureYoungBytes('limitYoungHeap()')).toBeLessThan(measureYoungBytes('') / 4);
  });

  test('is called before the program is loaded, which would grow the young generation', () => {
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

  test('is reverted by exports, which allocate many objects', () => {
    const exportNothing =
      "await exportRun(runRecord([], 0, 1), { folder: '.', formats: [], percentileMethod: 'linear', batchSize: 1 });";
    const small = measureYoungBytes('limitYoungHeap()');
    expect(measureYoungBytes(`limitYoungHeap(); ${exportNothing}`)).toBeGreaterThan(2 * small);
  });
});
