import { expect, test } from 'vitest';
import { type Column, createTextCell } from '../../client/column.ts';
import { formatCsv } from '../../client/copyButton.ts';

interface Row {
  readonly name: string;
  readonly value: number | null;
}

const COLUMNS: Column<Row>[] = [
  { name: 'metric, name', cell: ({ name }) => createTextCell(name) },
  { name: 'value', isNumber: true, cell: ({ value }) => ({ text: 'rounded', sort: value }) },
];

test.each<[string, Row, string]>([
  ['a number in full precision', { name: 'a', value: 0.123456789 }, 'a,0.123456789'],
  ['an unknown value as an empty cell', { name: 'a', value: null }, 'a,'],
  ['text with separators in quotes', { name: 'a,"b"', value: 1 }, '"a,""b""",1'],
  ['text that a spreadsheet would compute after an apostrophe', { name: '=1+1', value: 1 }, "'=1+1,1"],
])('copies %s', (_, row, line) => {
  expect(formatCsv(COLUMNS, [row])).toBe(`"metric, name",value\r\n${line}\r\n`);
});
