import { formatValue } from '@org/core';
import type { ComparisonTable, EndpointRow, SeriesTable } from '../src/report/document.ts';
import { type Cell, type Column, dataTable } from './dataTable.ts';
import { element, section } from './element.ts';

export function endpointTable(endpoints: readonly EndpointRow[]): HTMLElement {
  const count = (name: string, get: (row: EndpointRow) => number | undefined): Column<EndpointRow> => ({
    name,
    isNumber: true,
    cell: row => number(get(row) ?? null, null),
  });
  const columns: Column<EndpointRow>[] = [
    { name: 'endpoint', cell: row => word(row.name) },
    { name: 'status', cell: row => ({ ...word(row.state), class: `state ${stateClass(row.state)}` }) },
    count('scrapes', row => row.scrapes),
    count('failed', row => row.failed),
    count('late', row => row.late),
    { name: 'latency', isNumber: true, cell: row => number(row.latencyMs ?? null, 'milliseconds') },
    { name: 'last error', cell: row => word(row.lastError ?? '') },
    { name: 'URL', cell: row => word(row.url) },
  ];
  return section('endpoints', 'Endpoints', dataTable('endpoint-table', 'Endpoints', columns, endpoints));
}

function stateClass(state: string): string {
  return state === 'active' || state === 'ok' ? 'good' : 'bad';
}

/** Units that values are scaled by; other units are shown in a column. */
export function seriesSection({ columns, texts, rows, more }: SeriesTable): HTMLElement {
  type Row = SeriesTable['rows'][number];
  const WORDS = 5;
  const UNIT = 4;
  const COUNTS = new Set(['count', 'rate /s']);
  const unitOf = (row: Row): string => texts[row[UNIT]!]!;
  const made = columns.map(
    (name, i): Column<Row> =>
      i < WORDS
        ? { name, cell: row => word(texts[row[i]!]!) }
        : {
            name,
            isNumber: true,
            cell: row => number(row[i] ?? null, COUNTS.has(name) ? null : unitOf(row)),
          },
  );
  return section(
    'series',
    'All series',
    ...(more > 0 ? [element('p', {}, `${more} more series are in the exported files.`)] : []),
    dataTable('series-table', 'All series', made, rows),
  );
}

export function comparisonSection({ base, counts, notes, rows, more }: ComparisonTable): HTMLElement {
  type Row = ComparisonTable['rows'][number];
  const figures = (name: string, get: (row: Row) => number | null): Column<Row> => ({
    name,
    isNumber: true,
    cell: row => number(get(row), row.unit),
  });
  const share = (name: string, get: (row: Row) => number | null): Column<Row> => ({
    name,
    isNumber: true,
    cell: row => percent(get(row)),
  });
  const columns: Column<Row>[] = [
    {
      name: 'verdict',
      cell: row => ({ ...word(row.verdict), class: `verdict ${row.verdict.replace(' ', '-')}` }),
    },
    { name: 'metric', cell: row => word(row.metric) },
    { name: 'labels', cell: row => word(row.labels) },
    { name: 'statistic', cell: row => word(row.stat) },
    figures('base', row => row.base),
    figures('this run', row => row.new),
    share('change', row => row.change),
    share('noise', row => row.noise),
  ];
  const said = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
  return section(
    'comparison',
    'Comparison',
    element('p', {}, `With ${base}: ${said.join(', ')}.`),
    ...notes.map(note => element('p', {}, note)),
    ...(more > 0 ? [element('p', {}, `For ${more} more rows, run servelens read compare.`)] : []),
    dataTable('comparison-table', 'Comparison', columns, rows),
  );
}

function word(text: string): Cell {
  return { text, sort: text };
}

function number(value: number | null, unit: string | null): Cell {
  return { text: value === null ? '' : formatValue(value, unit), sort: value };
}

function percent(value: number | null): Cell {
  if (value === null) return { text: '', sort: null };
  const sign = value > 0 ? '+' : '';
  return { text: `${sign}${Number((value * 100).toPrecision(3))}%`, sort: Math.abs(value) };
}
