import { expect, test } from 'vitest';
import { bytes, figure, time } from '../src/figure.ts';

test.each<[number, string | null, string]>([
  [0.191, 'ratio', '0.191'],
  [12, 'requests', '12'],
  [1234.5678, null, '1235'],
  [23_850, 'tokens', '23.85K'],
  [1_234_567, null, '1.235M'],
  [-0.5, null, '-0.5'],
  [1e-9, 'ratio', '0.000000001'],
  [0.0451, 'seconds', '45.1 ms'],
  [1.5, 'milliseconds', '1.5 ms'],
  [2_000_000, 'microseconds', '2 s'],
  [3 * 2 ** 30, 'bytes', '3 GiB'],
])('%d %s is %s', (value, unit, text) => {
  expect(figure(value, unit)).toBe(text);
});

test.each([
  [0, '0 s'],
  [90, '90 s'],
  [200, '3 min 20 s'],
  [7200, '2 h'],
  [3.3e-6, '3.3 µs'],
  [5e-9, '5 ns'],
])('%d s is %s', (seconds, text) => {
  expect(time(seconds)).toBe(text);
});

test('bytes below a KiB stay bytes', () => {
  expect([bytes(0), bytes(1023), bytes(1024)]).toEqual(['0 B', '1023 B', '1 KiB']);
});
