import { toPrintable } from '@org/terminal';
import { drawTable, truncateEnd } from '@org/terminal/layout';
import stringWidth from 'string-width';
import type { QueryResult } from './queryResult.ts';
import { formatText, type Value } from './value.ts';

/** Longer cells are truncated. */
const MAX_CELL_COLUMNS = 60;
/** Columns between two cells. */
const GAP = 2;

/** The number of rows that determine the column widths. */
const MEASURED_ROWS = 1000;

/**
 * Formats a result as a table. The first 1000 rows determine the column widths. A table that is too wide is
 * printed as blocks: one row per block, one column per line, without NULLs.
 */
export async function* formatTable({ columns, batches }: QueryResult, width: number): AsyncGenerator<string> {
  let print: ((rows: readonly (readonly Value[])[]) => string) | undefined;
  let count = 0;
  for await (const rows of gatherFirst(batches)) {
    if (!print) {
      const widths = computeWidths(columns, rows);
      const total = widths.reduce((sum, columnWidth) => sum + columnWidth + GAP, -GAP);
      print = total > width ? rows => formatBlocks(columns, rows, width) : rows => formatLines(rows, widths);
      if (total <= width) yield formatHead(columns, widths);
    }
    yield print(rows);
    count += rows.length;
  }
  yield count === 1 ? '1 row\n' : `${count} rows\n`;
}

/** Gathers the first rows into one batch, because small batches may precede large ones. */
async function* gatherFirst(batches: QueryResult['batches']): AsyncGenerator<readonly (readonly Value[])[]> {
  const first: (readonly Value[])[] = [];
  let measured = false;
  for await (const rows of batches) {
    if (measured) yield rows;
    else first.push(...rows);
    if (!measured && first.length >= MEASURED_ROWS) {
      measured = true;
      yield first;
    }
  }
  if (!measured && first.length > 0) yield first;
}

function computeWidths(columns: readonly string[], rows: readonly (readonly Value[])[]): readonly number[] {
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
  const rules = widths.map(width => '─'.repeat(width));
  return formatRows(
    [columns.map((name, i) => truncateEnd(toPrintable(name), widths[i]!)), rules],
    widths,
    () => 'left',
  );
}

function formatLines(rows: readonly (readonly Value[])[], widths: readonly number[]): string {
  const numbers = widths.map((_, i) => rows.every(row => row[i] === null || isNumber(row[i]!)));
  const cells = rows.map(row => row.map((value, i) => truncateEnd(formatCell(value), widths[i]!)));
  return formatRows(cells, widths, i => (numbers[i] ? 'right' : 'left'));
}

function isNumber(value: Value): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function formatRows(
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  align: (column: number) => 'left' | 'right',
): string {
  const drawn = drawTable(
    widths.map((width, i) => ({ width, align: align(i) })),
    cells,
    { gap: ' '.repeat(GAP) },
  );
  return `${drawn}\n`;
}

function formatBlocks(
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
  width: number,
): string {
  const names = columns.map(name => toPrintable(name));
  const room = Math.max(...names.map(name => stringWidth(name)));
  return rows
    .map(row => {
      const present = names.flatMap((name, i) =>
        row[i] === null ? [] : [{ name, text: formatCell(row[i]!) }],
      );
      const shown = present.map(({ name, text }) =>
        truncateEnd(`${name}${' '.repeat(room - stringWidth(name) + GAP)}${text}`, width),
      );
      return `${shown.join('\n')}\n\n`;
    })
    .join('');
}
