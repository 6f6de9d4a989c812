import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteShellPath, quoteShellWord } from '../src/shellWord.ts';

test.each([
  ['run1', 'run1'],
  ['artifacts/run-1.a,b=c', 'artifacts/run-1.a,b=c'],
  ['', "''"],
  ['my run', "'my run'"],
  ["anna's", "'anna'\\''s'"],
  ['$(x)', "'$(x)'"],
  ['a\nb', "$'a\\x0ab'"],
  ["a'\\\tb", "$'a\\'\\\\\\x09b'"],
])('quotes %j as %s', (word, quoted) => {
  expect(quoteShellWord(word)).toBe(quoted);
});

test('a path that starts with a dash is not an option', () => {
  expect(quoteShellPath('-run 1')).toBe("'./-run 1'");
  expect(quoteShellPath('run-1')).toBe('run-1');
});

test('bash reads quoted words as they were', () => {
  const words = [
    "it's",
    '"x" `y` $z',
    '*?[a]',
    'a\nb',
    '\u0001\u007f',
    'ü 😀',
    '\\n',
    "\n'\\",
    '; rm x',
    '~',
    '#a',
  ];
  const script = `printf '%s\\0' ${words.map(quoteShellWord).join(' ')}`;
  const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout.split('\0').slice(0, -1)).toEqual(words);
});
