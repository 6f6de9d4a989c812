import { escapeText, writeElement } from '../svg/markup.ts';

/** The parts of a figure, as markup whose text is escaped. */
export interface FigureParts {
  /** The paragraphs that explain how to read the chart. */
  readonly help: readonly string[];
  /** Follows the title. */
  readonly legend: string;
  readonly drawing: string;
  /** True if the value axis is logarithmic. */
  readonly isLog?: boolean | undefined;
}

/** Writes a chart that the script of the page takes over. The script adds the actions of the chart to the help. */
export function writeFigure(
  { id, title }: { readonly id: string; readonly title: string },
  { help, legend, drawing, isLog }: FigureParts,
): string {
  return writeElement(
    'figure',
    { class: 'time', id },
    writeElement(
      'figcaption',
      {},
      writeElement(
        'span',
        { class: 'chart-title' },
        writeElement('strong', {}, escapeText(title)),
        writeElement(
          'details',
          { class: 'help' },
          writeElement('summary', { 'aria-label': `How to read: ${title}` }, 'i'),
          writeElement('div', {}, ...help.map(paragraph => writeElement('p', {}, paragraph))),
        ),
      ),
      legend,
    ),
    writeElement('div', { class: 'chart', 'data-chart': id, 'data-log': isLog }, drawing),
    writeElement('span', { class: 'reading' }),
  );
}
