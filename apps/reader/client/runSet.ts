/** The entry point of the script in the page of a sweep or of repeated runs. Its charts and text are already in the page. */

import type { SweepPageData } from '../src/report/page.ts';
import { createButton, createElement } from './element.ts';
import { createFoldedTable } from './foldedTable.ts';
import { createMetricTable } from './metricTable.ts';
import { readPageData } from './readPageData.ts';
import { saveFirstScreen } from './savePicture.ts';
import { createSweepCharts } from './sweepCharts.ts';
import { createComparisonSection } from './tableSections.ts';
import { createThemeButton } from './theme.ts';

document.getElementById('actions')!.append(
  createThemeButton(),
  createButton('Save as PNG', () => saveFirstScreen('sweep.png')),
);
void readPageData<SweepPageData>().then(report => {
  createSweepCharts(report.data);
  addTables(report);
});

function addTables({ client, servers, columns, comparison, more }: SweepPageData): void {
  document
    .getElementById('tables')!
    .append(
      ...(comparison ? [createComparisonSection(comparison)] : []),
      createFoldedTable('client', 'All client metrics', createMetricTable('client', client, columns)),
      ...(servers.length > 0
        ? [createFoldedTable('servers', 'All server metrics', createMetricTable('servers', servers, columns))]
        : []),
      ...(more > 0 ? [createElement('p', {}, `The files of the results contain ${more} more rows.`)] : []),
    );
}
