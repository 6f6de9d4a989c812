import { expect, test } from 'vitest';
import { parseByteSize } from '../src/index.ts';

test.each([
  ['65536', 65_536],
  [65_536, 65_536],
  ['512MB', 512e6],
  [' 1.5 GiB ', 1.5 * 2 ** 30],
  ['1.0001kb', 1000],
])('parses %j', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each([[''], ['-1'], ['1e3'], ['5 parsecs'], ['MB'], ['1toString'], [undefined]])(
  'parses %j as NaN',
  text => {
    expect(parseByteSize(text)).toBeNaN();
  },
);
