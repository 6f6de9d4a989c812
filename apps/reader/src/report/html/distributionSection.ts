import { formatNumber } from '@org/core';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { drawHeatMap, drawShadeScale, findMost } from '../../svg/heatMap.ts';
import { drawLadder } from '../../svg/ladder.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import type { ReportDocument, Timeline } from '../document.ts';
import type { HeatMap, Ladder, LadderLine } from '../model/distributions.ts';

/** The sizes of heat maps and ladders, in pixels. */
export const HEAT_SIZE = { width: 600, height: 200 } as const;
export const LADDER_SIZE = { width: 400, height: 230 } as const;

/** Writes the distributions: heat maps over time, and percentiles with their bounds. */
export function writeDistributionSection({
  heatMaps,
  ladders,
  timeline,
}: Pick<ReportDocument, 'heatMaps' | 'ladders' | 'timeline'>): string {
  if (heatMaps.length + ladders.length === 0) return '';
  return writeSection(
    'distributions',
    'Distributions',
    timeline && heatMaps.length > 0
      ? writeElement('div', { class: 'columns' }, ...heatMaps.map(map => writeHeatMap(map, timeline)))
      : '',
    ladders.length > 0
      ? writeParagraph(
          'Percentiles of the whole run, on logarithmic axes. Those of servers are estimates from histogram buckets; the shaded bounds are certain.',
          'hint',
        )
      : '',
    writeElement('div', { class: 'ladders' }, ...ladders.map(writeLadder)),
  );
}

function writeHeatMap(map: HeatMap, { range }: Timeline): string {
  return writeElement(
    'figure',
    {},
    writeElement(
      'figcaption',
      {},
      writeElement('strong', {}, escapeText(map.title)),
      ' ',
      writeElement(
        'span',
        { class: 'hint' },
        `rows are buckets; 1 ${drawShadeScale(map.side)} ${formatNumber(Math.round(findMost(map.counts)))} requests${map.baseline ? '; dashed: median of the baseline' : ''}`,
      ),
    ),
    drawHeatMap(map, HEAT_SIZE.width, HEAT_SIZE.height, range),
  );
}

/** Writes a percentile ladder with its legend and its values. */
export function writeLadder(ladder: Ladder): string {
  return writeElement(
    'figure',
    { id: ladder.id },
    writeElement(
      'figcaption',
      {},
      writeElement('strong', {}, escapeText(ladder.title)),
      writeElement(
        'ul',
        { class: 'legend' },
        ...ladder.lines.map(({ name, color, isDashed }) =>
          writeElement(
            'li',
            {},
            writeElement('span', {
              class: `swatch line-swatch b-${color}${isDashed ? ' dashed' : ''}`,
              'aria-hidden': 'true',
            }),
            escapeText(name),
          ),
        ),
      ),
    ),
    drawLadder(ladder, LADDER_SIZE.width, LADDER_SIZE.height),
    writeLadderTable(ladder),
  );
}

/** Writes the values of a ladder as a folded table. */
function writeLadderTable({ title, percents, lines }: Ladder): string {
  const head = ['', ...percents.map(percent => `p${percent}`)].map((text, i) =>
    i === 0 ? '<td></td>' : writeElement('th', { scope: 'col', class: 'number' }, text),
  );
  const rows = lines.map(line =>
    writeElement(
      'tr',
      {},
      writeElement('th', { scope: 'row' }, escapeText(line.name)),
      ...percents.map((_, i) => writeElement('td', { class: 'number' }, escapeText(formatStep(line, i)))),
    ),
  );
  return writeElement(
    'details',
    {},
    writeElement('summary', {}, 'As a table'),
    writeElement(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Percentiles: ${title}` },
      writeElement(
        'table',
        {},
        writeElement('thead', {}, writeElement('tr', {}, ...head)),
        writeElement('tbody', {}, ...rows),
      ),
    ),
  );
}

/** Formats a percentile: a measured value, or the bounds of an estimated one. */
export function formatStep({ values, low, high }: LadderLine, index: number): string {
  const value = values[index];
  if (value == null) return '';
  const [from, to] = [low?.[index], high?.[index]];
  if (from == null) return formatNumber(value);
  return to == null
    ? `above ${formatNumber(from)}`
    : `${formatNumber(value)} (${formatNumber(from)} to ${formatNumber(to)})`;
}
