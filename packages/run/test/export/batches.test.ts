import { expect, test } from 'vitest';
import { batchLines } from '../../src/export/batches.ts';

test.each<[string, readonly string[], number, readonly string[]]>([
  ['one line each', ['a', 'b'], 1, ['a\n', 'b\n']],
  ['an incomplete last batch', ['a', 'b', 'c'], 2, ['a\nb\n', 'c\n']],
  ['complete batches only', ['a', 'b'], 2, ['a\nb\n']],
  ['no lines', [], 2, []],
])('batches lines: %s', (_, lines, maxLines, expected) => {
  expect([...batchLines(lines, maxLines)]).toEqual(expected);
});

test('ends a batch of long lines before the maximum number of lines', () => {
  const line = 'x'.repeat(115_000);
  const batches = [...batchLines(Array(200).fill(line), 1_000_000)];
  expect(Math.max(...batches.map(batch => batch.length))).toBeLessThan(8.2e6);
  expect(batches.join('')).toBe(`${line}\n`.repeat(200));
});
