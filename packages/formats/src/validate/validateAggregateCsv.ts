import {
  AGGREGATE_COLUMNS,
  AGGREGATE_HEADER,
  SERVER_AGGREGATE_HEADER,
  SERVER_SWEEP_HEADER,
  SWEEP_COLUMNS,
} from '../csv/columns.ts';
import { type CsvProblem, type CsvRow, parseCsvRows } from '../csv/rows.ts';
import { checkStatistic } from '../rules/aggregate.ts';
import type { Findings, Report } from '../rules/findings.ts';

/** The rows of one table; empty lines separate the tables of a file. */
type Table = readonly CsvRow[];

/** Validates profile_export_aiperf_aggregate.csv, in either layout. */
export function validateAggregateCsv(findings: Findings, text: string): void {
  const [clientTable = [], , serverTable = []] = splitTables(findings, text);
  const checkTable = (table: Table, header: readonly string[]): void => {
    if (!checkHeader(findings, table[0], header)) return;
    for (const row of table.slice(1)) {
      const block = readNumbers(findings, row, header, AGGREGATE_COLUMNS);
      // AIPerf's files, which have CRLF line ends, are rounded, so formulas do not hold exactly. Run counts
      // are not in the CSV.
      if (block && !text.includes('\r\n')) checkStatistic(reportInRow(findings, row), [], block, undefined);
    }
  };
  checkTable(clientTable, AGGREGATE_HEADER);
  if (serverTable.length > 0) checkTable(serverTable, SERVER_AGGREGATE_HEADER);
}

/** Validates profile_export_aiperf_sweep.csv, in either layout. */
export function validateSweepCsv(findings: Findings, text: string): void {
  const [variations = [], serverTable = []] = splitTables(findings, text);
  const header = variations[0]?.cells ?? [];
  const metrics = header.filter(name => SWEEP_COLUMNS.some(column => name.endsWith(`_${column}`)));
  if (metrics.length === 0)
    findings.reportAt('csv-header', 1, 'line 1', 'has no metric column, such as request_latency_p99_mean');
  for (const row of variations.slice(1)) readNumbers(findings, row, header, metrics);
  if (serverTable.length === 0 || !checkHeader(findings, serverTable[0], SERVER_SWEEP_HEADER)) return;
  for (const row of serverTable.slice(1)) readNumbers(findings, row, SERVER_SWEEP_HEADER, SWEEP_COLUMNS);
}

/** Splits a file into tables at its empty lines. After a syntax error, which is reported, returns no tables. */
function splitTables(findings: Findings, text: string): Table[] {
  const problems: CsvProblem[] = [];
  const tables: CsvRow[][] = [[]];
  for (const row of parseCsvRows(text.replace(/^\uFEFF/, ''), 1, problems)) {
    if (row.cells.length === 1 && row.cells[0] === '') tables.push([]);
    else tables.at(-1)!.push(row);
  }
  for (const { rule, line, place, message } of problems) findings.reportAt(rule, line, place, message);
  return problems.length > 0 ? [] : tables.filter(({ length }) => length > 0);
}

/** Reports a header that differs from the expected one. Returns whether it is correct. */
function checkHeader(findings: Findings, row: CsvRow | undefined, expected: readonly string[]): boolean {
  if (row?.cells.join() === expected.join()) return true;
  const line = row?.line ?? 1;
  const description = row ? `is ${row.cells.join()}` : 'is empty';
  findings.reportAt('csv-header', line, `line ${line}`, `${description}; expected ${expected.join()}`);
  return false;
}

/**
 * Reads the numbers of a row by column. Returns undefined if the row and the header have different numbers of
 * cells.
 */
function readNumbers(
  findings: Findings,
  { cells, line }: CsvRow,
  header: readonly string[],
  columns: readonly string[],
): Record<string, number> | undefined {
  if (cells.length !== header.length) {
    const message = `has ${cells.length} cells, but the header has ${header.length}`;
    findings.reportAt('csv-cell', line, `line ${line}`, message);
    return undefined;
  }
  const block: Record<string, number> = {};
  for (const column of columns) {
    const cell = cells[header.indexOf(column)]!;
    // The coefficient of variation is infinite if the mean is 0.
    if (cell === '' || (cell === 'inf' && column === 'cv')) continue;
    const value = Number(cell);
    if (cell.trim() !== '' && Number.isFinite(value)) block[column] = value;
    else
      findings.reportAt(
        'csv-cell',
        line,
        `line ${line}, column ${column}`,
        `is "${cell}"; expected a number`,
      );
  }
  return block;
}

/** Returns a function that reports findings at the line and column of a row. */
function reportInRow(findings: Findings, { line, cells }: CsvRow): Report {
  return (rule, path, message, value) =>
    findings.reportAt(rule, line, `line ${line}, column ${path.join(' ')} (${cells[0]})`, message, value);
}
