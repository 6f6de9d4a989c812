import { formatCount } from '@org/core';
import { writeParagraph } from '../../html/section.ts';
import { writeFacts, writeVerdictBox } from '../../html/verdictBox.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { formatTime } from '../../svg/ticks.ts';
import type { ReportDocument, ReportFinding } from '../document.ts';
import type { Verdict } from '../model/verdict.ts';

/** The mark and the word of each tone, so that its color is not needed. */
const TONES: Readonly<Record<Verdict['tone'], string>> = {
  problem: '▲ Problem:',
  warning: '▲ Attention:',
  good: '● Fine:',
  unknown: '● No findings:',
};

/** Writes what happened, with the findings behind it. */
export function writeVerdictSection({
  verdict,
  findings,
}: Pick<ReportDocument, 'verdict' | 'findings'>): string {
  const { tone, sentence, facts } = verdict;
  return writeVerdictBox(
    { id: 'verdict', label: 'Verdict', tone, word: TONES[tone], sentence },
    writeFacts(facts),
    writeFindings(findings),
  );
}

function writeFindings(findings: readonly ReportFinding[]): string {
  if (findings.length === 0) return writeParagraph('No findings.', 'hint');
  const titles = findings.map((finding, i) => `#${i + 1} ${formatTitle(finding)}`).join(' · ');
  return writeElement(
    'details',
    { id: 'findings' },
    writeElement(
      'summary',
      {},
      writeElement('strong', {}, formatCount(findings.length, 'finding')),
      ` ${writeElement('span', { class: 'hint' }, escapeText(titles))}`,
    ),
    writeElement('ol', { class: 'findings' }, ...findings.map((finding, i) => writeFinding(finding, i + 1))),
  );
}

/** The maximum number of items of evidence to list per finding. */
const MAX_EVIDENCE = 5;

/** Returns the title of a finding, with the server that it is about. */
function formatTitle({ server, title }: ReportFinding): string {
  return server === undefined ? title : `${server}: ${title}`;
}

function writeFinding(finding: ReportFinding, number: number): string {
  const { severity, advice, evidence, intervals } = finding;
  const lines = evidence
    .slice(0, MAX_EVIDENCE)
    .map(({ endpoint, text }) =>
      endpoint === undefined || text.startsWith(endpoint) ? text : `${endpoint}: ${text}`,
    );
  if (evidence.length > MAX_EVIDENCE) lines.push(`and ${evidence.length - MAX_EVIDENCE} more`);
  return writeElement(
    'li',
    { class: severity },
    writeElement(
      'h3',
      {},
      writeElement('span', { class: 'severity' }, severity),
      escapeText(` #${number} ${formatTitle(finding)}`),
    ),
    writeElement('ul', {}, ...lines.map(line => writeElement('li', {}, escapeText(line)))),
    writeParagraph(advice),
    writeIntervals(intervals),
  );
}

/** Writes links to the shaded time of a finding. */
function writeIntervals(intervals: ReportFinding['intervals']): string {
  if (intervals.length === 0) return '';
  const links = intervals.map(([from, to]) =>
    writeElement('a', { href: `#t=${from}-${to}` }, `${formatTime(from)} to ${formatTime(to)}`),
  );
  return writeElement('p', { class: 'when' }, `Shaded in the charts: ${links.join(', ')}`);
}
