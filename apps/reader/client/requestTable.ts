import type { RequestDots } from '../src/report/model/requestDots.ts';
import { type Column, createTextCell } from './column.ts';
import { createSelectableTable } from './dataTable.ts';
import { createElement } from './element.ts';
import { createNumberCell } from './tableSections.ts';

type Row = RequestDots['rows'][number];

const createMs = (name: string, get: (row: Row) => number | null): Column<Row> => ({
  name,
  isNumber: true,
  cell: row => createNumberCell(get(row), 'milliseconds'),
});

const COLUMNS: readonly Column<Row>[] = [
  { name: 'sent', isNumber: true, cell: ({ sent }) => ({ text: `${sent} s`, sort: sent }) },
  createMs('latency', row => row.latency),
  createMs('time to first token', row => row.firstToken),
  createMs('between tokens', row => row.interToken),
  { name: 'output tokens', isNumber: true, cell: row => createNumberCell(row.outputTokens, null) },
  { name: 'outcome', cell: row => createTextCell(row.outcome) },
  { name: 'record', isNumber: true, cell: ({ record }) => ({ text: String(record), sort: record }) },
  { name: 'request', cell: ({ id = '' }) => createTextCell(id) },
];

/** Adds the table of the drawn requests, folded. Returns the function that shows the row of a request. */
export function addRequestTable({ rows }: RequestDots): (index: number) => void {
  const table = createSelectableTable('request-table', 'Drawn requests, slowest first', COLUMNS, rows);
  const details = createElement(
    'details',
    {},
    createElement('summary', {}, `The ${rows.length} drawn requests as a table`),
    createElement('p', { class: 'hint' }, 'A record is a line of profile_export.jsonl.'),
    table.element,
  );
  document.getElementById('request-rows')?.append(details);
  return index => {
    details.open = true;
    table.select(rows[index]!);
  };
}
