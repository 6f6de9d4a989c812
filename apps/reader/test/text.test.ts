import { expect, test } from 'vitest';
import { counted, wrapped } from '../src/text.ts';

test.each([
  ['a b c', 3, '', ['a b', 'c']],
  ['long words', 3, '', ['lon', 'g', 'wor', 'ds']],
  ['宽宽宽', 4, '', ['宽宽', '宽']],
  ['a b c', 4, '  ', ['  a', '  b', '  c']],
  ['\u001b[2J x', 80, '', ['␛[2J x']],
])('%j in %i columns', (text, width, indent, lines) => {
  expect(wrapped(text, width, indent)).toEqual(lines);
});

test.each([
  [1, 'metric', '1 metric'],
  [2, 'metric', '2 metrics'],
  [1, 'series', '1 series'],
  [0, 'series', '0 series'],
])('%i %s', (count, noun, text) => {
  expect(counted(count, noun)).toBe(text);
});
