import type { RequestDots } from '../src/report/model/requestDots.ts';
import { type Column, createTextCell } from './column.ts';
import { createSelectableTable } from './dataTable.ts';
import { createElement } from './element.ts';
import { unfoldAround } from './phoneFolds.ts';
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
export function addRequestTable(requests: Pick<RequestDots, 'rows'>): (index: number) => void {
  const { content, select } = createRequestTable(requests);
  const details = createElement(
    'details',
    {},
    createElement('summary', {}, describeRequestTable(requests)),
    ...content,
  );
  document.getElementById('request-rows')?.append(details);
  return index => {
    unfoldAround(details);
    details.open = true;
    select(index);
  };
}

/** Returns the title of the table of the drawn requests. */
export function describeRequestTable({ rows }: Pick<RequestDots, 'rows'>): string {
  return `${rows.length} requests as a table`;
}

/** The content of the table of the drawn requests, and the function that marks a row. */
export interface RequestTable {
  readonly content: readonly HTMLElement[];
  readonly select: (index: number) => void;
}

/** Creates the table of the drawn requests. */
export function createRequestTable({ rows }: Pick<RequestDots, 'rows'>): RequestTable {
  const table = createSelectableTable('request-table', 'Requests, slowest first', COLUMNS, rows);
  return {
    content: [
      createElement('p', { class: 'hint' }, 'A record is a line of profile_export.jsonl.'),
      table.element,
    ],
    select: index => table.select(rows[index]!),
  };
}
