import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCppNumber, formatPythonNumber, formatRustNumber } from '../../src/metrics/numberFormat.ts';

test.each<[number, string, string, string]>([
  [0, '0.0', '0', '0'],
  [-0, '-0.0', '0', '0'],
  [1, '1.0', '1', '1'],
  [0.1 + 0.2, '0.30000000000000004', '0.30000000000000004', '0.30000000000000004'],
  [999999, '999999.0', '999999', '999999'],
  [1e6, '1e+06', '1000000', '1000000'],
  [1234567.5, '1.2345675e+06', '1234567.5', '1234567.5'],
  [13720145920, '1.372014592e+010', '13720145920', '13720145920'],
  [-2e6, '-2000000.0', '-2000000', '-2000000'],
  [1e16, '1e+16', '10000000000000000', '1e+16'],
  [1.5e22, '1.5e+22', '15000000000000000000000', '1.5e+22'],
  [0.0001, '0.0001', '0.0001', '0.0001'],
  [0.000012, '1.2e-05', '0.000012', '1.2e-05'],
  [1.25e-9, '1.25e-09', '0.00000000125', '1.25e-09'],
  [Number.POSITIVE_INFINITY, '+Inf', 'inf', '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf', '-inf', '-Inf'],
  [Number.NaN, 'NaN', 'NaN', 'Nan'],
])('formats %d as %s in Python, %s in Rust and %s in C++', (value, python, rust, cpp) => {
  expect(formatPythonNumber(value)).toBe(python);
  expect(formatRustNumber(value)).toBe(rust);
  expect(formatCppNumber(value)).toBe(cpp);
});

describe('a formatted number parses to the same double', () => {
  test.each([
    ['Python', formatPythonNumber],
    ['Rust', formatRustNumber],
    ['C++', formatCppNumber],
  ])('%s', (_, print) => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(finite, value => Number(print(value)) === value));
  });
});
