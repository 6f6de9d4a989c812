import { type CsvError, parse } from 'csv-parse/sync';
import type { RuleId } from '../rules/catalogue.ts';

/** A row and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** What is wrong with one place of a CSV file. */
export interface CsvProblem {
  readonly rule: RuleId;
  readonly line: number;
  readonly place: string;
  readonly message: string;
  readonly value?: string;
}

/** The rows of a CSV text, the first of which stands on `firstLine`. What is no CSV becomes a problem. */
export function parseCsvRows(body: string, firstLine: number, problems: CsvProblem[]): CsvRow[] {
  const { stackTraceLimit } = Error;
  try {
    // For each row of another length than the first csv-parse makes an error, and its trace takes most of the time.
    Error.stackTraceLimit = 0;
    const rows: CsvRow[] = [];
    parse(body, {
      relax_column_count: true,
      skip_empty_lines: false,
      // The rows are taken here: what csv-parse would return with `info` keeps those errors.
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
