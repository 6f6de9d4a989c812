import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { terminalLine } from '../src/terminalline.ts';
import { testIo } from './io.ts';

describe('terminalLine', () => {
  test.each([
    ['that knows its size', { rows: 30, columns: 100 }],
    ['of 0 rows and columns', { rows: 0, columns: 0 }],
    ['without any size', {}],
  ])('writes on a terminal %s', (_, size) => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, ...size });
    const line = terminalLine({ ...testIo('.'), stderr });
    line('profiling 3 s');
    expect(String(stderr.read())).toContain('profiling 3 s');
    line.clear();
    expect(String(stderr.read())).toContain('\u001b[2K');
  });
});
