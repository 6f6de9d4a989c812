import { escapeText, writeElement } from '../../../svg/markup.ts';
import { drawSmallChart } from '../../../svg/smallChart.ts';
import type { Column } from '../../document.ts';
import { writeChartFigure } from '../../html/chartFigure.ts';
import { writeParagraph, writeSection } from '../../html/section.ts';
import type { ComparisonDocument, MultipleRow, Strips } from '../document.ts';

/** Writes the benchmarks over time: in common charts or, beyond four, in small charts. */
export function writeStripSection({ strips, multiples }: ComparisonDocument): string {
  if (strips) return writeStrips(strips);
  if (multiples.length > 0) return writeMultiples(multiples);
  return writeSection(
    'timeline',
    'Over time',
    writeParagraph(
      'The runs contain no common data over time. To record it, set --slice-duration, or export Parquet or JSONL.',
    ),
  );
}

function writeStrips(strips: Strips): string {
  return writeElement(
    'section',
    { id: 'timeline', 'aria-label': 'Over time' },
    writeElement('div', { id: 'zoom', class: 'toolbar sticky' }),
    writeElement(
      'div',
      { class: 'columns' },
      ...strips.columns.map((column, i) => writeColumn(column, i, strips)),
    ),
    ...strips.notes.map(note => writeParagraph(note, 'hint')),
  );
}

function writeColumn({ title, charts }: Column, index: number, strips: Strips): string {
  const id = `column-${index + 1}`;
  return writeElement(
    'section',
    { class: 'column', 'aria-labelledby': id },
    writeElement('h2', { id }, escapeText(title)),
    ...(charts.length === 0
      ? [writeParagraph('Nothing that several runs have in common.')]
      : charts.map(chart => writeChartFigure(chart, strips))),
  );
}

function writeMultiples(rows: readonly MultipleRow[]): string {
  return writeSection(
    'timeline',
    'Over time',
    writeParagraph(
      'The dashed grey line is the baseline. All charts of a row have the same axes, and start with profiling. Of repeated runs, the first is drawn.',
      'hint',
    ),
    ...rows.map(writeMultipleRow),
  );
}

function writeMultipleRow({ id, title, unit, top, baseline, charts }: MultipleRow): string {
  return writeElement(
    'section',
    { id, class: 'replica-row', 'aria-label': title },
    writeElement('h3', {}, escapeText(title)),
    writeElement(
      'div',
      { class: 'replicas' },
      ...charts.map(({ name, color, values }) =>
        writeElement(
          'figure',
          { class: 'replica' },
          writeElement(
            'figcaption',
            {},
            writeElement('span', { class: 'name', title: name }, escapeText(name)),
          ),
          values.length === 0
            ? writeParagraph('no data', 'hint')
            : drawSmallChart({
                label: `${title} of ${name}, with the baseline`,
                color,
                values,
                median: baseline,
                top,
                unit: unit === '%' ? '%' : unit && ` ${unit}`,
              }),
        ),
      ),
    ),
  );
}
