/** The entry point of the script in the page of a comparison. Its charts, tables and text are already in the page. */

import type { ComparisonPageData } from '../src/report/page.ts';
import { readPageData } from './readPageData.ts';
import { createThemeButton } from './theme.ts';
import { TimeCharts } from './timeCharts.ts';
import { createZoomToolbar } from './zoomToolbar.ts';

document.getElementById('actions')!.append(createThemeButton());
void readPageData<ComparisonPageData>().then(({ strips }) => {
  if (!strips) return;
  const charts = new TimeCharts(strips);
  createZoomToolbar(document.getElementById('zoom')!, charts.zoom, strips);
  charts.takeOver();
});
