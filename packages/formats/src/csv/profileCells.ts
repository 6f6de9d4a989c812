import { parseDecimal } from './number.ts';
import { type CsvProblem, type CsvRow, locateRow } from './rows.ts';

/** Reports whether all cells of a row are empty. */
export function isEmpty({ cells }: CsvRow): boolean {
  return cells.every(cell => cell === '');
}

/** Reports whether all numbers have at most two decimals, as AIPerf writes them. */
export function isRounded(rows: readonly CsvRow[]): boolean {
  return !rows.some(({ cells }) => cells.some(cell => /^-?\d+\.\d{3,}$|^-?\d[\d.]*e/.test(cell)));
}

/**
 * Parses the number in a cell. Returns undefined for an empty cell and, after adding a problem, for an
 * invalid cell.
 */
export function parseNumber(
  problems: CsvProblem[],
  row: CsvRow,
  column: string,
  cell: string,
): number | undefined {
  if (cell === '') return undefined;
  const value = parseDecimal(cell);
  if (value !== undefined) return value;
  problems.push({
    rule: 'csv-cell',
    position: locateRow(row, column),
    message: `is "${cell}"; expected a number or an empty cell`,
    value: cell,
  });
  return undefined;
}
