import { writeParagraph, writeSection } from '../../../html/section.ts';
import { escapeText, writeElement } from '../../../svg/markup.ts';
import { drawSmallChart } from '../../../svg/smallChart.ts';
import { writeTimeColumns } from '../../html/timeColumns.ts';
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
  return writeTimeColumns(
    strips.columns,
    strips,
    'The runs have no common data.',
    ...strips.notes.map(note => writeParagraph(note, 'hint')),
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
