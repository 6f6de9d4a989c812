import { type CsvError, parse } from 'csv-parse/sync';
import type { RuleId } from '../rules/catalog.ts';

/** A row of a CSV file. */
export interface CsvRow {
  /**
   * Number of the line where the row ends, from 1. A row can span several lines, because a quoted cell can
   * contain line breaks.
   */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A problem at one place in a CSV file. */
export interface CsvProblem {
  readonly rule: RuleId;
  readonly line: number;
  readonly place: string;
  readonly message: string;
  readonly value?: string;
}

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
        rows.push({ line: lines + firstLine - 1, cells: record });
        return null;
      },
    });
    return rows;
  } catch (error) {
    const { lines, message } = error as CsvError & { readonly lines?: number };
    const line = (lines ?? 1) + firstLine - 1;
    problems.push({
      rule: 'csv-syntax',
      line,
      place: `line ${line}`,
      message: `is not CSV: ${message.replace(/ at line \d+$/, '')}`,
    });
    return [];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
