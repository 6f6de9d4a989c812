import { describe, expect, it } from 'vitest';
import { parseBound, sortNumericKeys } from '../../src/json/numericKeys.ts';

describe('parseBound', () => {
  it.each([
    ['0.005', 0.005],
    ['1', 1],
    ['1.0', 1],
    ['1e+00', 1],
    ['-5', -5],
    ['+Inf', Number.POSITIVE_INFINITY],
    ['Inf', Number.POSITIVE_INFINITY],
    ['inf', Number.POSITIVE_INFINITY],
    ['+infinity', Number.POSITIVE_INFINITY],
    ['', Number.NaN],
    [' ', Number.NaN],
    ['much', Number.NaN],
  ])('parses %j as %d', (le, bound) => {
    expect(parseBound(le)).toBe(bound);
  });
});

describe('sortNumericKeys', () => {
  it.each([
    [
      ['1', '5', '10', '0.005', '+Inf'],
      ['0.005', '1', '5', '10', '+Inf'],
    ],
    [
      ['+Inf', '-1', '0'],
      ['-1', '0', '+Inf'],
    ],
    [
      ['1e+06', '1e-06'],
      ['1e-06', '1e+06'],
    ],
    [
      ['what', '1'],
      ['1', 'what'],
    ],
    [[], []],
  ])('sorts the keys %j', (keys, ordered) => {
    expect(sortNumericKeys(Object.fromEntries(keys.map(key => [key, 0])))).toEqual(ordered);
  });
});
