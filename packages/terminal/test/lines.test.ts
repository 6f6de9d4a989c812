import { expect, test } from 'vitest';
import { renderNamed, wrapMarked } from '../src/lines.ts';

test.each([
  ['beside its cells', 'name', 12, [' name          1  2']],
  ['above its cells if it does not fit', 'a_long_name', 8, [' a_long_name', '           1  2']],
])('a name is %s', (_, name, nameWidth, lines) => {
  expect(renderNamed(name, '   1  2', { nameWidth, width: 20 })).toEqual(lines);
});

test('a name that is wider than the screen is wrapped, not cut', () => {
  const lines = renderNamed('n'.repeat(30), ' 1', { nameWidth: 8, width: 20 });
  expect(lines).toEqual([` ${'n'.repeat(19)}`, ` ${'n'.repeat(11)}`, '         1']);
});

test('control characters of names are visible', () => {
  expect(renderNamed('a\u001b', ' 1', { nameWidth: 8, width: 20 })).toEqual([' a␛      1']);
});

test('text after a mark is indented', () => {
  expect(wrapMarked('!', 'one two three', 10, ' ')).toEqual([' ! one two', '   three']);
});
