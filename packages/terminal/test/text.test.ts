import { expect, test } from 'vitest';
import { countColumns, padEnd, padStart, truncateEnd, truncateMiddle, wrapText } from '../src/text.ts';

test.each([
  ['a b c', 3, '', ['a b', 'c']],
  ['long words', 3, '', ['lon', 'g', 'wor', 'ds']],
  ['宽宽宽', 4, '', ['宽宽', '宽']],
  ['a b c', 4, '  ', ['  a', '  b', '  c']],
  ['\u001b[2J x', 80, '', ['␛[2J x']],
  ['👩‍🚀👩‍🚀', 2, '', ['👩‍🚀', '👩‍🚀']],
  ['宽', 1, '', ['宽']],
  ['', 4, '', ['']],
])('wraps %j into %i columns', (text, width, indent, lines) => {
  expect(wrapText(text, width, indent)).toEqual(lines);
});

test('splits a word of 300,000 characters', () => {
  const lines = wrapText('a'.repeat(3e5), 100);
  expect(lines).toHaveLength(3000);
  expect(new Set(lines)).toEqual(new Set(['a'.repeat(100)]));
});

test.each([
  ['abc', 3],
  ['宽宽', 4],
  ['é', 1],
])('measures %j as %i columns', (text, columns) => {
  expect(countColumns(text)).toBe(columns);
});

test('pads by columns', () => {
  expect([padStart('宽', 4), padEnd('宽', 4), padStart('abc', 2)]).toEqual(['  宽', '宽  ', 'abc']);
});

test.each([
  ['abcdef', 6, 'abcdef', 'abcdef'],
  ['abcdefgh', 5, 'abcd…', 'a…fgh'],
  ['宽宽宽宽', 5, '宽宽…', '…宽宽'],
])('truncates %j to %i columns', (text, width, atEnd, inMiddle) => {
  expect([truncateEnd(text, width), truncateMiddle(text, width)]).toEqual([atEnd, inMiddle]);
});
