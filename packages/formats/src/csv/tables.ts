import { CSV_SECTIONS, type CsvSection, INFO_COLUMNS, LEAD_COLUMNS, STAT_COLUMNS } from './columns.ts';
import { type CsvProblem, type CsvRow, locateRow, parseCsvRows } from './rows.ts';

/** A section of the server metrics CSV: its header and rows. */
export interface CsvTable {
  readonly kind: CsvSection | 'info';
  readonly header: CsvRow;
  readonly rows: readonly CsvRow[];
}

/** The sections of a server metrics CSV, and the problems of the file. */
export interface CsvTables {
  /** Leading `# key: value` lines, which only AIPerf writes. */
  readonly comments: ReadonlyMap<string, string>;
  /** True if AIPerf wrote the file. AIPerf's files have comments, four decimals and unescaped cells. */
  readonly isAiperf: boolean;
  readonly tables: readonly CsvTable[];
  readonly problems: readonly CsvProblem[];
}

/**
 * Splits a server metrics CSV into sections. Line ends can be LF or CRLF. Empty lines between sections are
 * optional.
 */
export function parseCsvTables(text: string): CsvTables {
  const { comments, body, firstLine } = splitComments(text);
  const problems: CsvProblem[] = [];
  const tables: CsvTable[] = [];
  let rows: CsvRow[] = [];
  for (const row of parseCsvRows(body, firstLine, problems)) {
    if (row.cells.length === 1 && row.cells[0] === '') continue;
    if (row.cells[0] === 'Endpoint') {
      const kind = detectSectionKind(row, problems);
      rows = [];
      if (kind) tables.push({ kind, header: row, rows });
    } else if (tables.length === 0 && problems.length === 0)
      problems.push({
        rule: 'csv-header',
        position: locateRow(row),
        message: formatHeaderMessage(row),
      });
    else rows.push(row);
  }
  return {
    comments,
    isAiperf: comments.size > 0 || /^\uFEFF?# AIPerf/.test(text),
    tables: tables.map(detectUnknownSection),
    problems,
  };
}

function formatHeaderMessage(row: CsvRow): string {
  return `starts with "${row.cells[0]}"; expected a header row whose first column is Endpoint`;
}

/** Separates the leading comment lines from the sections. */
function splitComments(text: string): { comments: Map<string, string>; body: string; firstLine: number } {
  const comments = new Map<string, string>();
  let body = text.replace(/^\uFEFF/, '');
  let firstLine = 1;
  for (let match = /^#(.*)\r?(\n|$)/.exec(body); match; match = /^#(.*)\r?(\n|$)/.exec(body)) {
    const [, key, value] = /^\s*(\w+):\s*(.*?)\s*$/.exec(match[1]!) ?? [];
    if (key !== undefined) comments.set(key, value!);
    body = body.slice(match[0].length);
    firstLine++;
  }
  return { comments, body, firstLine };
}

/** Detects the kind of a section by its columns. Gauge and unknown sections have the same columns. */
function detectSectionKind(header: CsvRow, problems: CsvProblem[]): CsvSection | 'info' | undefined {
  const columns = header.cells;
  if (INFO_COLUMNS.every((name, index) => columns[index] === name) && columns.length === INFO_COLUMNS.length)
    return 'info';
  const kind = (['histogram', 'counter', 'gauge'] as const).find(section =>
    STAT_COLUMNS[section].every((name, index) => columns[LEAD_COLUMNS.length + index] === name),
  );
  const hasLeadColumns = LEAD_COLUMNS.every((name, index) => columns[index] === name);
  if (kind && hasLeadColumns && columns.includes('Description')) return kind;
  problems.push({
    rule: 'csv-header',
    position: locateRow(header),
    message: `is not a section header; expected ${LEAD_COLUMNS.join(',')}, the statistics of a ${CSV_SECTIONS.join(', ')}, labels, Description, or ${INFO_COLUMNS.join(',')}`,
  });
  return undefined;
}

/** Changes the kind of a gauge section to unknown if its first row has the type `unknown`. */
function detectUnknownSection(table: CsvTable): CsvTable {
  return table.kind === 'gauge' && table.rows[0]?.cells[1] === 'unknown'
    ? { ...table, kind: 'unknown' }
    : table;
}
