import { describe, expect, test } from 'vitest';
import { compareTimestamps, parseTimestamp } from '../../src/exposition/timestamp.ts';

describe('parseTimestamp', () => {
  test.each([
    ['0', 0, 0, 0],
    ['1700000000.123456789', 1700000000.1234567, 1700000000, 123456789],
    ['1.0000000019', 1.000000001, 1, 1],
    ['+1.', 1, 1, 0],
    ['.5', 0.5, 0, 500000000],
    ['-1.25', -1.25, -1, -250000000],
    ['1.5e1', 15, 15, 0],
    ['1e-3', 0.001, 0, 1000000],
  ])('parses %s', (text, time, seconds, nanos) => {
    expect(parseTimestamp(text)).toEqual({ time, seconds, nanos });
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
  ])('rejects %j', text => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

test('distinguishes timestamps that round to the same double', () => {
  const [early, late] = [parseTimestamp('1700000000.000000001')!, parseTimestamp('1700000000.000000002')!];
  expect(early.time).toBe(late.time);
  expect(compareTimestamps(early, late)).toBeLessThan(0);
  expect(compareTimestamps(late, early)).toBeGreaterThan(0);
  expect(compareTimestamps(late, late)).toBe(0);
});
