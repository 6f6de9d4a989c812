import { escapeText, writeElement } from '../../svg/markup.ts';
import type { Fact, ReportDocument } from '../document.ts';
import { writeDistributionSection } from './distributionSection.ts';
import { writeReplicaSection } from './replicaSection.ts';
import { writeRequestSection } from './requestSection.ts';
import { writeParagraph, writeSection } from './section.ts';
import { writeSplitSection } from './splitSection.ts';
import { writeTileSection } from './tileSection.ts';
import { writeMoreMetrics, writeTimelineSection } from './timelineSection.ts';
import { writeVerdictSection } from './verdictSection.ts';

/** Writes the body of the page of a run. It is complete without scripts, except for tables. */
export function writeRunPage(report: ReportDocument): string {
  const { title, subtitle, tiles, timeline, facts, notes, replicas } = report;
  return [
    writeElement('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    writeElement(
      'header',
      {},
      writeElement(
        'div',
        { class: 'title' },
        writeElement('h1', {}, escapeText(title)),
        writeElement('div', { id: 'actions', class: 'actions' }),
      ),
      writeParagraph(subtitle, 'subtitle'),
    ),
    writeElement(
      'main',
      { id: 'main' },
      writeVerdictSection(report),
      writeTileSection(tiles),
      writeTimelineSection(timeline),
      writeSplitSection(report),
      writeDistributionSection(report),
      writeReplicaSection(replicas),
      writeRequestSection(report),
      writeMoreMetrics(timeline),
      writeSection(
        'tables',
        'Tables',
        ...notes.map(note => writeParagraph(note, 'note')),
        '<noscript><p>Tables require JavaScript. All scripts are embedded in the page.</p></noscript>',
      ),
      writeSection('about', 'About this run', writeElement('dl', {}, ...facts.map(writeFact))),
    ),
  ].join('');
}

function writeFact({ name, text }: Fact): string {
  return writeElement(
    'div',
    {},
    writeElement('dt', {}, escapeText(name)),
    name === 'Command' ? writeCommand(text) : writeElement('dd', {}, escapeText(text)),
  );
}

function writeCommand(command: string): string {
  const words = command.split(' ').map(word => writeElement('span', {}, escapeText(word)));
  return writeElement('dd', { class: 'command' }, words.join(' '));
}
