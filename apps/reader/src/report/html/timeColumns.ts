import { writeParagraph } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import type { Column, Timeline } from '../document.ts';
import { writeChartFigure } from './chartFigure.ts';

/** Writes columns of charts on one time axis, with more markup below them. `empty` is the text of a column without charts. */
export function writeTimeColumns(
  columns: readonly Column[],
  source: Pick<Timeline, 'marks' | 'range' | 'meanings'>,
  empty: string,
  ...more: readonly string[]
): string {
  return writeElement(
    'section',
    { id: 'timeline', 'aria-label': 'Over time' },
    writeElement('div', { id: 'zoom', class: 'toolbar sticky' }),
    writeElement(
      'div',
      { class: 'columns' },
      ...columns.map(({ title, charts }, i) =>
        writeElement(
          'section',
          { class: 'column', 'aria-labelledby': `column-${i + 1}` },
          writeElement('h2', { id: `column-${i + 1}` }, escapeText(title)),
          ...(charts.length === 0
            ? [writeParagraph(empty)]
            : charts.map(chart => writeChartFigure(chart, source))),
        ),
      ),
    ),
    ...more,
  );
}
