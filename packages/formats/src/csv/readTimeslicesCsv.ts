import type { ProfileTimeslice } from '../generated/profileTimeslices.ts';
import { unescapeCell } from './cell.ts';
import { AIPERF_TIMESLICE_HEADER, CSV_STATS, isCsvStat, TIMESLICE_HEADER } from './columns.ts';
import { toMetricTag } from './metricNames.ts';
import { isEmpty, isRounded, parseNumber } from './profileCells.ts';
import { type CsvProblem, type CsvRow, locateRow, parseCsvRows } from './rows.ts';

/** The slices of a timeslices CSV, and the problems of the file. */
export interface TimeslicesCsvContent {
  readonly slices: readonly ProfileTimeslice[];
  /**
   * The row of each statistic, by slice number, tag and statistic (`0 request_latency p99`), and the first row of
   * each slice (`0`).
   */
  readonly rows: ReadonlyMap<string, CsvRow>;
  /** True if all numbers have at most two decimals, as in AIPerf's files. */
  readonly isRounded: boolean;
  readonly problems: readonly CsvProblem[];
}

/**
 * Reads profile_export_aiperf_timeslices.csv in either layout, and in AIPerf's layout since 0.13, which has the
 * start and end of each slice.
 */
export function readTimeslicesCsv(text: string): TimeslicesCsvContent {
  const problems: CsvProblem[] = [];
  const [header, ...rows] = parseCsvRows(text.replace(/^\uFEFF/, ''), 1, problems).filter(
    row => !isEmpty(row),
  );
  const columns = header?.cells.join() ?? '';
  if (header && columns !== TIMESLICE_HEADER.join() && columns !== AIPERF_TIMESLICE_HEADER.join())
    problems.push({
      rule: 'csv-header',
      position: locateRow(header),
      message: `is "${columns}"; expected ${TIMESLICE_HEADER.join()} or ${AIPERF_TIMESLICE_HEADER.join()}`,
    });
  const reader = new SliceReader(header?.cells ?? [], problems);
  if (problems.length === 0) for (const row of rows) reader.read(row);
  return { slices: reader.listSlices(), rows: reader.rows, isRounded: isRounded(rows), problems };
}

/** A slice to which statistics are added while the file is read. */
interface MutableSlice {
  readonly times: { readonly start_ns?: bigint; readonly end_ns?: bigint };
  readonly blocks: Map<string, Record<string, unknown>>;
}

/** Collects the slices of a timeslices CSV row by row. Each row contains one statistic of a metric in a slice. */
class SliceReader {
  readonly rows = new Map<string, CsvRow>();
  readonly #header: readonly string[];
  readonly #problems: CsvProblem[];
  readonly #slices = new Map<number, MutableSlice>();

  constructor(header: readonly string[], problems: CsvProblem[]) {
    this.#header = header;
    this.#problems = problems;
  }

  listSlices(): ProfileTimeslice[] {
    return [...this.#slices].map(([index, { times, blocks }]) => ({
      timeslice_index: index,
      ...times,
      ...Object.fromEntries(blocks),
    }));
  }

  read(row: CsvRow): void {
    const cell = (column: string): string => row.cells[this.#header.indexOf(column)]!;
    if (!this.#checkRow(row, cell)) return;
    const index = Number(cell('Timeslice'));
    const slice = this.#getSlice(row, index, cell);
    const tag = toMetricTag(unescapeCell(cell('Metric')));
    const block = slice.blocks.get(tag) ?? { unit: unescapeCell(cell('Unit')) };
    slice.blocks.set(tag, block);
    const stat = cell('Stat');
    if (Object.hasOwn(block, stat)) {
      this.#report(row, 'Stat', `is a duplicate: slice ${index} already has ${stat} of "${cell('Metric')}"`);
      return;
    }
    if (unescapeCell(cell('Unit')) !== block.unit)
      this.#report(row, 'Unit', `is "${cell('Unit')}", but ${block.unit} in an earlier row of this metric`);
    this.rows.set(`${index} ${tag} ${stat}`, row);
    const value = parseNumber(this.#problems, row, 'Value', cell('Value'));
    if (value !== undefined) block[stat] = value;
  }

  /** Returns the slice of a row. All rows of a slice must have the same times. */
  #getSlice(row: CsvRow, index: number, cell: (column: string) => string): MutableSlice {
    const times = this.#header.includes('Start_NS')
      ? { start_ns: BigInt(cell('Start_NS')), end_ns: BigInt(cell('End_NS')) }
      : {};
    const existing = this.#slices.get(index);
    if (!existing) {
      const slice = { times, blocks: new Map() };
      this.#slices.set(index, slice);
      this.rows.set(String(index), row);
      return slice;
    }
    for (const [column, key] of TIME_COLUMNS)
      if (times[key] !== existing.times[key])
        this.#report(
          row,
          column,
          `is ${times[key]}, but ${existing.times[key]} in an earlier row of this slice`,
        );
    return existing;
  }

  /** Checks the cells that identify a statistic. Reports a problem and returns false if one is invalid. */
  #checkRow(row: CsvRow, cell: (column: string) => string): boolean {
    if (row.cells.length !== this.#header.length)
      return this.#report(row, undefined, `has ${row.cells.length} cells; expected ${this.#header.join()}`);
    if (!/^\d{1,15}$/.test(cell('Timeslice')))
      return this.#report(row, 'Timeslice', `is "${cell('Timeslice')}"; expected a slice number, from 0`);
    for (const [column] of TIME_COLUMNS)
      if (this.#header.includes(column) && !/^\d{1,19}$/.test(cell(column)))
        return this.#report(row, column, `is "${cell(column)}"; expected a Unix time in nanoseconds`);
    if (!isCsvStat(cell('Stat')))
      return this.#report(row, 'Stat', `is "${cell('Stat')}"; expected one of ${CSV_STATS.join(', ')}`);
    return true;
  }

  /** Adds a problem and returns false. */
  #report(row: CsvRow, column: string | undefined, message: string): false {
    this.#problems.push({ rule: 'csv-cell', position: locateRow(row, column), message });
    return false;
  }
}

/** The columns with the times of a slice, and their fields. */
const TIME_COLUMNS = [
  ['Start_NS', 'start_ns'],
  ['End_NS', 'end_ns'],
] as const;
