export { drawMarkdownTable, escapeMarkdown, formatMarkdownCode, type MarkdownColumn } from './markdown.ts';
export { drawSparkline } from './sparkline.ts';
export { renderTable, type TableColumn, type TableLayout } from './table.ts';
export { countColumns, padEnd, padStart, truncateEnd, truncateMiddle, wrapText } from './text.ts';
