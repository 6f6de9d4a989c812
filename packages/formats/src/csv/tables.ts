import { CSV_SECTIONS, type CsvSection, INFO_COLUMNS, LEAD_COLUMNS, STAT_COLUMNS } from './columns.ts';
import { type CsvProblem, type CsvRow, parseCsvRows } from './rows.ts';

/** One section: its header and the rows below. */
export interface CsvTable {
  readonly kind: CsvSection | 'info';
  readonly header: CsvRow;
  readonly rows: readonly CsvRow[];
}

/** A CSV export as it stands. */
export interface CsvTables {
  /** `# key: value` lines in front, as AIPerf writes them; ours has none. */
  readonly comments: ReadonlyMap<string, string>;
  /** Whether AIPerf wrote it: with comments, four decimals, and cells as the server said them. */
  readonly isAiperf: boolean;
  readonly tables: readonly CsvTable[];
  readonly problems: readonly CsvProblem[];
}

/** Splits a CSV export into its sections. Line ends may be LF or CRLF, sections may follow without empty line. */
export function parseCsvTables(text: string): CsvTables {
  const { comments, body, firstLine } = splitComments(text);
  const problems: CsvProblem[] = [];
  const tables: CsvTable[] = [];
  let rows: CsvRow[] = [];
  for (const row of parseCsvRows(body, firstLine, problems)) {
    if (row.cells.length === 1 && row.cells[0] === '') continue;
    if (row.cells[0] === 'Endpoint') {
      const kind = sectionKind(row, problems);
      rows = [];
      if (kind) tables.push({ kind, header: row, rows });
    } else if (tables.length === 0 && problems.length === 0)
      problems.push({
        rule: 'csv-header',
        line: row.line,
        place: `line ${row.line}`,
        message: headerMessage(row),
      });
    else rows.push(row);
  }
  return {
    comments,
    isAiperf: comments.size > 0 || /^\uFEFF?# AIPerf/.test(text),
    tables: tables.map(named),
    problems,
  };
}

function headerMessage(row: CsvRow): string {
  return `begins with "${row.cells[0]}"; a section begins with a header row, whose first column is Endpoint`;
}

/** Comment lines in front of the first section. */
function splitComments(text: string): { comments: Map<string, string>; body: string; firstLine: number } {
  const comments = new Map<string, string>();
  let rest = text.replace(/^\uFEFF/, '');
  let firstLine = 1;
  for (let match = /^#(.*)\r?(\n|$)/.exec(rest); match; match = /^#(.*)\r?(\n|$)/.exec(rest)) {
    const [, key, value] = /^\s*(\w+):\s*(.*?)\s*$/.exec(match[1]!) ?? [];
    if (key !== undefined) comments.set(key, value!);
    rest = rest.slice(match[0].length);
    firstLine++;
  }
  return { comments, body: rest, firstLine };
}

/** What a section holds, by its columns; gauge also for unknown, which the Type column tells apart. */
function sectionKind(header: CsvRow, problems: CsvProblem[]): CsvSection | 'info' | undefined {
  const columns = header.cells;
  if (INFO_COLUMNS.every((name, index) => columns[index] === name) && columns.length === INFO_COLUMNS.length)
    return 'info';
  const kind = (['histogram', 'counter', 'gauge'] as const).find(section =>
    STAT_COLUMNS[section].every((name, index) => columns[LEAD_COLUMNS.length + index] === name),
  );
  const lead = LEAD_COLUMNS.every((name, index) => columns[index] === name);
  if (kind && lead && columns.includes('Description')) return kind;
  problems.push({
    rule: 'csv-header',
    line: header.line,
    place: `line ${header.line}`,
    message: `is no header of a section; expected ${LEAD_COLUMNS.join(',')}, the statistics of a ${CSV_SECTIONS.join(', ')}, labels, Description, or ${INFO_COLUMNS.join(',')}`,
  });
  return undefined;
}

/** A section of gauges whose rows say unknown is the unknown section. */
function named(table: CsvTable): CsvTable {
  return table.kind === 'gauge' && table.rows[0]?.cells[1] === 'unknown'
    ? { ...table, kind: 'unknown' }
    : table;
}
