import { expect, test } from 'vitest';
import { parseRange } from '../../client/zoomToolbar.ts';

test.each([
  ['#t=16-19', [16, 19]],
  ['#t=0.5-2.25', [0.5, 2.25]],
  ['#t=-5-3', [-5, 3]],
  ['#t=-5--3', [-5, -3]],
  ['#t=19-16', undefined],
  ['#t=1.2.3-4', undefined],
  ['#t=-', undefined],
  ['#tables', undefined],
  ['', undefined],
])('reads the range of time in the address %j', (hash, expected) => {
  expect(parseRange(hash)).toEqual(expected);
});
