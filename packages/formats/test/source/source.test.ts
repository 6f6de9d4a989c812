import { expect, it } from 'vitest';
import { concatBytes, EncodingError, isSourceError, UnreadableError } from '../../src/source/source.ts';

it('concatBytes returns a single chunk without a copy', () => {
  const chunk = Uint8Array.of(1, 2);
  expect(concatBytes([chunk])).toBe(chunk);
  expect(concatBytes([chunk, Uint8Array.of(3)])).toEqual(Uint8Array.of(1, 2, 3));
  expect(concatBytes([])).toEqual(new Uint8Array());
});

it.each([
  ['an unreadable input', new UnreadableError('x'), true],
  ['bytes that are not UTF-8', new EncodingError('byte 9 is not valid UTF-8'), true],
  ['an error of the file system', Object.assign(new Error('x'), { syscall: 'open' }), true],
  ['a bug', new TypeError('x'), false],
  ['a value that is not an error', 'x', false],
])('isSourceError classifies %s', (_, error, expected) => {
  expect(isSourceError(error)).toBe(expected);
});
