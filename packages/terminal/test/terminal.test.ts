import { expect, test } from 'vitest';
import { getTerminalHeight, getTerminalWidth, shouldUseColor, toPrintable } from '../src/terminal.ts';

test.each<[boolean, Record<string, string>, boolean]>([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('isTTY %s and the environment %j: use color %s', (isTTY, env, color) => {
  expect(shouldUseColor({ isTTY }, env)).toBe(color);
});

test.each([
  [{ isTTY: true, columns: 60 }, 60],
  [{ isTTY: true, columns: 0 }, 80],
  [{ isTTY: true }, 80],
  [{ columns: 60 }, 100],
])('%j is %d columns wide', (stream, width) => {
  expect(getTerminalWidth(stream)).toBe(width);
});

test.each([
  [{ isTTY: true, rows: 40 }, 40],
  [{ isTTY: true, rows: 0 }, 24],
  [{ rows: 40 }, 60],
])('%j is %d rows high', (stream, height) => {
  expect(getTerminalHeight(stream)).toBe(height);
});

test.each([
  ['plain ünï 日本', 'plain ünï 日本'],
  ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
  ['a\nb\rc\td\u0000', 'a␊b␍c␉d␀'],
  ['\u009b2J', '\ufffd2J'],
  ['user\u202egnp.exe', 'user\ufffdgnp.exe'],
])('makes %j printable as %j', (text, printable) => {
  expect(toPrintable(text)).toBe(printable);
});
