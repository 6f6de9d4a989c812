import { expect, test } from 'vitest';
import { escapeHelp, escapeLabelValue } from '../../src/metrics/escape.ts';

test.each([
  ['plain', 'plain', 'plain'],
  ['a"b', 'a\\"b', 'a"b'],
  ['a\nb', 'a\\nb', 'a\\nb'],
  ['a\\b', 'a\\\\b', 'a\\\\b'],
  ['\\n', '\\\\n', '\\\\n'],
  ['', '', ''],
])('escapes %j', (text, label, help) => {
  expect(escapeLabelValue(text)).toBe(label);
  expect(escapeHelp(text)).toBe(help);
});
