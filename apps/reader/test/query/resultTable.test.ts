import { expect, test } from 'vitest';
import type { ResultRow } from '../../src/query/queryResult.ts';
import { formatTable } from '../../src/query/resultTable.ts';

async function format(
  columns: readonly string[],
  batches: readonly (readonly ResultRow[])[],
  width: number,
): Promise<string> {
  let text = '';
  const result = {
    columns,
    batches: (async function* () {
      yield* batches;
    })(),
  };
  for await (const part of formatTable(result, width)) text += part;
  return text;
}

const COLUMNS = ['metric', 'samples', 'engine'];
const ROWS: ResultRow[] = [
  ['vllm:a', 12, null],
  ['b', 3n, null],
];

test('aligns numbers to the right', async () => {
  expect(await format(COLUMNS, [ROWS], 80)).toBe(
    'metric  samples  engine\n──────  ───────  ──────\nvllm:a       12\nb             3\n2 rows\n',
  );
});

test('prints a block per row, without NULLs, if the table is too wide', async () => {
  expect(await format(COLUMNS, [ROWS], 20)).toBe(
    'metric   vllm:a\nsamples  12\n\nmetric   b\nsamples  3\n\n2 rows\n',
  );
});

test('truncates wide cells, and uses the singular for one row', async () => {
  expect(await format(['a'], [[['x'.repeat(100)]]], 80)).toBe(
    `a\n${'─'.repeat(60)}\n${'x'.repeat(59)}…\n1 row\n`,
  );
});

test('fits columns to the rows of the first batches', async () => {
  const batches = ['a', 'a longer name', 'bb'].map(name => [[name]]);
  expect(await format(['name'], batches, 80)).toBe(`name\n${'─'.repeat(13)}\na\na longer name\nbb\n3 rows\n`);
});

test('shows control characters as symbols', async () => {
  expect(await format(['x'], [[['\u001b[2J']]], 80)).toBe('x\n────\n␛[2J\n1 row\n');
});
