import { beforeEach, describe, expect, test } from 'vitest';
import { type Column, createTextCell } from '../../client/column.ts';
import { RowSelection } from '../../client/dataTable.ts';

interface Row {
  readonly name: string;
  readonly value: number | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', cell: ({ name }) => createTextCell(name) },
  { name: 'value', isNumber: true, cell: ({ value }) => ({ text: `${value ?? ''} ms`, sort: value }) },
];
const ROWS: readonly Row[] = [
  { name: 'Queue time', value: 5 },
  { name: 'prefill time', value: null },
  { name: 'decode', value: 40 },
];

let selection: RowSelection<Row>;
beforeEach(() => {
  selection = new RowSelection(COLUMNS, ROWS);
});

const getNames = (): string[] => selection.rows.map(({ name }) => name);

test('contains all rows in their original order by default', () => {
  expect(selection.rows).toEqual(ROWS);
  expect(selection.order).toBeUndefined();
});

test.each([
  ['TIME', ['Queue time', 'prefill time']],
  ['time  queue', ['Queue time']],
  ['40 dec', ['decode']],
  ['nothing', []],
  ['  ', ['Queue time', 'prefill time', 'decode']],
])('filters by %j', (text, expected) => {
  selection.filterBy(text);
  expect(getNames()).toEqual(expected);
});

describe('sorting', () => {
  test('sorts numbers in descending order first, then in ascending order, with missing values last', () => {
    selection.sortBy(1);
    expect(getNames()).toEqual(['decode', 'Queue time', 'prefill time']);
    expect(selection.order).toEqual({ column: 1, isDescending: true });
    selection.sortBy(1);
    expect(getNames()).toEqual(['Queue time', 'decode', 'prefill time']);
  });

  test('sorts text in ascending order first', () => {
    selection.sortBy(0);
    expect(getNames()).toEqual(['decode', 'prefill time', 'Queue time']);
    expect(selection.order).toEqual({ column: 0, isDescending: false });
  });

  test('is preserved when rows are filtered', () => {
    selection.sortBy(0);
    selection.filterBy('time');
    expect(getNames()).toEqual(['prefill time', 'Queue time']);
  });
});
