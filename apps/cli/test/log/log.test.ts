import { expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { createIo } from '../support/io.ts';

function log(quiet: boolean, env: Record<string, string> = {}): string[] {
  const io = createIo('.', { NO_COLOR: '', FORCE_COLOR: '', ...env });
  const lines = createLog(io, quiet, () => io.err.push('before'));
  lines.info('a');
  lines.warning('b\u001b[31m');
  lines.error('c');
  return io.err;
}

test('writes lines with their level to stderr, without control characters', () => {
  expect(log(false)).toEqual([
    'before',
    'INFO     a\n',
    'before',
    'WARNING  b␛[31m\n',
    'before',
    'ERROR    c\n',
  ]);
});

test('omits info lines if it is quiet', () => {
  expect(log(true)).toEqual(['before', 'WARNING  b␛[31m\n', 'before', 'ERROR    c\n']);
});
