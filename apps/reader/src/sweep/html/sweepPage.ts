import { writeFactList } from '../../html/factList.ts';
import { writeFrame } from '../../html/frame.ts';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { writeElement } from '../../svg/markup.ts';
import { createChoice } from '../model/choice.ts';
import { buildSweepView } from '../model/sections.ts';
import type { RunSetDocument } from '../runSetDocument.ts';
import { writePointTable } from './pointTable.ts';
import { writeProbeTable } from './probeTable.ts';
import { PAGE_WIDTHS, writeCharts, writeConclusion } from './sweepView.ts';

/** Writes the body of the page of a sweep or of repeated runs. It is complete without scripts, except for tables and choices. */
export function writeSweepPage(document: RunSetDocument): string {
  const { title, subtitle, facts, notes, data } = document;
  const view = buildSweepView(data, createChoice(data));
  return writeFrame(title, {
    subtitle: writeParagraph(subtitle, 'subtitle'),
    main: [
      writeElement('div', { id: 'conclusion', 'aria-live': 'polite' }, writeConclusion(view.conclusion)),
      ...notes.map(note => writeParagraph(note, 'note')),
      writeElement('div', { id: 'choice', class: 'toolbar' }),
      writeElement('div', { id: 'charts' }, writeCharts(view, PAGE_WIDTHS)),
      data.search ? writeProbeTable(data.search) : '',
      writePointTable(data),
      writeSection(
        'tables',
        'Tables',
        '<noscript><p>Tables require JavaScript. All scripts are embedded in the page.</p></noscript>',
      ),
      writeSection('about', 'About these runs', writeFactList(facts)),
    ],
  });
}
