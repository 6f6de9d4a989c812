import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatFloat } from '../../src/json/jsonWriter.ts';

it.each([
  [19, '19.0'],
  [0, '0.0'],
  [-0, '0.0'],
  [-5, '-5.0'],
  [0.00001, '0.00001'],
  [1e-7, '1e-7'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1e20, '100000000000000000000.0'],
  [1e21, '1e+21'],
])('formats %s as %s', (value, text) => {
  expect(formatFloat(value)).toBe(text);
});

it('formats any double as text that parses to the same double and does not look like an integer', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
      expect(Number(formatFloat(value))).toBe(value === 0 ? 0 : value);
      expect(formatFloat(value)).toMatch(/[.e]/);
    }),
  );
});
