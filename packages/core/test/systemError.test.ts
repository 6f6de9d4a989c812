import { expect, test } from 'vitest';
import { describeSystemError } from '../src/systemError.ts';

test.each([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['ENOSPC', 'the disk is full'],
  ['EIO', 'input/output error'],
  ['EADDRINUSE', 'the port is in use'],
  ['EWEIRD', 'EWEIRD: something else'],
  ['toString', 'toString: something else'],
])('describes %s as %s', (code, description) => {
  expect(describeSystemError(Object.assign(new Error(`${code}: something else`), { code }))).toBe(
    description,
  );
});

test('keeps the message of an error without a code', () => {
  expect(describeSystemError(new Error('no code'))).toBe('no code');
});
