/** The entry point of the script in the page of a run. Its charts and text are already in the page. */

import { createRequestChart } from '../src/report/model/requestChart.ts';
import type { RunPageData } from '../src/report/page.ts';
import { createClientSections } from './clientSections.ts';
import { createButton } from './element.ts';
import { createFoldedTable } from './foldedTable.ts';
import { readPageData } from './readPageData.ts';
import { addRequestTable } from './requestTable.ts';
import { saveFirstScreen } from './savePicture.ts';
import { createComparisonSection, createEndpointTable, createSeriesTable } from './tableSections.ts';
import { createThemeButton } from './theme.ts';
import { TimeCharts } from './timeCharts.ts';
import { createZoomToolbar } from './zoomToolbar.ts';

document.getElementById('actions')!.append(
  createThemeButton(),
  createButton('Save as PNG', () => saveFirstScreen('report.png')),
);
void readPageData<RunPageData>().then(showRun);

function showRun(report: RunPageData): void {
  addTables(report);
  const { timeline, requests } = report;
  const showRequest = requests && addRequestTable(requests);
  if (!timeline) return;
  const charts = new TimeCharts(timeline, requests ? [createRequestChart(requests)] : [], showRequest);
  createZoomToolbar(document.getElementById('zoom')!, charts.zoom, timeline);
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
