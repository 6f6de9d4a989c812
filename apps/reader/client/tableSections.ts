import { formatValue } from '@org/core';
import type { ComparisonTable, EndpointRow, SeriesTable } from '../src/report/document.ts';
import { type Cell, type Column, createTextCell } from './column.ts';
import { createDataTable } from './dataTable.ts';
import { createElement, createSection } from './element.ts';

/** Creates the table with the state of each endpoint. */
export function createEndpointTable(endpoints: readonly EndpointRow[]): HTMLElement {
  const createCountColumn = (
    name: string,
    get: (row: EndpointRow) => number | undefined,
  ): Column<EndpointRow> => ({
    name,
    isNumber: true,
    cell: row => createNumberCell(get(row) ?? null, null),
  });
  const columns: Column<EndpointRow>[] = [
    { name: 'endpoint', cell: row => createTextCell(row.name) },
    {
      name: 'status',
      cell: row => createTextCell(row.state, `state ${isHealthy(row.state) ? 'good' : 'bad'}`),
    },
    createCountColumn('scrapes', row => row.scrapes),
    createCountColumn('failed', row => row.failed),
    createCountColumn('skipped', row => row.late),
    { name: 'latency', isNumber: true, cell: row => createNumberCell(row.latencyMs ?? null, 'milliseconds') },
    { name: 'last error', cell: row => createTextCell(row.lastError ?? '') },
    { name: 'URL', cell: row => createTextCell(row.url) },
  ];
  return createDataTable('endpoint-table', 'Endpoints', columns, endpoints);
}

function isHealthy(state: string): boolean {
  return state === 'active' || state === 'ok';
}

/** The number of text columns in the series table. They precede the number columns. */
const TEXT_COLUMNS = 5;
/** The index of the column with the unit. */
const UNIT_COLUMN = 4;
/** Number columns whose values do not have the unit of the metric. */
const COUNT_COLUMNS: ReadonlySet<string> = new Set(['count', 'rate /s']);

/** Creates the table of all series, after a note if some are left out. */
export function createSeriesTable({ columns, texts, rows, more }: SeriesTable): HTMLElement[] {
  type Row = SeriesTable['rows'][number];
  const getText = (row: Row, column: number): string => texts[row[column]!]!;
  const tableColumns = columns.map((name, i): Column<Row> => {
    if (i < TEXT_COLUMNS) return { name, cell: row => createTextCell(getText(row, i)) };
    const isCount = COUNT_COLUMNS.has(name);
    return {
      name,
      isNumber: true,
      cell: row => createNumberCell(row[i] ?? null, isCount ? null : getText(row, UNIT_COLUMN)),
    };
  });
  return [
    ...(more > 0
      ? [createElement('p', {}, `First ${rows.length} series. The exports contain ${more} more.`)]
      : []),
    createDataTable('series-table', 'All series', tableColumns, rows),
  ];
}

/** Creates the section that compares the run with the baseline. */
export function createComparisonSection({ base, counts, notes, rows, more }: ComparisonTable): HTMLElement {
  type Row = ComparisonTable['rows'][number];
  const createValueColumn = (name: string, get: (row: Row) => number): Column<Row> => ({
    name,
    isNumber: true,
    cell: row => createNumberCell(get(row), row.unit),
  });
  const createPercentColumn = (name: string, get: (row: Row) => number | null): Column<Row> => ({
    name,
    isNumber: true,
    cell: row => createPercentCell(get(row)),
  });
  const columns: Column<Row>[] = [
    {
      name: 'verdict',
      cell: row => createTextCell(row.verdict, `verdict ${row.verdict.replace(' ', '-')}`),
    },
    ...(rows.some(({ variation }) => variation !== undefined)
      ? [{ name: 'variation', cell: (row: Row) => createTextCell(row.variation ?? '') }]
      : []),
    { name: 'metric', cell: row => createTextCell(row.metric) },
    { name: 'labels', cell: row => createTextCell(row.labels) },
    { name: 'statistic', cell: row => createTextCell(row.stat) },
    createValueColumn('base', row => row.base),
    createValueColumn('new', row => row.new),
    createPercentColumn('change', row => row.change),
    createPercentColumn('noise', row => row.noise),
  ];
  const totals = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
  return createSection(
    'comparison',
    'Comparison',
    createElement('p', {}, `Compared with ${base}: ${totals.join(', ')}.`),
    ...notes.map(note => createElement('p', {}, note)),
    ...(more > 0
      ? [
          createElement(
            'p',
            {},
            `First ${rows.length} rows. To print ${more} more, run servelens read compare --all.`,
          ),
        ]
      : []),
    createDataTable('comparison-table', 'Comparison', columns, rows),
  );
}

/** Creates a cell with a value in its unit; empty if it is unknown. */
export function createNumberCell(value: number | null, unit: string | null): Cell {
  return { text: value === null ? '' : formatValue(value, unit), sort: value };
}

/** Creates a cell for a ratio, formatted as `+12.3%` and sorted by its absolute value. */
export function createPercentCell(ratio: number | null): Cell {
  if (ratio === null) return { text: '', sort: null };
  const sign = ratio > 0 ? '+' : '';
  return { text: `${sign}${Number((ratio * 100).toPrecision(3))}%`, sort: Math.abs(ratio) };
}
