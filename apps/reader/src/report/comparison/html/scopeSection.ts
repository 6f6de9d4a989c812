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

/** Writes what may be compared, and for each benchmark the settings that differ and what changed, in this order. */
export function writeScopeSection({ scope, sides, comparisons }: ComparisonDocument): string {
  const { tone, sentence, meaning } = scope;
  const [baseline, ...others] = sides;
  const box = { id: 'scope', label: 'What can be compared', tone, word: TONES[tone], sentence };
  if (comparisons.length === 1)
    return writeVerdictBox(
      box,
      writeDifferences(comparisons[0]!),
      writeHeadline(comparisons[0]!, 'Result: '),
      writeParagraph(meaning, 'facts'),
      writeElement('ul', { class: 'sides' }, ...sides.map((side, i) => writeSide(side, i === 0))),
    );
  const compared = others.map((side, i) =>
    writeSide(side, false, writeDifferences(comparisons[i]!), writeHeadline(comparisons[i]!)),
  );
  return writeVerdictBox(
    box,
    writeParagraph(meaning, 'facts'),
    writeElement('ul', { class: 'sides several' }, writeSide(baseline!, true), ...compared),
  );
}

/** Writes the settings that differ in a line. */
function writeDifferences({ differences }: ComparedSide): string {
  return differences.length === 0
    ? ''
    : writeParagraph(`Different ${differences.join('; ')}.`, 'differences');
}

function writeHeadline({ headline, strongest }: ComparedSide, start = ''): string {
  return writeElement(
    'p',
    { class: 'headline' },
    writeElement('strong', {}, escapeText(`${start}${headline}`)),
    strongest.length === 0 ? '.' : escapeText(`. ${strongest.join('; ')}.`),
  );
}

function writeSide(
  { name, color, runs, description }: SideRow,
  isBaseline: boolean,
  ...more: readonly string[]
): string {
  const dash = isBaseline ? ' dashed' : '';
  return writeElement(
    'li',
    {},
    writeElement('span', { class: `swatch line-swatch b-${color}${dash}`, 'aria-hidden': 'true' }),
    writeElement('strong', {}, escapeText(name)),
    isBaseline ? ' (baseline)' : '',
    runs > 1 ? ` ${formatCount(runs, 'run')}` : '',
    ' ',
    writeElement('span', { class: 'hint' }, escapeText(description)),
    ...more,
  );
}
