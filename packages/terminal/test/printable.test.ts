import { expect, test } from 'vitest';
import { toPrintable } from '../src/printable.ts';

test.each([
  ['plain ünï 日本', 'plain ünï 日本'],
  ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
  ['a\nb\rc\td\u0000', 'a␊b␍c␉d␀'],
  ['\u009b2J', '\ufffd2J'],
  ['user\u202egnp.exe', 'user\ufffdgnp.exe'],
])('makes %j printable as %j', (text, shown) => {
  expect(toPrintable(text)).toBe(shown);
});
