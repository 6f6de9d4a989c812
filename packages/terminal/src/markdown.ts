import { toPrintable } from './terminal.ts';

/**
 * Escapes text from a server for Markdown, so that nothing in it acts as markup, a link, HTML or the end of a
 * table cell. A zero-width space after `@` prevents mentions. Follows GitHub Flavored Markdown 0.29:
 * backslash escapes and entities.
 */
export function escapeMarkdown(text: string): string {
  return toPrintable(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]~$]/g, character => `\\${character}`)
    .replace(/\|/g, '&#124;')
    .replace(/@/g, '@&#8203;')
    .replace(/:\/\//g, ':&#8203;//')
    .replace(/\bwww\./gi, match => `${match.slice(0, 3)}&#8203;.`);
}

/**
 * Formats a name from a server as a code span, or as escaped text if the name cannot be shown unchanged in a
 * code span.
 */
export function formatMarkdownCode(text: string): string {
  const printable = toPrintable(text);
  return printable === '' || /[`|\\]/.test(printable) || printable.trim() !== printable
    ? escapeMarkdown(text)
    : `\`${printable}\``;
}

/** A column of a Markdown table. */
export interface MarkdownColumn {
  readonly head: string;
  readonly align?: 'right';
}

/** Renders a Markdown table. Cells are Markdown: escape text from servers first. */
export function renderMarkdownTable(
  columns: readonly MarkdownColumn[],
  rows: readonly (readonly string[])[],
): string {
  const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    formatRow(columns.map(({ head }) => head)),
    formatRow(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map(formatRow),
  ].join('\n');
}
