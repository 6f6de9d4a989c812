import { toPrintable } from './terminal.ts';
import { countColumns, padEnd, wrapText } from './text.ts';

/**
 * Wraps a text after a mark, such as `✗` or `1.`. Further lines are indented below the text.
 *
 * @param mark may be colored; it takes one column
 * @param indent spaces before the mark
 */
export function wrapMarked(mark: string, text: string, width: number, indent = ''): string[] {
  const below = `${indent}  `;
  return wrapText(text, width, below).map((line, i) =>
    i === 0 ? `${indent}${mark} ${line.slice(below.length)}` : line,
  );
}

/**
 * Renders a row of a table: its name, then its cells. A name that does not fit is on separate lines above the cells, so
 * that neither is cut.
 *
 * @param cells formatted cells, including their spacing
 * @param nameWidth width of the column of names, including the spaces around a name
 */
export function renderNamed(
  name: string,
  cells: string,
  { nameWidth, width, indent = ' ', paintName = text => text }: NamedLayout,
): string[] {
  const text = `${indent}${toPrintable(name)}`;
  if (countColumns(text) < nameWidth) return [`${paintName(padEnd(text, nameWidth))}${cells}`.trimEnd()];
  const names = wrapText(name, width, indent).map(paintName);
  return cells.trim() === '' ? names : [...names, `${' '.repeat(nameWidth)}${cells}`.trimEnd()];
}

/** The widths of a named row, in terminal columns. */
export interface NamedLayout {
  readonly nameWidth: number;
  readonly width: number;
  /** Spaces before the name; one by default. */
  readonly indent?: string;
  /** Colors the name; unchanged by default. */
  readonly paintName?: (name: string) => string;
}
