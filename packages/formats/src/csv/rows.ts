import { type CsvError, parse } from 'csv-parse/sync';
import type { RuleId } from '../generated/ruleSeverities.ts';
import type { Position } from '../rules/findings.ts';

/** A row of a CSV file. */
export interface CsvRow {
  /**
   * Number of the line where the row ends, from 1. A row can span several lines, because a quoted cell can
   * contain line breaks.
   */
  readonly line: number;
  /** Row number as in a spreadsheet: counted from 1, with comments, headers and empty rows. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** A problem at one place in a CSV file. */
export interface CsvProblem {
  readonly rule: RuleId;
  readonly position: Position;
  readonly message: string;
  readonly value?: string;
}

/**
 * Returns the position of a row, or of one of its cells.
 *
 * @param subject name of the metric or series in the row
 */
export function locateRow({ line, row }: Omit<CsvRow, 'cells'>, column?: string, subject?: string): Position {
  const place = `line ${line}${column ? `, column ${column}` : ''}${subject ? ` (${subject})` : ''}`;
  return { line, row, ...(column ? { column } : {}), place };
}

/** The position of a problem of the whole file. */
export const WHOLE_FILE: Position = { line: 1, place: 'the file' };

/**
 * Parses the rows of a CSV text. A syntax error is added to `problems`, and no rows are returned.
 *
 * @param firstLine line number of the first row in the file
 */
export function parseCsvRows(body: string, firstLine: number, problems: CsvProblem[]): CsvRow[] {
  const { stackTraceLimit } = Error;
  try {
    // csv-parse creates an Error for each row with an unexpected length, which is slow with stack traces.
    Error.stackTraceLimit = 0;
    const rows: CsvRow[] = [];
    parse(body, {
      relax_column_count: true,
      skip_empty_lines: false,
      // Rows are collected here, because the rows that csv-parse returns with the `info` option retain these errors.
      on_record: (record: string[], { lines }) => {
        rows.push({ line: lines + firstLine - 1, row: rows.length + firstLine, cells: record });
        return null;
      },
    });
    return rows;
  } catch (error) {
    const { lines, message } = error as CsvError & { readonly lines?: number };
    const line = (lines ?? 1) + firstLine - 1;
    problems.push({
      rule: 'csv-syntax',
      position: { line, place: `line ${line}` },
      message: `is not CSV: ${message.replace(/ at line \d+$/, '')}`,
    });
    return [];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
