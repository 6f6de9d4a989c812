import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { BIN } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const V8_OPTIONS = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
const isFlagKnown = V8_OPTIONS.includes('--semi-space-growth-factor ');

const folder = makeSuiteFolder();

/**
 * Returns the size of the young generation, in bytes, of a new process that executes `calls` and then allocates
 * many objects. Each measurement needs a new process, because V8 flags affect the whole process.
 */
function measureYoungBytes(calls: string): number {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { exportRun } from '@org/run/export';
    import { createRunRecord } from '../../../packages/record/test/support/runRecord.ts';
    import { limitYoungHeap } from './process/youngHeap.ts';
    ${calls}
    const objects = [];
    for (let i = 0; i < 300_000; i++) objects.push({ i, list: [i] });
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(young.space_size + 0 * objects.length);`;
  const { outputFiles } = buildSync({
    stdin: { contents: script, resolveDir: resolve(import.meta.dirname, '../../src'), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    // Bundled CommonJS modules call require().
    banner: {
      js: "import * as module from 'node:module'; const require = module.createRequire(import.meta.url);",
    },
  });
  const path = join(folder, 'script.mjs');
  writeFileSync(path, outputFiles[0]!.text);
  return Number(execFileSync(process.execPath, [path], { cwd: folder, encoding: 'utf8' }));
}

describe.skipIf(!isFlagKnown)('limitYoungHeap', () => {
  test('keeps the young generation small', () => {
    expect(measureYoungBytes('limitYoungHeap()')).toBeLessThan(measureYoungBytes('') / 4);
  });

  test('is called before the program is loaded, because loading it grows the young generation', () => {
    const probe = join(folder, 'probe.cjs');
    writeFileSync(
      probe,
      `const { getHeapSpaceStatistics } = require('node:v8');
       process.on('exit', () => {
         const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
         console.log('young: ' + young.space_size);
       });`,
    );
    const args = ['collect', '--no-server-metrics', '--', process.execPath, '--version'];
    const output = execFileSync(process.execPath, ['--require', probe, BIN, ...args], {
      encoding: 'utf8',
      timeout: 150_000,
    });
    expect(Number(/young: (\d+)/.exec(output)![1])).toBeLessThan(4e6);
  });

  test('is reverted by exports, which allocate many objects', () => {
    const exportNothing =
      "await exportRun(createRunRecord([], 0, 1), { folder: '.', formats: [], percentileMethod: 'linear', batchSize: 1 });";
    const small = measureYoungBytes('limitYoungHeap()');
    expect(measureYoungBytes(`limitYoungHeap(); ${exportNothing}`)).toBeGreaterThan(2 * small);
  });
});
