/** Text layout: tables, sparklines, Markdown, wrapping and truncation. */

export { renderBar } from './bar.ts';
export { type NamedLayout, renderNamed, wrapMarked } from './lines.ts';
export { escapeMarkdown, formatMarkdownCode, type MarkdownColumn, renderMarkdownTable } from './markdown.ts';
export { renderSparkline } from './sparkline.ts';
export { renderTable, type TableColumn, type TableLayout } from './table.ts';
export { countColumns, padEnd, padStart, truncateEnd, truncateMiddle, wrapText } from './text.ts';
