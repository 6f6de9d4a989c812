import { expect, test } from 'vitest';
import { batchLines } from '../../src/export/batches.ts';

test.each<[string, readonly string[], number, readonly string[]]>([
  ['one line each', ['a', 'b'], 1, ['a\n', 'b\n']],
  ['a rest', ['a', 'b', 'c'], 2, ['a\nb\n', 'c\n']],
  ['no rest', ['a', 'b'], 2, ['a\nb\n']],
  ['nothing', [], 2, []],
])('lines in batches: %s', (_, lines, most, expected) => {
  expect([...batchLines(lines, most)]).toEqual(expected);
});

test('long lines do not wait until there are as many as asked for', () => {
  const line = 'x'.repeat(115_000);
  const made = [...batchLines(Array(200).fill(line), 1_000_000)];
  expect(Math.max(...made.map(batch => batch.length))).toBeLessThan(8.2e6);
  expect(made.join('')).toBe(`${line}\n`.repeat(200));
});
