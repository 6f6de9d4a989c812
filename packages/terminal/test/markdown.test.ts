import { expect, test } from 'vitest';
import { escapeMarkdown, formatMarkdownCode, renderMarkdownTable } from '../src/markdown.ts';

test.each([
  ['a*b_c', 'a\\*b\\_c'],
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['a | b', 'a &#124; b'],
  ['[x](http://evil)', '\\[x\\](http:&#8203;//evil)'],
  ['@team', '@&#8203;team'],
  ['www.evil.example', 'www&#8203;.evil.example'],
  ['`code`', '\\`code\\`'],
  ['a\nb\u001b[2J', 'a␊b␛\\[2J'],
  ['\\|', '\\\\&#124;'],
])('escapes the text %j', (text, markdown) => {
  expect(escapeMarkdown(text)).toBe(markdown);
});

test.each([
  ['vllm:a_b', '`vllm:a_b`'],
  ['a`b', 'a\\`b'],
  ['a|b', 'a&#124;b'],
  ['a\\', 'a\\\\'],
  [' a', ' a'],
  ['@team', '`@team`'],
])('formats %j as code', (text, markdown) => {
  expect(formatMarkdownCode(text)).toBe(markdown);
});

test('draws a table', () => {
  expect(renderMarkdownTable([{ head: 'a' }, { head: 'b', align: 'right' }], [['1', '2']])).toBe(
    '| a | b |\n| --- | ---: |\n| 1 | 2 |',
  );
});
