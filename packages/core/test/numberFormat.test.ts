import { expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatRoundedDuration,
  formatValue,
} from '../src/numberFormat.ts';

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
])('formats %d %s as %s', (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});

test.each([
  [0, '0 s'],
  [90, '90 s'],
  [119.97, '2 min'],
  [179.4, '2 min 59 s'],
  [179.7, '3 min'],
  [-179.7, '-3 min'],
  [200, '3 min 20 s'],
  [7199.4, '119 min 59 s'],
  [7199.9, '2 h'],
  [7200, '2 h'],
  [9000, '2.5 h'],
  [0.99999, '1 s'],
  [0.00099999, '1 ms'],
  [3.3e-6, '3.3 µs'],
  [5e-9, '5 ns'],
])('formats a duration of %d s as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test.each([
  [0.04, '0 s'],
  [1.26, '1.3 s'],
  [9.94, '9.9 s'],
  [17.4, '17 s'],
  [200.4, '3 min 20 s'],
  [-1.26, '-1.3 s'],
])('formats a measured duration of %d s as %s', (seconds, text) => {
  expect(formatRoundedDuration(seconds)).toBe(text);
});

test.each<[number, string | null, string]>([
  [71.71 * 2 ** 30, 'bytes', '71.7 GiB'],
  [1023.4 * 2 ** 20, 'bytes', '1023 MiB'],
  [1023.99 * 2 ** 20, 'bytes', '1 GiB'],
  [-71.71 * 2 ** 30, 'bytes', '-72 GiB'],
  [3 * 2 ** 60, 'bytes', '3 EiB'],
  [150, 'seconds', '2.5 min'],
  [200, 'seconds', '3.33 min'],
  [7190, 'seconds', '120 min'],
  [-0.012345, 'seconds', '-12.3 ms'],
  [0.0001234, 'ratio', '0.000123'],
  [1e-9, 'ratio', '1E-9'],
  [123_456, null, '123.5K'],
  [1e21, null, '1E21'],
])('formats %d %s in eight characters as %s', (value, unit, text) => {
  expect(formatValue(value, unit, 8)).toBe(text);
});

test('formats less than 1 KiB in bytes', () => {
  expect([formatBytes(0), formatBytes(1023), formatBytes(1024)]).toEqual(['0 B', '1023 B', '1 KiB']);
});

test.each([
  [0.538, '53.8%'],
  [1, '100%'],
  [0.00012, '0.012%'],
])('formats the ratio %d as %s', (ratio, text) => {
  expect(formatPercent(ratio)).toBe(text);
});

test.each([
  [1, 'metric', '1 metric'],
  [2, 'metric', '2 metrics'],
  [1, 'series', '1 series'],
  [0, 'series', '0 series'],
])('formats %i %s', (count, noun, text) => {
  expect(formatCount(count, noun)).toBe(text);
});

test('accepts an irregular plural', () => {
  expect(formatCount(2, 'query', 'queries')).toBe('2 queries');
});
