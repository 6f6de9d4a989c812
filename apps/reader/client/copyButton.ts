import type { Column } from './column.ts';
import { createButton } from './element.ts';

/** Creates the button that copies the selected rows of a table as CSV. */
export function createCopyButton<Row>(
  columns: readonly Column<Row>[],
  getRows: () => readonly Row[],
): HTMLButtonElement {
  const button = createButton('Copy as CSV', () => {
    const report = (text: string): void => {
      button.textContent = text;
    };
    navigator.clipboard.writeText(formatCsv(columns, getRows())).then(
      () => report('Copied'),
      () => report('Copying is not allowed here'),
    );
  });
  return button;
}

/** Formats rows as CSV: numbers in full precision, and text that a spreadsheet would read as a formula after an apostrophe. */
export function formatCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = rows.map(row =>
    columns.map(({ cell, isNumber }) => formatCell(cell(row), isNumber === true)),
  );
  return [columns.map(({ name }) => quote(name)), ...lines].map(cells => `${cells.join(',')}\r\n`).join('');
}

function formatCell({ text, sort }: ReturnType<Column<unknown>['cell']>, isNumber: boolean): string {
  if (isNumber) return typeof sort === 'number' ? String(sort) : '';
  return quote(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
