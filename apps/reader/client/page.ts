import type { Finding } from '@org/analysis';
import type { ReportDocument } from '../src/report/document.ts';
import type { RunSetDocument } from '../src/sweep/page.ts';
import { clientSections } from './clientSection.ts';
import { readingAids } from './cursorKeys.ts';
import { element, section } from './element.ts';
import { percentileSection } from './percentiles.ts';
import { severalSections } from './runSet.ts';
import { comparisonSection, endpointTable, seriesSection } from './tables.ts';
import { themeButton } from './theme.ts';
import { timelineSections } from './timeline.ts';

/** Builds the page from the data that it contains. */
function build(report: ReportDocument | RunSetDocument): void {
  const sections = 'kind' in report ? severalSections(report) : runSections(report);
  document.body.append(
    element('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    head(report, sections),
    element('main', { id: 'main' }, ...sections, ...('kind' in report ? [] : readingAids())),
  );
}

function runSections(report: ReportDocument): HTMLElement[] {
  return [
    findingSection(report.findings),
    ...(report.client ? clientSections(report.client) : []),
    endpointTable(report.endpoints),
    ...(report.timeline ? timelineSections(report.timeline) : [noTimeline()]),
    ...(report.percentiles.length > 0 ? [percentileSection(report.percentiles)] : []),
    ...(report.comparison ? [comparisonSection(report.comparison)] : []),
    seriesSection(report.series),
  ];
}

function head(
  { title, facts, notes }: Pick<ReportDocument, 'title' | 'facts' | 'notes'>,
  sections: readonly HTMLElement[],
): HTMLElement {
  const links = sections.map(one =>
    element('li', {}, element('a', { href: `#${one.id}` }, one.querySelector('h2')!.textContent ?? '')),
  );
  return element(
    'header',
    {},
    element('div', { class: 'title' }, element('h1', {}, title), themeButton()),
    element(
      'dl',
      {},
      ...facts.map(({ name, text }) => element('div', {}, element('dt', {}, name), element('dd', {}, text))),
    ),
    ...notes.map(note => element('p', { class: 'note' }, note)),
    element('nav', { 'aria-label': 'Sections' }, element('ul', {}, ...links)),
  );
}

function findingSection(findings: readonly Finding[]): HTMLElement {
  if (findings.length === 0) return section('findings', 'Findings', element('p', {}, 'No findings.'));
  return section('findings', 'Findings', element('ul', { class: 'findings' }, ...findings.map(findingItem)));
}

const MAX_EVIDENCE = 5;

function findingItem({ severity, server, title, advice, evidence }: Finding): HTMLElement {
  const places = evidence
    .slice(0, MAX_EVIDENCE)
    .map(({ endpoint, text }) => element('li', {}, endpoint === undefined ? text : `${endpoint}: ${text}`));
  const left = evidence.length - places.length;
  return element(
    'li',
    { class: severity },
    element(
      'h3',
      {},
      element('span', { class: 'severity' }, severity),
      ` ${server === undefined ? title : `${server}: ${title}`}`,
    ),
    element('ul', {}, ...places, ...(left > 0 ? [element('li', {}, `and ${left} more`)] : [])),
    element('p', {}, advice),
  );
}

function noTimeline(): HTMLElement {
  return section(
    'timeline',
    'Timeline',
    element(
      'p',
      {},
      'These files contain no values over time: collect with --slice-duration, or also export parquet or jsonl.',
    ),
  );
}

build(JSON.parse(document.getElementById('report')!.textContent!) as ReportDocument | RunSetDocument);
