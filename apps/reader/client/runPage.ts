import { createRequestChart } from '../src/report/model/requestChart.ts';
import type { RunPageData } from '../src/report/page.ts';
import type { TimeChart } from '../src/svg/timeChartModel.ts';
import { createClientSections } from './clientSections.ts';
import { createButton } from './element.ts';
import { createFoldedTable } from './foldedTable.ts';
import { PhoneFolds } from './phoneFolds.ts';
import { addRequestTable } from './requestTable.ts';
import { saveFirstScreen } from './savePicture.ts';
import { createComparisonSection, createEndpointTable, createSeriesTable } from './tableSections.ts';
import { createThemeButton } from './theme.ts';
import { type SelectRow, TimeCharts } from './timeCharts.ts';
import { createZoomToolbar } from './zoomToolbar.ts';

/** Adds the buttons at the top of the page. */
export function addActions(): void {
  document.getElementById('actions')!.append(
    createThemeButton(),
    createButton('Save as PNG', () => saveFirstScreen('report.png')),
  );
}

/** Adds the tables, the cursor, the zoom and, on a phone, folded sections to the page of a run. */
export function showRun(report: RunPageData): void {
  addTables(report);
  startCharts(report, report.requests && addRequestTable(report.requests));
  new PhoneFolds();
}

/** Adds the tables of a run. */
export function addTables({ client, endpoints, series, comparison }: RunPageData): void {
  document
    .getElementById('tables')!
    .append(
      ...(comparison ? [createComparisonSection(comparison)] : []),
      ...(client ? createClientSections(client) : []),
      createFoldedTable('endpoints', 'Endpoints', createEndpointTable(endpoints)),
      createFoldedTable('series', 'All series', ...createSeriesTable(series)),
    );
}

/** Takes over the charts of a run. Returns undefined if the page has none. */
export function startCharts(report: RunPageData, onSelect?: SelectRow): TimeCharts | undefined {
  const { timeline } = report;
  if (!timeline) return undefined;
  const charts = new TimeCharts(timeline, listFurtherCharts(report), onSelect);
  createZoomToolbar(document.getElementById('zoom')!, charts.zoom, timeline);
  charts.takeOver();
  return charts;
}

/** Lists the charts outside of the timeline section. */
export function listFurtherCharts({ requests }: RunPageData): readonly TimeChart[] {
  return requests ? [createRequestChart(requests)] : [];
}
