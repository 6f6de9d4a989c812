import { drawTable, toPrintable, truncateEnd } from '@org/terminal';
import stringWidth from 'string-width';
import type { QueryResult } from './queryResult.ts';
import { formatText, type Value } from './value.ts';

/** Cells are cut beyond so many columns of the terminal. */
const MAX_CELL_COLUMNS = 60;
/** Between two columns. */
const GAP = 2;

/** Rows that decide how wide columns are. */
const MEASURED = 1000;

/**
 * An answer as a table. The first thousand rows decide how wide columns are; what is then too wide for the page is
 * printed a row a block, a column a line, and NULLs are left out.
 */
export async function* formatTable({ columns, batches }: QueryResult, width: number): AsyncGenerator<string> {
  let print: ((rows: readonly (readonly Value[])[]) => string) | undefined;
  let count = 0;
  for await (const rows of gathered(batches)) {
    if (!print) {
      const widths = widthsOf(columns, rows);
      const total = widths.reduce((sum, one) => sum + one + GAP, -GAP);
      print = total > width ? rows => blocks(columns, rows, width) : rows => lines(rows, widths);
      if (total <= width) yield head(columns, widths);
    }
    yield print(rows);
    count += rows.length;
  }
  yield count === 1 ? '1 row\n' : `${count} rows\n`;
}

/** The same rows, the first ones in one batch: small ones may come before large ones. */
async function* gathered(batches: QueryResult['batches']): AsyncGenerator<readonly (readonly Value[])[]> {
  const first: (readonly Value[])[] = [];
  let measured = false;
  for await (const rows of batches) {
    if (measured) yield rows;
    else first.push(...rows);
    if (!measured && first.length >= MEASURED) {
      measured = true;
      yield first;
    }
  }
  if (!measured && first.length > 0) yield first;
}

function widthsOf(columns: readonly string[], rows: readonly (readonly Value[])[]): readonly number[] {
  return columns.map((name, i) => {
    let width = stringWidth(name);
    for (const row of rows) width = Math.max(width, stringWidth(cell(row[i]!)));
    return Math.min(width, MAX_CELL_COLUMNS);
  });
}

function cell(value: Value): string {
  return toPrintable(formatText(value));
}

function head(columns: readonly string[], widths: readonly number[]): string {
  const rules = widths.map(width => '─'.repeat(width));
  return table(
    [columns.map((name, i) => truncateEnd(toPrintable(name), widths[i]!)), rules],
    widths,
    () => 'left',
  );
}

function lines(rows: readonly (readonly Value[])[], widths: readonly number[]): string {
  const numbers = widths.map((_, i) => rows.every(row => row[i] === null || isNumber(row[i]!)));
  const cells = rows.map(row => row.map((value, i) => truncateEnd(cell(value), widths[i]!)));
  return table(cells, widths, i => (numbers[i] ? 'right' : 'left'));
}

function isNumber(value: Value): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function table(
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

function blocks(columns: readonly string[], rows: readonly (readonly Value[])[], width: number): string {
  const names = columns.map(name => toPrintable(name));
  const room = Math.max(...names.map(name => stringWidth(name)));
  return rows
    .map(row => {
      const present = names.flatMap((name, i) => (row[i] === null ? [] : [{ name, text: cell(row[i]!) }]));
      const shown = present.map(({ name, text }) =>
        truncateEnd(`${name}${' '.repeat(room - stringWidth(name) + GAP)}${text}`, width),
      );
      return `${shown.join('\n')}\n\n`;
    })
    .join('');
}
