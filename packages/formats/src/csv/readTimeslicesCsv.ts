import type { ProfileTimeslice } from '../generated/profileTimeslices.ts';
import { unescapeCell } from './cell.ts';
import { CSV_STATS, isCsvStat, TIMESLICE_HEADER } from './columns.ts';
import { toMetricTag } from './metricNames.ts';
import { isEmpty, isRounded, parseNumber } from './profileCells.ts';
import { type CsvProblem, type CsvRow, parseCsvRows } from './rows.ts';

/** The slices of a timeslices CSV, and the problems of the file. */
export interface TimeslicesCsvContent {
  readonly slices: readonly ProfileTimeslice[];
  /** Line number of the first row of a metric, by slice number and tag: `0 request_latency`. */
  readonly lines: ReadonlyMap<string, number>;
  /** True if all numbers have at most two decimals, as in AIPerf's files. */
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

/** Reads a row, which contains one statistic of a metric in a slice. */
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

/**
 * Returns the problem of a row with an invalid number of cells, slice number or statistic; undefined for a
 * valid row.
 */
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
