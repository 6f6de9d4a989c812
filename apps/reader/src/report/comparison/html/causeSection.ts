import { formatCount } from '@org/core';
import { writeParagraph, writeSection } from '../../../html/section.ts';
import { EFFECT_STYLES } from '../../../svg/forest.ts';
import { escapeText, writeElement } from '../../../svg/markup.ts';
import type { ComparedSide, ComparisonDocument } from '../document.ts';
import type { CauseGroup, UntestedGroup } from '../model/causes.ts';
import type { EffectRow } from '../model/effects.ts';

/** Writes all rows: those that changed by cause, those without evidence, and those that were not tested. */
export function writeCauseSection({ comparisons }: ComparisonDocument): string {
  return writeSection(
    'causes',
    'What changed, by cause',
    ...comparisons.flatMap(each => [
      comparisons.length > 1 ? writeElement('h3', {}, escapeText(each.name)) : '',
      writeCauses(each),
    ]),
  );
}

function writeCauses({ causes, method, name }: ComparedSide): string {
  const { summary, groups, others, untested, more } = causes;
  return [
    writeParagraph(`${summary}.`, 'hint'),
    groups.length === 0
      ? writeParagraph('No metric changed significantly.')
      : writeElement('ul', { class: 'causes' }, ...groups.map(writeGroup)),
    others.length === 0
      ? ''
      : writeFold(
          `Without evidence of a change, or unchanged: ${formatCount(others.length, 'row')}`,
          others,
          name,
        ),
    writeUntested(untested),
    more > 0
      ? writeParagraph(
          `${formatCount(more, 'row')} not shown; servelens read compare --all prints all rows.`,
          'hint',
        )
      : '',
    writeParagraph(`${method}.`, 'hint'),
  ].join('');
}

function writeGroup({ topic, leader, followers }: CauseGroup): string {
  const { title, metric, values, verdict, text } = leader;
  return writeElement(
    'li',
    {},
    writeElement(
      'p',
      {},
      writeElement('strong', {}, `${EFFECT_STYLES[verdict].symbol} ${escapeText(topic)}`),
      escapeText(`: ${title}: ${text}, ${values} `),
      title === metric ? '' : writeElement('span', { class: 'metric' }, escapeText(metric)),
    ),
    followers.length === 0
      ? ''
      : writeFold(`Same cause: ${formatCount(followers.length, 'more row')}`, followers, topic),
  );
}

function writeFold(summary: string, rows: readonly EffectRow[], label: string): string {
  return writeElement(
    'details',
    {},
    writeElement('summary', {}, escapeText(summary)),
    writeElement(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${label}: ${summary}` },
      writeElement(
        'table',
        {},
        '<thead><tr><th scope="col">metric</th><th scope="col">base → new</th><th scope="col">change</th></tr></thead>',
        writeElement('tbody', {}, ...rows.map(writeRow)),
      ),
    ),
  );
}

function writeRow({ metric, values, verdict, text }: EffectRow): string {
  return `<tr><th scope="row" class="metric">${escapeText(metric)}</th><td>${escapeText(values)}</td><td>${EFFECT_STYLES[verdict].symbol} ${escapeText(text)}</td></tr>`;
}

function writeUntested(groups: readonly UntestedGroup[]): string {
  if (groups.length === 0) return '';
  return writeElement(
    'section',
    { class: 'untested', 'aria-label': 'Not tested' },
    writeElement('h3', {}, 'Not tested, and why'),
    writeElement(
      'ul',
      {},
      ...groups.map(({ reason, metrics }) =>
        writeElement(
          'li',
          {},
          escapeText(`${reason}: `),
          writeElement('span', { class: 'metric' }, escapeText(metrics.join(', '))),
        ),
      ),
    ),
  );
}
