import { parse } from 'csv-parse/sync';

/** A row of a table, by column name. */
export type Row = ReadonlyMap<string, string>;

/** Splits a line of CSV into cells without surrounding spaces; undefined if it is not CSV. */
export function splitCells(line: string): string[] | undefined {
  try {
    const [cells] = parse(line, { relaxColumnCount: true, trim: true, relaxQuotes: true }) as string[][];
    return cells;
  } catch {
    return undefined;
  }
}

/** Cells of amd-smi that are words. */
const STATES: Readonly<Record<string, number>> = { UNTHROTTLED: 0, THROTTLED: 1 };

/**
 * Returns a cell as a number without its unit; undefined for missing values such as `[N/A]`, `[Not Supported]` and
 * `[Unknown Error]`. Bit masks are hexadecimal, such as `0x0000000000000004`.
 */
export function parseCell(cell: string | undefined): number | undefined {
  const word = (cell ?? '').trim();
  if (/^0x[0-9a-f]+$/i.test(word)) return Number(BigInt(word));
  if (Object.hasOwn(STATES, word)) return STATES[word];
  const [, digits] = /^\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(?:[A-Za-z%°]+)?\s*$/i.exec(cell ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
