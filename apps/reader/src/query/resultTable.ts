import { toPrintable } from '@org/terminal';
import { renderTable, truncateEnd } from '@org/terminal/layout';
import stringWidth from 'string-width';
import { formatText, type QueryResult, type ResultRow, type Value } from './queryResult.ts';

/** The maximum width of a cell, in terminal columns. Wider cells are truncated. */
const MAX_CELL_COLUMNS = 60;
/** The width of the gap between two cells, in terminal columns. */
const GAP_COLUMNS = 2;

/** The minimum number of rows that determine the column widths, if the result has as many rows. */
const MEASURED_ROWS = 1000;

/**
 * Formats a result as a table. The first 1000 or more rows determine the column widths. If the table is too
 * wide, each row is formatted as a block with one line per column that is not NULL.
 */
export async function* formatTable({ columns, batches }: QueryResult, width: number): AsyncGenerator<string> {
  let format: ((rows: readonly ResultRow[]) => string) | undefined;
  let rowCount = 0;
  for await (const rows of combineFirstBatches(batches)) {
    if (!format) {
      const widths = computeWidths(columns, rows);
      const totalWidth = widths.reduce((sum, columnWidth) => sum + columnWidth + GAP_COLUMNS, -GAP_COLUMNS);
      format =
        totalWidth > width ? rows => formatBlocks(columns, rows, width) : rows => formatLines(rows, widths);
      if (totalWidth <= width) yield formatHead(columns, widths);
    }
    yield format(rows);
    rowCount += rows.length;
  }
  yield rowCount === 1 ? '1 row\n' : `${rowCount} rows\n`;
}

/**
 * Combines the first batches into one, because the first batch alone may be too small to determine the column
 * widths.
 */
async function* combineFirstBatches(batches: QueryResult['batches']): AsyncGenerator<readonly ResultRow[]> {
  const firstRows: ResultRow[] = [];
  let isCombined = false;
  for await (const rows of batches) {
    if (isCombined) yield rows;
    else firstRows.push(...rows);
    if (!isCombined && firstRows.length >= MEASURED_ROWS) {
      isCombined = true;
      yield firstRows;
    }
  }
  if (!isCombined && firstRows.length > 0) yield firstRows;
}

function computeWidths(columns: readonly string[], rows: readonly ResultRow[]): readonly number[] {
  return columns.map((name, i) => {
    let width = stringWidth(name);
    for (const row of rows) width = Math.max(width, stringWidth(formatCell(row[i]!)));
    return Math.min(width, MAX_CELL_COLUMNS);
  });
}

function formatCell(value: Value): string {
  return toPrintable(formatText(value));
}

function formatHead(columns: readonly string[], widths: readonly number[]): string {
  const separators = widths.map(width => '─'.repeat(width));
  return formatRows(
    [columns.map((name, i) => truncateEnd(toPrintable(name), widths[i]!)), separators],
    widths,
    () => 'left',
  );
}

function formatLines(rows: readonly ResultRow[], widths: readonly number[]): string {
  const isNumberColumn = widths.map((_, i) => rows.every(row => row[i] === null || isNumber(row[i]!)));
  const cells = rows.map(row => row.map((value, i) => truncateEnd(formatCell(value), widths[i]!)));
  return formatRows(cells, widths, i => (isNumberColumn[i] ? 'right' : 'left'));
}

function isNumber(value: Value): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function formatRows(
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  align: (column: number) => 'left' | 'right',
): string {
  const table = renderTable(
    widths.map((width, i) => ({ width, align: align(i) })),
    cells,
    { gap: ' '.repeat(GAP_COLUMNS) },
  );
  return `${table}\n`;
}

function formatBlocks(columns: readonly string[], rows: readonly ResultRow[], width: number): string {
  const names = columns.map(name => toPrintable(name));
  const nameWidth = Math.max(...names.map(name => stringWidth(name)));
  return rows
    .map(row => {
      const cells = names.flatMap((name, i) =>
        row[i] === null ? [] : [{ name, text: formatCell(row[i]!) }],
      );
      const lines = cells.map(({ name, text }) =>
        truncateEnd(`${name}${' '.repeat(nameWidth - stringWidth(name) + GAP_COLUMNS)}${text}`, width),
      );
      return `${lines.join('\n')}\n\n`;
    })
    .join('');
}
