/** The entry point of the script in the report page. */

import type { Finding } from '@org/analysis';
import type { ReportDocument } from '../src/report/document.ts';
import type { RunSetDocument } from '../src/sweep/runSetDocument.ts';
import { createClientSections } from './clientSections.ts';
import { createScreenReaderElements } from './cursorKeys.ts';
import { createElement, createSection } from './element.ts';
import { createPercentileSection } from './percentileSection.ts';
import { createRunSetSections } from './runSetSections.ts';
import { createComparisonSection, createEndpointTableSection, createSeriesSection } from './tableSections.ts';
import { createThemeButton } from './theme.ts';
import { createTimelineSections } from './timelineSections.ts';

/** Builds the page from the embedded report. */
function buildPage(report: ReportDocument | RunSetDocument): void {
  const isRunSet = 'kind' in report;
  const sections = isRunSet ? createRunSetSections(report) : createRunSections(report);
  document.body.append(
    createElement('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    createHeader(report, sections),
    createElement('main', { id: 'main' }, ...sections, ...(isRunSet ? [] : createScreenReaderElements())),
  );
}

function createRunSections(report: ReportDocument): HTMLElement[] {
  return [
    createFindingSection(report.findings),
    ...(report.client ? createClientSections(report.client) : []),
    createEndpointTableSection(report.endpoints),
    ...(report.timeline ? createTimelineSections(report.timeline) : [createMissingTimelineSection()]),
    ...(report.percentiles.length > 0 ? [createPercentileSection(report.percentiles)] : []),
    ...(report.comparison ? [createComparisonSection(report.comparison)] : []),
    createSeriesSection(report.series),
  ];
}

function createHeader(
  { title, facts, notes }: Pick<ReportDocument, 'title' | 'facts' | 'notes'>,
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

function createFindingSection(findings: readonly Finding[]): HTMLElement {
  const content =
    findings.length === 0
      ? createElement('p', {}, 'No findings.')
      : createElement('ul', { class: 'findings' }, ...findings.map(createFindingItem));
  return createSection('findings', 'Findings', content);
}

/** The maximum number of items of evidence to list per finding. */
const MAX_EVIDENCE = 5;

function createFindingItem({ severity, server, title, advice, evidence }: Finding): HTMLElement {
  const listedEvidence = evidence.slice(0, MAX_EVIDENCE);
  const lines = listedEvidence.map(({ endpoint, text }) =>
    endpoint === undefined || text.startsWith(endpoint) ? text : `${endpoint}: ${text}`,
  );
  if (evidence.length > listedEvidence.length)
    lines.push(`and ${evidence.length - listedEvidence.length} more`);
  return createElement(
    'li',
    { class: severity },
    createElement(
      'h3',
      {},
      createElement('span', { class: 'severity' }, severity),
      ` ${server === undefined ? title : `${server}: ${title}`}`,
    ),
    createElement('ul', {}, ...lines.map(line => createElement('li', {}, line))),
    createElement('p', {}, advice),
  );
}

function createMissingTimelineSection(): HTMLElement {
  return createSection(
    'timeline',
    'Timeline',
    createElement(
      'p',
      {},
      'This run contains no data over time. To record it, set --slice-duration, or export Parquet or JSONL.',
    ),
  );
}

buildPage(JSON.parse(document.getElementById('report')!.textContent!) as ReportDocument | RunSetDocument);
