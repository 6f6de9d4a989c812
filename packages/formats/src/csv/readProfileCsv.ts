import type { ProfileMetric } from '../generated/profileExport.ts';
import type { ProfileTimeslice } from '../generated/profileTimeslices.ts';
import { unescapeCell } from './cell.ts';
import { CSV_STATS, isCsvStat, TIMESLICE_HEADER, VALUE_HEADER } from './columns.ts';
import { parseNameCell, toMetricTag } from './metricNames.ts';
import { type CsvProblem, type CsvRow, parseCsvRows } from './rows.ts';

/** The metrics of a profile CSV, and its problems. */
export interface ProfileCsvContent {
  readonly metrics: ReadonlyMap<string, ProfileMetric>;
  /** Line of each metric, by tag. */
  readonly lines: ReadonlyMap<string, number>;
  /** True if all numbers have at most two decimals. AIPerf rounds, so its statistics are not exactly consistent. */
  readonly isRounded: boolean;
  readonly problems: readonly CsvProblem[];
}

/** The sections of a profile CSV. */
type Section = 'stats' | 'values' | 'gpus';

/** Reads profile_export_aiperf.csv in either layout, without the table of GPUs. The file contains no observation counts. */
export function readProfileCsv(text: string): ProfileCsvContent {
  const problems: CsvProblem[] = [];
  const rows = parseCsvRows(text.replace(/^\uFEFF/, ''), 1, problems);
  const reader = new MetricReader(problems);
  for (const row of rows) if (!isEmpty(row)) reader.read(row);
  return { metrics: reader.metrics, lines: reader.lines, isRounded: isRounded(rows), problems };
}

function isEmpty({ cells }: CsvRow): boolean {
  return cells.every(cell => cell === '');
}

function isRounded(rows: readonly CsvRow[]): boolean {
  return !rows.some(({ cells }) => cells.some(cell => /^-?\d+\.\d{3,}$|^-?\d[\d.]*e/.test(cell)));
}

/** Collects the metrics of a profile CSV row by row. */
class MetricReader {
  readonly metrics = new Map<string, ProfileMetric>();
  readonly lines = new Map<string, number>();
  readonly #problems: CsvProblem[];
  #section: Section | undefined;
  #header: readonly string[] = [];

  constructor(problems: CsvProblem[]) {
    this.#problems = problems;
  }

  read(row: CsvRow): void {
    const section = detectSection(row.cells);
    if (section) {
      this.#section = section;
      this.#header = row.cells;
    } else if (!this.#section) this.#reportMissingHeader(row);
    else if (this.#section !== 'gpus') this.#readMetric(row);
  }

  /** Reports a missing header, once per file. */
  #reportMissingHeader(row: CsvRow): void {
    if (this.#problems.some(problem => problem.rule === 'csv-header')) return;
    this.#problems.push({
      rule: 'csv-header',
      line: row.line,
      place: `line ${row.line}`,
      message: `starts with "${row.cells[0]}"; expected a header, Metric,avg,min,max,… or ${VALUE_HEADER.join(',')}`,
    });
  }

  #readMetric(row: CsvRow): void {
    const { line, cells } = row;
    if (cells.length !== this.#header.length) {
      const message = `has ${cells.length} cells, but its section has ${this.#header.length} columns`;
      this.#problems.push({ rule: 'csv-cell', line, place: `line ${line}`, message });
      return;
    }
    const { tag, unit } = parseNameCell(unescapeCell(cells[0]!));
    const block: Record<string, unknown> = { unit };
    this.#header.slice(1).forEach((column, index) => {
      const value = parseNumber(this.#problems, line, column, cells[index + 1]!);
      if (value !== undefined) block[column === 'Value' ? 'avg' : column] = value;
    });
    if (this.metrics.has(tag))
      this.#problems.push({
        rule: 'csv-cell',
        line,
        place: `line ${line}, column Metric`,
        message: `is "${cells[0]}", which is already in line ${this.lines.get(tag)}`,
      });
    this.metrics.set(tag, block as unknown as ProfileMetric);
    this.lines.set(tag, line);
  }
}

function detectSection(cells: readonly string[]): Section | undefined {
  if (cells[0] === 'Endpoint' && cells[1] === 'GPU_Index') return 'gpus';
  if (cells[0] !== 'Metric') return undefined;
  if (cells.length === 2 && cells[1] === 'Value') return 'values';
  const stats = cells.slice(1);
  return stats.length > 0 && stats.every(isCsvStat) ? 'stats' : undefined;
}

/** Parses the number in a cell. Returns undefined for an empty cell, and for an invalid one, which is reported as a problem. */
function parseNumber(problems: CsvProblem[], line: number, column: string, cell: string): number | undefined {
  if (cell === '') return undefined;
  const value = Number(cell);
  if (Number.isFinite(value) && cell.trim() === cell) return value;
  problems.push({
    rule: 'csv-cell',
    line,
    place: `line ${line}, column ${column}`,
    message: `is "${cell}"; expected a number or an empty cell`,
    value: cell,
  });
  return undefined;
}

/** The slices of a timeslices CSV, and its problems. */
export interface TimeslicesCsvContent {
  readonly slices: readonly ProfileTimeslice[];
  /** Line of the first row, by slice number and tag: `0 request_latency`. */
  readonly lines: ReadonlyMap<string, number>;
  readonly isRounded: boolean;
  readonly problems: readonly CsvProblem[];
}

/** Reads profile_export_aiperf_timeslices.csv in either layout. The file contains no timestamps. */
export function readTimeslicesCsv(text: string): TimeslicesCsvContent {
  const problems: CsvProblem[] = [];
  const [header, ...rows] = parseCsvRows(text.replace(/^\uFEFF/, ''), 1, problems).filter(
    row => !isEmpty(row),
  );
  if (header && header.cells.join() !== TIMESLICE_HEADER.join())
    problems.push({
      rule: 'csv-header',
      line: header.line,
      place: `line ${header.line}`,
      message: `is "${header.cells.join(',')}"; expected ${TIMESLICE_HEADER.join(',')}`,
    });
  const slices = new Map<number, Map<string, Record<string, unknown>>>();
  const lines = new Map<string, number>();
  if (problems.length === 0) for (const row of rows) readSliceRow(problems, slices, lines, row);
  return { slices: [...slices].map(toSlice), lines, isRounded: isRounded(rows), problems };
}

function toSlice([index, blocks]: readonly [number, ReadonlyMap<string, unknown>]): ProfileTimeslice {
  return { timeslice_index: index, ...Object.fromEntries(blocks) };
}

function readSliceRow(
  problems: CsvProblem[],
  slices: Map<number, Map<string, Record<string, unknown>>>,
  lines: Map<string, number>,
  { line, cells }: CsvRow,
): void {
  const problem = findSliceProblem(cells);
  if (problem) {
    problems.push({
      rule: 'csv-cell',
      line,
      place: `line ${line}${problem.column}`,
      message: problem.message,
    });
    return;
  }
  const [ordinal, name, unit, stat, cell] = cells as [string, string, string, string, string];
  const index = Number(ordinal);
  const tag = toMetricTag(unescapeCell(name));
  const slice = slices.get(index) ?? new Map<string, Record<string, unknown>>();
  slices.set(index, slice);
  const block = slice.get(tag) ?? { unit: unescapeCell(unit) };
  slice.set(tag, block);
  const key = `${index} ${tag}`;
  if (!lines.has(key)) lines.set(key, line);
  if (Object.hasOwn(block, stat)) {
    const message = `is a duplicate: slice ${index} already has ${stat} of "${name}"`;
    problems.push({ rule: 'csv-cell', line, place: `line ${line}, column Stat`, message });
    return;
  }
  const value = parseNumber(problems, line, 'Value', cell);
  if (value !== undefined) block[stat] = value;
}

/** Finds a problem with the number of cells, or with the slice number or statistic of a row. */
function findSliceProblem(cells: readonly string[]): { column: string; message: string } | undefined {
  const [ordinal = '', , , stat = ''] = cells;
  if (cells.length !== TIMESLICE_HEADER.length)
    return { column: '', message: `has ${cells.length} cells; expected ${TIMESLICE_HEADER.join(',')}` };
  if (!/^\d{1,15}$/.test(ordinal))
    return { column: ', column Timeslice', message: `is "${ordinal}"; expected a slice number, from 0` };
  if (!isCsvStat(stat))
    return { column: ', column Stat', message: `is "${stat}"; expected one of ${CSV_STATS.join(', ')}` };
  return undefined;
}
