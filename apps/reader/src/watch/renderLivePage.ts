import type { ReportDocument } from '../report/document.ts';
import { writeRunPage } from '../report/html/runPage.ts';
import { toPageData, writePage } from '../report/page.ts';
import { escapeText, writeElement } from '../svg/markup.ts';
import type { LivePageState } from './liveUpdate.ts';

/**
 * Renders the page of a run that is watched while it is active. It is the page of the report with a bar that shows the
 * state, and with a script that may connect to the server of the page.
 */
export function renderLivePage(report: ReportDocument, live: LivePageState): string {
  return writePage(report, {
    script: 'liveRun.js',
    body: writeRunPage(report, writeLiveBar(live.status)),
    data: { ...toPageData(report), live },
    policy: "connect-src 'self'; ",
  });
}

/** The bar at the top of the page of a watched run. The script keeps it up to date. */
function writeLiveBar({ text, kind }: LivePageState['status']): string {
  return writeElement(
    'section',
    { id: 'live', class: `live ${kind}`, 'aria-label': 'State of the run' },
    writeElement('p', { id: 'live-state', role: 'status' }, escapeText(text)),
    writeElement('p', { id: 'live-age', class: 'hint' }),
    writeElement('div', { id: 'live-actions', class: 'actions' }),
  );
}
