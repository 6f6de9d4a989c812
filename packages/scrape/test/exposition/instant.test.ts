import { describe, expect, test } from 'vitest';
import { compareInstants, readInstant } from '../../src/exposition/instant.ts';

describe('readInstant', () => {
  test.each([
    ['0', 0, 0, 0],
    ['1700000000.123456789', 1700000000.1234567, 1700000000, 123456789],
    ['1.0000000019', 1.000000001, 1, 1],
    ['+1.', 1, 1, 0],
    ['.5', 0.5, 0, 500000000],
    ['-1.25', -1.25, -1, -250000000],
    ['1.5e1', 15, 15, 0],
    ['1e-3', 0.001, 0, 1000000],
  ])('%s', (text, time, seconds, nanos) => {
    expect(readInstant(text)).toEqual({ time, seconds, nanos });
  });

  test.each([
    '',
    '.',
    '-',
    '1.1.1',
    '1z',
    'NaN',
    'Inf',
    '1e999',
    '9'.repeat(400),
    '0x1',
    '1_0',
    ' 1',
    '1 ',
    '١',
  ])('not %j', text => {
    expect(readInstant(text)).toBeUndefined();
  });
});

test('instants that one double holds are told apart', () => {
  const [early, late] = [readInstant('1700000000.000000001')!, readInstant('1700000000.000000002')!];
  expect(early.time).toBe(late.time);
  expect(compareInstants(early, late)).toBeLessThan(0);
  expect(compareInstants(late, early)).toBeGreaterThan(0);
  expect(compareInstants(late, late)).toBe(0);
});
