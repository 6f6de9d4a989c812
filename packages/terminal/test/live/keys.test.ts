import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { expect, test } from 'vitest';
import { hasForegroundGroup, readKeys } from '../../src/live/keys.ts';

test('no keys are read without a terminal', () => {
  expect(readKeys(new PassThrough() as unknown as ReadStream, () => {})).toBeUndefined();
});

test.each([
  ['12 (node) S 1 12 12 34816 12 4194304', true],
  ['12 (node) S 1 12 12 34816 99 4194304', false],
  ['12 (a (b) c) S 1 12 12 34816 12 4194304', true],
])('reads the foreground group of %s', (stat, expected) => {
  expect(hasForegroundGroup(stat)).toBe(expected);
});
