/** The entry point of the script in the page of a sweep or of repeated runs. */

import type { RunSetDocument } from '../src/sweep/runSetDocument.ts';
import { createElement } from './element.ts';
import { createRunSetSections } from './runSetSections.ts';
import { createThemeButton } from './theme.ts';

/** Builds the page from the embedded report. */
function buildPage(report: RunSetDocument): void {
  const sections = createRunSetSections(report);
  document.body.append(
    createElement('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    createHeader(report, sections),
    createElement('main', { id: 'main' }, ...sections),
  );
}

function createHeader(
  { title, facts, notes }: Pick<RunSetDocument, 'title' | 'facts' | 'notes'>,
  sections: readonly HTMLElement[],
): HTMLElement {
  const links = sections.map(section =>
    createElement(
      'li',
      {},
      createElement('a', { href: `#${section.id}` }, section.querySelector('h2')!.textContent ?? ''),
    ),
  );
  return createElement(
    'header',
    {},
    createElement('div', { class: 'title' }, createElement('h1', {}, title), createThemeButton()),
    createElement(
      'dl',
      {},
      ...facts.map(({ name, text }) =>
        createElement('div', {}, createElement('dt', {}, name), createElement('dd', {}, text)),
      ),
    ),
    ...notes.map(note => createElement('p', { class: 'note' }, note)),
    createElement('nav', { 'aria-label': 'Sections' }, createElement('ul', {}, ...links)),
  );
}

buildPage(JSON.parse(document.getElementById('report')!.textContent!) as RunSetDocument);
