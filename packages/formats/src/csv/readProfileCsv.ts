import type { ProfileMetric } from '../generated/profileExport.ts';
import { unescapeCell } from './cell.ts';
import { isCsvStat, VALUE_HEADER } from './columns.ts';
import { parseNameCell } from './metricNames.ts';
import { isEmpty, isRounded, parseNumber } from './profileCells.ts';
import { type CsvProblem, type CsvRow, locateRow, parseCsvRows } from './rows.ts';

/** The metrics of a profile CSV, and the problems of the file. */
export interface ProfileCsvContent {
  /** Metric blocks by tag. */
  readonly metrics: ReadonlyMap<string, ProfileMetric>;
  /** The row of each metric, by tag. */
  readonly rows: ReadonlyMap<string, CsvRow>;
  /**
   * True if all numbers have at most two decimals, as in AIPerf's files. Rounded statistics are not exactly
   * consistent.
   */
  readonly isRounded: boolean;
  readonly problems: readonly CsvProblem[];
}

/** The sections of a profile CSV. */
type Section = 'stats' | 'values' | 'gpus';

/** Reads profile_export_aiperf.csv in either layout, without its GPU section. The file contains no counts. */
export function readProfileCsv(text: string): ProfileCsvContent {
  const problems: CsvProblem[] = [];
  const rows = parseCsvRows(text.replace(/^\uFEFF/, ''), 1, problems);
  const reader = new MetricReader(problems);
  for (const row of rows) if (!isEmpty(row)) reader.read(row);
  return { metrics: reader.metrics, rows: reader.rows, isRounded: isRounded(rows), problems };
}

/** Collects the metrics of a profile CSV row by row. */
class MetricReader {
  readonly metrics = new Map<string, ProfileMetric>();
  readonly rows = new Map<string, CsvRow>();
  readonly #problems: CsvProblem[];
  #section: Section | undefined;
  #header: readonly string[] = [];

  constructor(problems: CsvProblem[]) {
    this.#problems = problems;
  }

  /** Reads a header or the row of a metric. */
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
      position: locateRow(row),
      message: `starts with "${row.cells[0]}"; expected a header, Metric,avg,min,max,… or ${VALUE_HEADER.join(',')}`,
    });
  }

  #readMetric(row: CsvRow): void {
    const { cells } = row;
    if (cells.length !== this.#header.length) {
      const message = `has ${cells.length} cells, but its section has ${this.#header.length} columns`;
      this.#problems.push({ rule: 'csv-cell', position: locateRow(row), message });
      return;
    }
    const { tag, unit } = parseNameCell(unescapeCell(cells[0]!));
    const block: Record<string, unknown> = { unit };
    this.#header.slice(1).forEach((column, index) => {
      const value = parseNumber(this.#problems, row, column, cells[index + 1]!);
      if (value !== undefined) block[column === 'Value' ? 'avg' : column] = value;
    });
    const amdTag = tag.replace(/^nvidia_/, 'amd_');
    if (amdTag !== tag && this.metrics.has(tag) && !this.metrics.has(amdTag)) this.#rename(tag, amdTag);
    if (this.metrics.has(tag))
      this.#problems.push({
        rule: 'csv-cell',
        position: locateRow(row, 'Metric'),
        message: `is "${cells[0]}", which is already in line ${this.rows.get(tag)?.line}`,
      });
    this.metrics.set(tag, block as unknown as ProfileMetric);
    this.rows.set(tag, row);
  }

  /**
   * Renames the metric that was read before another one with the same name: AIPerf writes the energy metrics of AMD's GPUs
   * before those of NVIDIA's.
   */
  #rename(tag: string, newTag: string): void {
    this.metrics.set(newTag, this.metrics.get(tag)!);
    this.rows.set(newTag, this.rows.get(tag)!);
    this.metrics.delete(tag);
    this.rows.delete(tag);
  }
}

/** Returns the section that a header row starts; undefined for any other row. */
function detectSection(cells: readonly string[]): Section | undefined {
  if (cells[0] === 'Endpoint' && cells[1] === 'GPU_Index') return 'gpus';
  if (cells[0] !== 'Metric') return undefined;
  if (cells.length === 2 && cells[1] === 'Value') return 'values';
  const stats = cells.slice(1);
  return stats.length > 0 && stats.every(isCsvStat) ? 'stats' : undefined;
}
