import { formatCount } from '@org/core';
import { writeFrame } from '../../../html/frame.ts';
import { writeParagraph, writeSection } from '../../../html/section.ts';
import { drawDotRow } from '../../../svg/dotRow.ts';
import { escapeText, writeElement } from '../../../svg/markup.ts';
import { writeLadder } from '../../html/distributionSection.ts';
import type { ComparisonDocument } from '../document.ts';
import type { RepeatRow } from '../model/repeats.ts';
import { writeCauseSection } from './causeSection.ts';
import { writeEffectSection } from './effectSection.ts';
import { writeScopeSection } from './scopeSection.ts';
import { writeStripSection } from './stripSection.ts';

/** Writes the body of the page of a comparison. It is complete without scripts. */
export function writeComparisonPage(page: ComparisonDocument): string {
  const notes = page.notes.map(note => writeParagraph(`${note}.`, 'note'));
  return writeFrame(page.title, {
    main: [
      writeScopeSection(page),
      writeEffectSection(page),
      writeStripSection(page),
      writeLadderSection(page),
      writeRepeatSection(page),
      writeCauseSection(page),
      notes.length === 0 ? '' : writeSection('notes', 'Notes', ...notes),
    ],
  });
}

function writeLadderSection({ ladders }: ComparisonDocument): string {
  if (ladders.length === 0) return '';
  return writeSection(
    'ladders',
    'Percentiles',
    writeParagraph(
      'Percentiles of the whole run, on logarithmic axes. The dashed grey line is the baseline.',
      'hint',
    ),
    writeElement('div', { class: 'ladders' }, ...ladders.map(writeLadder)),
  );
}

function writeRepeatSection({ repeats, sides }: ComparisonDocument): string {
  if (repeats.length === 0)
    return writeSection(
      'repeats',
      'Repeated runs',
      writeParagraph(
        'Each benchmark has one run, so run-to-run variation is unknown. To measure it, repeat the runs.',
      ),
    );
  const runs = sides.map(({ name, runs: count }) => `${name}: ${formatCount(count, 'run')}`).join(', ');
  return writeSection(
    'repeats',
    'Each run as a dot',
    writeParagraph(
      `${runs}. A tick is the mean. Each row has its own axis, from its lowest to its highest value.`,
      'hint',
    ),
    writeElement('ul', { class: 'effects repeats' }, ...repeats.map(writeRepeat)),
  );
}

function writeRepeat({ title, metric, range, lines }: RepeatRow): string {
  return writeElement(
    'li',
    { class: 'effect-row' },
    writeElement(
      'span',
      { class: 'effect-name' },
      escapeText(title),
      title === metric ? '' : ` ${writeElement('span', { class: 'metric' }, escapeText(metric))}`,
    ),
    writeElement('span', { class: 'effect-values' }, escapeText(range[0])),
    drawDotRow(`${title}: each run, from ${range[0]} to ${range[1]}`, lines),
    writeElement('span', { class: 'effect-text' }, escapeText(range[1])),
  );
}
