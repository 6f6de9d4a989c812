import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeSystemError } from '../src/systemError.ts';

function catchError(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('no error was thrown');
}

it.each([
  ['/no/such/file', 'no such file or folder'],
  ['/', 'is a folder, not a file'],
  ['/dev/null/x', 'part of the path is not a folder'],
  [`/${'x'.repeat(300)}`, 'the file name is too long'],
])('describes why %s cannot be read', (path, reason) => {
  expect(describeSystemError(catchError(() => readFileSync(path)))).toBe(reason);
});

it('keeps the message of an unknown error', () => {
  expect(describeSystemError(new Error('the device does not respond'))).toBe('the device does not respond');
});
