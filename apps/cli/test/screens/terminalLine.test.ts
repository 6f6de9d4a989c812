import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createTerminalLine } from '../../src/screens/terminalLine.ts';
import { createIo } from '../support/io.ts';

describe('createTerminalLine', () => {
  test.each([
    ['that knows its size', { rows: 30, columns: 100 }],
    ['of 0 rows and columns', { rows: 0, columns: 0 }],
    ['without any size', {}],
  ])('writes to a terminal %s', (_, size) => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, ...size });
    const line = createTerminalLine({ ...createIo('.'), stderr });
    line('profiling 3 s');
    expect(String(stderr.read())).toContain('profiling 3 s');
    line.clear();
    expect(String(stderr.read())).toContain('\u001b[2K');
  });
});
