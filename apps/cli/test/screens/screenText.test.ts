import { expect, test } from 'vitest';
import { formatBullet, formatInteger, formatPercent, formatRequests } from '../../src/screens/screenText.ts';

test.each([
  [0, '0'],
  [1234567, '1,234,567'],
  [-1000, '-1,000'],
])('formats the integer %d', (value, text) => {
  expect(formatInteger(value)).toBe(text);
});

test.each([
  [1, '1 request'],
  [1234, '1,234 requests'],
])('formats %d requests', (count, text) => {
  expect(formatRequests(count)).toBe(text);
});

test.each([
  [0.015, '1.5%'],
  [1, '100.0%'],
  [-0.0001, '0.0%'],
  [-0.25, '-25.0%'],
])('formats the ratio %d as a percentage', (ratio, text) => {
  expect(formatPercent(ratio)).toBe(text);
});

test('wraps a message after its bullet, without control characters', () => {
  expect(formatBullet('one two\u0007 three', { width: 12, color: false })).toEqual([
    ' ! one two␇',
    '   three',
  ]);
  expect(formatBullet('done', { width: 80, color: false }, '✓')).toEqual([' ✓ done']);
});

test('colors only the bullet', () => {
  expect(formatBullet('slow', { width: 80, color: true })).toEqual([' \u001b[33m!\u001b[39m slow']);
});
