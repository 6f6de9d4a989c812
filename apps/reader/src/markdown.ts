import { printable } from './terminal.ts';

/**
 * A text of a server as Markdown shows it, character by character: nothing in it is markup, a link, HTML, the end of a
 * table cell or (with a space of no width behind the sign) a mention that would call somebody.
 * GitHub Flavored Markdown 0.29, backslash escapes and entities.
 */
export function markdownText(text: string): string {
  return printable(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]~$]/g, character => `\\${character}`)
    .replace(/\|/g, '&#124;')
    .replace(/@/g, '@&#8203;')
    .replace(/:\/\//g, ':&#8203;//')
    .replace(/\bwww\./gi, match => `${match.slice(0, 3)}&#8203;.`);
}

/** A name of a server in a code span, where nothing is markup; one with a character that ends it is text. */
export function markdownCode(text: string): string {
  const shown = printable(text);
  return shown === '' || /[`|\\]/.test(shown) || shown.trim() !== shown ? markdownText(text) : `\`${shown}\``;
}

/** A column of a table: its head, and where its cells stand. */
export interface MarkdownColumn {
  readonly head: string;
  readonly align?: 'right';
}

/** A table; cells are Markdown already. */
export function markdownTable(
  columns: readonly MarkdownColumn[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ head }) => head)),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}
