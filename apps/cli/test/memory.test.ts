import { expect, test } from 'vitest';
import { memoryLimit } from '../src/memory.ts';

test.each([
  ['1GiB', 2 ** 30],
  ['512MB', 512e6],
  ['512mb', 512e6],
  ['1.5 GiB', 1.5 * 2 ** 30],
  ['8388608', 8388608],
  [8388608, 8388608],
  ['8192KiB', 8388608],
  ['2TB', 2e12],
  [undefined, 2 ** 30],
])('--memory-limit %j is %d bytes', (value, bytes) => {
  expect(memoryLimit({ 'memory-limit': value })).toBe(bytes);
});

test.each(['', 'much', '-1GiB', '1XB', '100KB', '0', 'NaN', '1e9GB', 'GiB'])(
  '--memory-limit %j is refused',
  value => {
    expect(() => memoryLimit({ 'memory-limit': value })).toThrow(
      `--memory-limit is ${JSON.stringify(value)}; expected a size such as 512MB or 1GiB, at least 1MiB`,
    );
  },
);

test('--memory-limit that is given twice is refused', () => {
  expect(() => memoryLimit({ 'memory-limit': ['1GiB', '2GiB'] })).toThrow('is given 2 times');
});
