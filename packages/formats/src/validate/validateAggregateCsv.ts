import {
  AGGREGATE_COLUMNS,
  AGGREGATE_HEADER,
  SERVER_AGGREGATE_HEADER,
  SERVER_SWEEP_HEADER,
  SWEEP_COLUMNS,
  SWEEP_TITLES,
} from '../csv/columns.ts';
import { parseDecimal } from '../csv/number.ts';
import { type CsvProblem, type CsvRow, locateRow, parseCsvRows, WHOLE_FILE } from '../csv/rows.ts';
import { hasUnknownMean } from '../json/sweepMetrics.ts';
import { checkRanges, checkStatistic } from '../rules/aggregate.ts';
import type { Findings, Report } from '../rules/findings.ts';
import { checkRunValues } from '../rules/profileValues.ts';
import { findRepeated, type Values } from '../rules/values.ts';
import { checkSchema } from '../schema/checkSchema.ts';
import { loadBlockValidator, type SchemaValidator } from '../schema/schemas.ts';

/** The rows of one table; empty lines separate the tables of a file. */
type Table = readonly CsvRow[];

/** The columns of a block by statistic: `{mean: 'request_latency_avg_mean', …}`. */
type Columns = ReadonlyMap<string, string>;

/** Validates profile_export_aiperf_aggregate.csv, in either layout. */
export async function validateAggregateCsv(findings: Findings, text: string): Promise<void> {
  const checker = await BlockChecker.create(findings, text, 'profile-aggregate.1.0');
  const [clientTable = [], metadata = [], serverTable = []] = splitTables(findings, text);
  checker.checkTable(clientTable, AGGREGATE_HEADER, AGGREGATE_COLUMNS);
  checkMetadata(findings, metadata, RUN_COUNTS);
  checker.checkRepeated(metadata, 1);
  if (serverTable.length > 0) checker.checkTable(serverTable, SERVER_AGGREGATE_HEADER, AGGREGATE_COLUMNS);
}

/** Rows of the metadata of an aggregate that are counts: all runs, and successful runs. */
const RUN_COUNTS: readonly string[] = ['Total Runs', 'Successful Runs'];
/** Rows of the metadata of a sweep that are counts: all runs, successful runs, and variations. */
const SWEEP_COUNTS: readonly string[] = [
  'Number of Profile Runs',
  'Number of Successful Runs',
  'Number of Combinations',
];

/**
 * Checks the metadata, whose rows consist of a name and a value.
 *
 * @param counts names of the rows that are counts; the first two are all runs and successful runs
 */
function checkMetadata(findings: Findings, rows: Table, counts: readonly string[]): void {
  for (const row of rows) {
    const [name = '', value = ''] = row.cells;
    if (row.cells.length !== 2)
      findings.reportAt(
        'csv-cell',
        locateRow(row),
        `has ${row.cells.length} cells; expected a name and a value`,
      );
    else if (counts.includes(name) && !/^\d+$/.test(value))
      findings.reportAt('csv-cell', locateRow(row, name), `is "${value}"; expected a count`, value);
  }
  const [total, successful] = counts.map(name => rows.find(({ cells }) => cells[0] === name));
  if (total && successful && Number(successful.cells[1]) > Number(total.cells[1]))
    findings.reportAt(
      'runs-count',
      locateRow(successful, successful.cells[0]),
      `is ${successful.cells[1]}, more than ${total.cells[0]} (${total.cells[1]})`,
    );
}

/** Validates profile_export_aiperf_sweep.csv, in either layout. */
export async function validateSweepCsv(findings: Findings, text: string): Promise<void> {
  const checker = await BlockChecker.create(findings, text, 'profile-sweep.1.0');
  const [variations = [], ...otherTables] = splitTables(findings, text);
  const header = variations[0]?.cells ?? [];
  const metrics = header.flatMap(name => /^(.+)_mean$/.exec(name)?.[1] ?? []);
  if (metrics.length === 0)
    findings.reportAt(
      'csv-header',
      variations[0] ? locateRow(variations[0]) : WHOLE_FILE,
      'has no metric column, such as request_latency_p99_mean',
    );
  const parameters = header.findIndex(name => name.endsWith(`${metrics[0]}_mean`));
  checker.checkRepeated(variations.slice(1), Math.max(1, parameters));
  const blocks = metrics.map(metric => mapColumns(AGGREGATE_COLUMNS, header, stat => `${metric}_${stat}`));
  for (const row of variations.slice(1)) checker.checkRow(row, header, blocks);
  const names = header.slice(0, Math.max(1, parameters));
  for (const table of otherTables)
    if (table[0]!.cells.length === 1 && SWEEP_TITLES.includes(table[0]!.cells[0]!))
      checkSweepSection(findings, checker, table, names);
    else checker.checkTable(table, SERVER_SWEEP_HEADER, SWEEP_COLUMNS);
}

/** Checks a section with a title: the best configurations, the Pareto-optimal variations or the metadata of a sweep. */
function checkSweepSection(
  findings: Findings,
  checker: BlockChecker,
  [title, header, ...rows]: Table,
  parameters: readonly string[],
): void {
  const [bestTitle, optimalTitle] = SWEEP_TITLES;
  const section = title!.cells[0];
  // AIPerf omits the header if there is nothing to list.
  if (section === bestTitle && !header) return;
  if (section === optimalTitle && header?.cells.join() === 'None' && rows.length === 0) return;
  if (section === bestTitle) {
    const columns = ['Configuration', ...parameters, 'Metric', 'Unit'];
    if (!checker.checkHeader(header, columns)) return;
    checker.checkRepeated([header!, ...rows], 1);
    // A metric that is not finite is empty.
    for (const row of rows) checker.checkRow(row, columns, [new Map([['metric', 'Metric']])]);
  } else if (section === optimalTitle) {
    if (!checker.checkHeader(header, parameters)) return;
    checker.checkRepeated([header!, ...rows], parameters.length);
    for (const row of rows) checker.checkRow(row, parameters, []);
  } else {
    if (!checker.checkHeader(header, ['Field', 'Value'])) return;
    checker.checkRepeated([header!, ...rows], 1);
    checkMetadata(findings, rows, SWEEP_COUNTS);
  }
}

/** Returns the columns of the statistics that a header has. */
function mapColumns(
  stats: readonly string[],
  header: readonly string[],
  toColumn: (stat: string) => string,
): Columns {
  const pairs = stats.map(stat => [stat, toColumn(stat)] as const);
  return new Map(pairs.filter(([, column]) => header.includes(column)));
}

/** Checks the statistics in the rows of a file. */
class BlockChecker {
  readonly #findings: Findings;
  readonly #validator: SchemaValidator;
  /** AIPerf's files, which have CRLF line ends, are rounded, so formulas do not hold exactly. */
  readonly #isRounded: boolean;

  constructor(findings: Findings, validator: SchemaValidator, isRounded: boolean) {
    this.#findings = findings;
    this.#validator = validator;
    this.#isRounded = isRounded;
  }

  static async create(
    findings: Findings,
    text: string,
    schema: 'profile-aggregate.1.0' | 'profile-sweep.1.0',
  ): Promise<BlockChecker> {
    return new BlockChecker(findings, await loadBlockValidator(schema), text.includes('\r\n'));
  }

  /** Checks a table with the columns `stats`, which has one block per row. */
  checkTable(table: Table, expectedHeader: readonly string[], stats: readonly string[]): void {
    if (!this.checkHeader(table[0], expectedHeader)) return;
    const columns = mapColumns(stats, expectedHeader, stat => stat);
    this.checkRepeated(table.slice(1), expectedHeader.indexOf('mean'));
    for (const row of table.slice(1)) this.checkRow(row, expectedHeader, [columns]);
  }

  /** Checks that no two rows have the same first `count` cells, which identify a row. */
  checkRepeated(rows: Table, count: number): void {
    const index = findRepeated(rows.map(({ cells }) => JSON.stringify(cells.slice(0, count))));
    if (index === -1) return;
    const row = rows[index]!;
    this.#findings.reportAt(
      'csv-cell',
      locateRow(row),
      `repeats ${row.cells.slice(0, count).join()}, which is in an earlier row`,
    );
  }

  /** Checks the blocks of a row. */
  checkRow(row: CsvRow, header: readonly string[], blocks: readonly Columns[]): void {
    if (row.cells.length !== header.length) {
      const message = `has ${row.cells.length} cells, but the header has ${header.length}`;
      this.#findings.reportAt('csv-cell', locateRow(row), message);
      return;
    }
    for (const columns of blocks) this.#checkBlock(row, header, columns);
  }

  #checkBlock(row: CsvRow, header: readonly string[], columns: Columns): void {
    const block = this.#readBlock(row, header, columns);
    if (!block) return;
    const report = this.#reportInRow(row, columns);
    // A variation with one run has no intervals, so cells can be empty.
    const reportUnlessMissing: Report = (rule, ...rest) => {
      if (rule !== 'field-missing') report(rule, ...rest);
    };
    checkSchema(reportUnlessMissing, this.#validator, { unit: '', ...block });
    const meanColumn = columns.get('mean') ?? '';
    const name = meanColumn === 'mean' ? row.cells[0]! : meanColumn.replace(/_mean$/, '');
    checkRunValues(report, [], name, block);
    if (hasUnknownMean(name, block)) return;
    if (this.#isRounded) checkRanges(report, [], block);
    else checkStatistic(report, [], block, undefined);
  }

  /** Reads the statistics of a block. Reports cells that are not numbers, and returns undefined for such a block. */
  #readBlock(row: CsvRow, header: readonly string[], columns: Columns): Values | undefined {
    const block: Record<string, number | null> = {};
    let isValid = true;
    for (const [stat, column] of columns) {
      const cell = row.cells[header.indexOf(column)]!;
      if (cell === '') continue;
      const value = parseCell(cell, stat);
      if (value !== undefined) block[stat] = value;
      else {
        isValid = false;
        this.#findings.reportAt('csv-cell', locateRow(row, column), `is "${cell}"; expected a number`, cell);
      }
    }
    return isValid ? block : undefined;
  }

  /** Reports a header that differs from the expected one. Returns whether it is correct. */
  checkHeader(row: CsvRow | undefined, expected: readonly string[]): boolean {
    if (row?.cells.join() === expected.join()) return true;
    const description = row ? `is ${row.cells.join()}` : 'is empty';
    this.#findings.reportAt(
      'csv-header',
      row ? locateRow(row) : WHOLE_FILE,
      `${description}; expected ${expected.join()}`,
    );
    return false;
  }

  /** Returns a function that reports findings at the cells of a row. */
  #reportInRow(row: CsvRow, columns: Columns): Report {
    return (rule, path, message, value) => {
      const column = columns.get(String(path[0])) ?? path.join(' ');
      this.#findings.reportAt(rule, locateRow(row, column, row.cells[0]), message, value);
    };
  }
}

/** Parses a statistic. If the mean is 0, the coefficient of variation is `inf`, which is null in JSON. */
function parseCell(cell: string, stat: string): number | null | undefined {
  if (cell === 'inf' && stat === 'cv') return null;
  return parseDecimal(cell);
}

/** Splits a file into tables at its empty lines. After a syntax error, which is reported, returns no tables. */
function splitTables(findings: Findings, text: string): Table[] {
  const problems: CsvProblem[] = [];
  const tables: CsvRow[][] = [[]];
  for (const row of parseCsvRows(text.replace(/^\uFEFF/, ''), 1, problems)) {
    if (row.cells.length === 1 && row.cells[0] === '') tables.push([]);
    else tables.at(-1)!.push(row);
  }
  for (const { rule, position, message } of problems) findings.reportAt(rule, position, message);
  return problems.length > 0 ? [] : tables.filter(({ length }) => length > 0);
}
