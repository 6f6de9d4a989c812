import type { Buckets } from '../generated/serverMetrics.ts';
import type { MetricView, ServerMetricsView } from '../json/serverMetricsView.ts';
import { findRepeated } from '../rules/values.ts';
import { unescapeCell } from './cell.ts';
import {
  type CsvSection,
  fromLabelColumn,
  fromTargetColumn,
  INCREASE_COLUMNS,
  LEAD_COLUMNS,
  STAT_COLUMNS,
} from './columns.ts';
import { parseDecimal } from './number.ts';
import { type CsvProblem, type CsvRow, locateRow } from './rows.ts';
import { type CsvTable, parseCsvTables } from './tables.ts';

/** The server metrics of a CSV export, and the problems of the file. */
export interface ServerMetricsCsvContent {
  readonly view: ServerMetricsView;
  /** True if AIPerf wrote the file, which rounds to four decimals. Rounded statistics are not exactly consistent. */
  readonly isRounded: boolean;
  readonly problems: readonly CsvProblem[];
  /** Rows of the series of each metric, in the order of the series. */
  readonly rows: ReadonlyMap<string, readonly CsvRow[]>;
}

/** Reads server_metrics_export.csv in either layout: with or without comments, LF or CRLF. */
export function readServerMetricsCsv(text: string): ServerMetricsCsvContent {
  const { comments, isAiperf, tables, problems } = parseCsvTables(text);
  const reader = new SectionReader(isAiperf ? cell => cell : unescapeCell, [...problems]);
  for (const table of tables) reader.read(table);
  const version = comments.get('aiperf_version');
  const id = comments.get('benchmark_id');
  const view = {
    schema_version: comments.get('schema_version') ?? '1.0',
    ...(version === undefined ? {} : { aiperf_version: version }),
    ...(id === undefined ? {} : { benchmark_id: id }),
    ...(reader.targetLabels.size === 0 ? {} : { target_labels: Object.fromEntries(reader.targetLabels) }),
    metrics: Object.fromEntries(reader.metrics) as ServerMetricsView['metrics'],
  };
  return { view, isRounded: isAiperf, problems: reader.problems, rows: reader.rows };
}

/** A metric to which series are added while the file is read. */
interface MutableMetric {
  readonly type: MetricView['type'];
  readonly description: string;
  readonly unit?: string;
  readonly series: object[];
}

/** Collects the metrics of a server metrics CSV section by section. */
class SectionReader {
  readonly metrics = new Map<string, MutableMetric>();
  readonly rows = new Map<string, CsvRow[]>();
  /** The labels of targets, by endpoint. */
  readonly targetLabels = new Map<string, Readonly<Record<string, string>>>();
  readonly problems: CsvProblem[];
  readonly #decodeText: (cell: string) => string;

  /** @param decodeText decodes the text of a cell */
  constructor(decodeText: (cell: string) => string, problems: CsvProblem[]) {
    this.#decodeText = decodeText;
    this.problems = problems;
  }

  /** Reads all rows of a section. */
  read(table: CsvTable): void {
    if (table.kind === 'info') this.#readInfo(table);
    else
      for (const row of table.rows)
        if (this.#hasAllCells(table, row)) this.#readSeries(table, table.kind, row);
  }

  /** Reports whether a row has as many cells as the header, and adds a problem if not. */
  #hasAllCells(table: CsvTable, row: CsvRow): boolean {
    if (row.cells.length === table.header.cells.length) return true;
    this.#report(
      row,
      undefined,
      `has ${row.cells.length} cells, but its section has ${table.header.cells.length} columns`,
    );
    return false;
  }

  #readSeries(table: CsvTable, section: CsvSection, row: CsvRow): void {
    const header = table.header.cells;
    const cell = (column: string): string => row.cells[header.indexOf(column)] ?? '';
    const name = this.#decodeText(cell('Metric'));
    const unit = this.#decodeText(cell('Unit'));
    const type = cell('Type');
    if (type !== section)
      this.#report(row, 'Type', `is "${type}"; expected ${section} in this section`, type);
    const buckets = section === 'histogram' ? this.#parseBuckets(row, 'buckets', cell('buckets')) : undefined;
    const labels = this.#readLabels(table, section, row);
    const endpoint = this.#decodeText(cell('Endpoint'));
    this.#readTargetLabels(table, row, endpoint);
    this.#addSeries(
      row,
      name,
      { type: section, description: this.#decodeText(cell('Description')), ...(unit ? { unit } : {}) },
      {
        endpoint_url: endpoint,
        ...(labels ? { labels } : {}),
        stats: this.#readStats(section, header, row),
        ...(buckets ? { buckets } : {}),
      },
    );
  }

  #addSeries(row: CsvRow, name: string, metric: Omit<MutableMetric, 'series'>, series: object): void {
    const existing = this.metrics.get(name);
    if (existing && existing.type !== metric.type)
      this.#report(row, 'Metric', `is "${name}", which is a ${existing.type} in an earlier section`, name);
    if (existing) existing.series.push(series);
    else this.metrics.set(name, { ...metric, series: [series] });
    const rows = this.rows.get(name);
    if (rows) rows.push(row);
    else this.rows.set(name, [row]);
  }

  /** Reads the statistics of a row. The `increase_*` columns of a histogram become an object. */
  #readStats(section: CsvSection, header: readonly string[], row: CsvRow): Record<string, unknown> {
    const stats: Record<string, unknown> = {};
    const increase: Record<string, unknown> = {};
    for (const column of listStats(header, section)) {
      const text = row.cells[header.indexOf(column)]!;
      if (text === '') continue;
      const value = column.endsWith('buckets')
        ? this.#parseBuckets(row, column, text)
        : column === 'created_in_run'
          ? this.#parseTrue(row, column, text)
          : this.#parseNumber(row, column, text);
      if (section === 'histogram' && column.startsWith('increase_'))
        increase[column.slice('increase_'.length)] = value;
      else if (value !== undefined) stats[column] = value;
    }
    return Object.keys(increase).length > 0 ? { ...stats, increase } : stats;
  }

  #parseTrue(row: CsvRow, column: string, text: string): true | undefined {
    if (text === 'true') return true;
    this.#report(row, column, `is "${text}"; expected true or an empty cell`, text);
    return undefined;
  }

  #parseNumber(row: CsvRow, column: string, text: string): number | undefined {
    const value = parseDecimal(text);
    if (value !== undefined) return value;
    this.#report(row, column, `is "${text}"; expected a number or an empty cell`, text);
    return undefined;
  }

  /** Parses buckets in the form `le=count;le=count;…`. */
  #parseBuckets(row: CsvRow, column: string, cell: string): Buckets | undefined {
    const text = this.#decodeText(cell);
    if (text === '') return undefined;
    const pairs = text.split(';').map(pair => pair.split('='));
    const counts = pairs.map(([le, count]) => [le!, parseDecimal(count ?? '') ?? Number.NaN] as const);
    const invalid = counts.findIndex(
      ([le, count], i) => le === '' || pairs[i]!.length !== 2 || !Number.isFinite(count),
    );
    const repeated = findRepeated(counts.map(([le]) => le));
    if (invalid === -1 && repeated === -1) return Object.fromEntries(counts);
    const message =
      invalid === -1
        ? `has the bound ${counts[repeated]![0]} twice; each bound must occur once`
        : `has "${pairs[invalid]!.join('=')}"; expected bound=count;bound=count;…`;
    this.#report(row, column, message, text);
    return undefined;
  }

  /**
   * Reads the labels, whose columns are between the statistics and the description. An empty cell means that
   * the label is absent.
   */
  #readLabels(table: CsvTable, section: CsvSection, row: CsvRow): Record<string, string> | undefined {
    const header = table.header.cells;
    const end = header.lastIndexOf('Description');
    const pairs: [string, string][] = [];
    for (let i = LEAD_COLUMNS.length + listStats(header, section).length; i < end; i++) {
      const column = this.#decodeText(header[i]!);
      if (row.cells[i] !== '' && fromTargetColumn(column) === undefined)
        pairs.push([fromLabelColumn(column), this.#decodeText(row.cells[i]!)]);
    }
    return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
  }

  /** Reads the labels of the target, which are the same in all rows of an endpoint. */
  #readTargetLabels(table: CsvTable, row: CsvRow, endpoint: string): void {
    if (this.targetLabels.has(endpoint)) return;
    const pairs = table.header.cells.flatMap((cell, i): [string, string][] => {
      const label = fromTargetColumn(this.#decodeText(cell));
      return label === undefined || row.cells[i] === '' ? [] : [[label, this.#decodeText(row.cells[i]!)]];
    });
    if (pairs.length > 0) this.targetLabels.set(endpoint, Object.fromEntries(pairs));
  }

  /** Reads the info section, which has one row per label. A label name that is already set starts the next series. */
  #readInfo(table: CsvTable): void {
    const groups: InfoGroup[] = [];
    for (const row of table.rows.filter(row => this.#hasAllCells(table, row))) {
      const [endpoint = '', name = '', key = '', value = '', description = ''] = row.cells.map(
        this.#decodeText,
      );
      let group = groups.at(-1);
      if (group?.endpoint !== endpoint || group.name !== name || group.labels.has(key)) {
        group = { row, endpoint, name, description, labels: new Map() };
        groups.push(group);
      }
      group.labels.set(key, value);
    }
    for (const { row, endpoint, name, description, labels } of groups)
      this.#addSeries(
        row,
        name,
        { type: 'gauge', description },
        { endpoint_url: endpoint, labels: Object.fromEntries(labels), stats: {} },
      );
  }

  #report(row: CsvRow, column: string | undefined, message: string, value?: string): void {
    const problem = { rule: 'csv-cell' as const, position: locateRow(row, column), message };
    this.problems.push(value === undefined ? problem : { ...problem, value });
  }
}

/** The labels of one `_info` series. */
interface InfoGroup {
  readonly row: CsvRow;
  readonly endpoint: string;
  readonly name: string;
  readonly description: string;
  readonly labels: Map<string, string>;
}

/** Returns the statistics of a section, including the columns for increases that directly follow them. */
function listStats(header: readonly string[], section: CsvSection): readonly string[] {
  const start = LEAD_COLUMNS.length + STAT_COLUMNS[section].length;
  const present = INCREASE_COLUMNS[section].filter(column => header.includes(column));
  const isAdjacent = present.every((column, index) => header[start + index] === column);
  return isAdjacent ? [...STAT_COLUMNS[section], ...present] : STAT_COLUMNS[section];
}
