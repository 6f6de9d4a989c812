import { formatCount } from '@org/core';
import { writeParagraph } from '../../../html/section.ts';
import { writeVerdictBox } from '../../../html/verdictBox.ts';
import { escapeText, writeElement } from '../../../svg/markup.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { ComparedSide, ComparisonDocument, SideRow } from '../document.ts';

/** The mark and the word of each tone, so that its color is not needed. */
const TONES: Readonly<Record<Verdict['tone'], string>> = {
  problem: '▲ Problem:',
  warning: '▲ Attention:',
  good: '● Comparable:',
  unknown: '● Not known:',
};

/** Writes what may be compared, the settings that differ, and what changed, in this order. */
export function writeScopeSection({ scope, sides, comparisons }: ComparisonDocument): string {
  const { tone, sentence, meaning } = scope;
  return writeVerdictBox(
    { id: 'scope', label: 'What can be compared', tone, word: TONES[tone], sentence },
    writeParagraph(meaning, 'facts'),
    writeDifferences(comparisons),
    ...comparisons.map(comparison => writeHeadline(comparison, comparisons.length > 1)),
    writeElement('ul', { class: 'sides' }, ...sides.map(writeSide)),
  );
}

/** Writes the settings that differ, before what changed. */
function writeDifferences(comparisons: readonly ComparedSide[]): string {
  const texts = comparisons.flatMap(({ name, differences }) =>
    differences.map(text => (comparisons.length > 1 ? `${name}: ${text}` : text)),
  );
  if (texts.length === 0) return '';
  return writeElement(
    'ul',
    { class: 'differences' },
    ...texts.map(text => writeElement('li', {}, escapeText(text))),
  );
}

function writeHeadline({ name, headline, strongest }: ComparedSide, isNamed: boolean): string {
  return writeElement(
    'p',
    { class: 'headline' },
    writeElement('strong', {}, escapeText(`${isNamed ? name : 'Result'}: ${headline}`)),
    strongest.length === 0 ? '.' : escapeText(`. ${strongest.join('; ')}.`),
  );
}

function writeSide({ name, color, runs, description }: SideRow, index: number): string {
  const dash = index === 0 ? ' dashed' : '';
  return writeElement(
    'li',
    {},
    writeElement('span', { class: `swatch line-swatch b-${color}${dash}`, 'aria-hidden': 'true' }),
    writeElement('strong', {}, escapeText(name)),
    index === 0 ? ' (baseline)' : '',
    runs > 1 ? ` ${formatCount(runs, 'run')}` : '',
    ' ',
    writeElement('span', { class: 'hint' }, escapeText(description)),
  );
}
