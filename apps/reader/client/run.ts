/** The entry point of the script in the page of a run. Its charts and text are already in the page. */

import type { RunPageData } from '../src/report/page.ts';
import { createClientSections } from './clientSections.ts';
import { type Column, createTextCell } from './column.ts';
import { createDataTable } from './dataTable.ts';
import { createElement } from './element.ts';
import { createFoldedTable } from './foldedTable.ts';
import {
  createComparisonSection,
  createEndpointTable,
  createNumberCell,
  createSeriesTable,
} from './tableSections.ts';
import { createThemeButton } from './theme.ts';
import { TimeCharts } from './timeCharts.ts';
import { createZoomToolbar } from './zoomToolbar.ts';

const report = JSON.parse(document.getElementById('report')!.textContent!) as RunPageData;

document.getElementById('actions')!.append(createThemeButton());
addTables(report);
if (report.slowest) addSlowestRequests(report.slowest);
if (report.timeline) {
  const charts = new TimeCharts(report.timeline);
  createZoomToolbar(document.getElementById('zoom')!, charts.zoom, report.timeline);
  charts.takeOver();
}

function addTables({ client, endpoints, series, comparison }: RunPageData): void {
  document
    .getElementById('tables')!
    .append(
      ...(comparison ? [createComparisonSection(comparison)] : []),
      ...(client ? createClientSections(client) : []),
      createFoldedTable('endpoints', 'Endpoints', createEndpointTable(endpoints)),
      createFoldedTable('series', 'All series', ...createSeriesTable(series)),
    );
}

function addSlowestRequests(rows: NonNullable<RunPageData['slowest']>): void {
  type Row = (typeof rows)[number];
  const createMs = (name: string, get: (row: Row) => number | null): Column<Row> => ({
    name,
    isNumber: true,
    cell: row => createNumberCell(get(row), 'milliseconds'),
  });
  const columns: Column<Row>[] = [
    { name: 'sent', isNumber: true, cell: ({ sent }) => ({ text: `${sent} s`, sort: sent }) },
    createMs('latency', row => row.latency),
    createMs('time to first token', row => row.firstToken),
    createMs('between tokens', row => row.interToken),
    { name: 'output tokens', isNumber: true, cell: row => createNumberCell(row.outputTokens, null) },
    { name: 'outcome', cell: row => createTextCell(row.outcome) },
    { name: 'request', cell: row => createTextCell(row.id) },
  ];
  document
    .getElementById('slowest-requests')!
    .append(
      createElement(
        'details',
        {},
        createElement('summary', {}, `The ${rows.length} slowest requests`),
        createDataTable('slowest-table', 'The slowest requests', columns, rows),
      ),
    );
}
